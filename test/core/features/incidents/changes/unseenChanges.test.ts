import { expect, it } from 'vitest';
import { record } from '../../../state/storeFixtures.ts';
import { begun, watched } from './changesRig.ts';

it('in a vault of before nothing is new of what is read first, but what arrives and what changes', async () => {
  const { feature, read, started, shown } = await begun(new Map(), [record('old')]);
  // Before the document is read.
  await read(record('old', { severity: 'critical' }));
  await started;
  await read(record('first', { createdAt: watched + 1 }));
  await read(record('live'), 7);
  expect(shown()).toEqual({ changed: ['old'], fresh: ['live'] });
  expect(feature.see('old')).toMatchObject({
    isNew: false,
    changes: [{ field: 'severity', to: 'critical' }],
  });
  expect(feature.see('old')).toEqual({ isNew: false, changes: [] });
  expect(shown()).toEqual({ changed: [], fresh: ['live'] });
});

it('is kept in the vault: a restart has it, with what came and changed meanwhile', async () => {
  const texts = new Map<string, string>();
  const first = await begun(texts, [record('old')]);
  await first.started;
  await first.read(record('old', { evidenceCount: 5 }));
  await first.feature.stop();
  expect(first.shown()).toEqual({ changed: [], fresh: [] });

  const again = await begun(texts, [record('old', { evidenceCount: 5 }), record('other')]);
  await again.started;
  expect(again.shown().changed).toEqual(['old']);
  await again.read(record('other', { status: 'resolved' }));
  await again.read(record('late', { createdAt: watched + 60_000 }));
  await again.read(record('history', { createdAt: watched - 60_000 }));
  expect(again.shown()).toEqual({ changed: ['old', 'other'], fresh: ['late'] });
  expect(again.feature.see('old').changes).toMatchObject([{ field: 'evidence', from: 0, to: 5 }]);
});

it('is not lost by a sign-out before it was read', async () => {
  const texts = new Map<string, string>();
  const first = await begun(texts, [record('old')]);
  await first.started;
  await first.read(record('old', { evidenceCount: 5 }));
  await first.feature.stop();
  const stored = texts.get('changes');

  const { promise, resolve } = Promise.withResolvers<void>();
  const hasty = await begun(texts, [record('old', { evidenceCount: 5 })], promise);
  const left = hasty.feature.stop();
  resolve();
  await left;
  expect(texts.get('changes')).toBe(stored);
  expect(stored).toContain('"old"');
});
