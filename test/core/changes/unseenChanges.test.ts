import { expect, it } from 'vitest';
import { UnseenChanges } from '../../../src-main/core/changes/unseenChanges.ts';
import type { IncidentRecord } from '../../../src-main/core/domain/incident.ts';
import { createVirtualClock } from '../../support/clock.ts';
import { createRecordingLogger } from '../../support/ports.ts';
import { MemoryActions } from '../memoryActions.ts';
import { createTestStore, record } from '../store/storeFixtures.ts';

const clock = createVirtualClock();
const watched = clock.wallNow();

/** A console at work on a vault with these documents; what the cache held is there before anything is read. */
async function begun(
  texts: Map<string, string>,
  cached: readonly IncidentRecord[] = [],
  ready: Promise<void> = Promise.resolve(),
) {
  const store = createTestStore();
  await store.restore(
    cached.map((one) => ({
      record: one,
      firstSeenAt: 1,
      lastSeenAt: 1,
      arrivedAt: 0,
      notReturnedSince: null,
    })),
  );
  const desk = new UnseenChanges({
    store,
    clock,
    logger: createRecordingLogger(),
    stationTime: { stationNow: () => clock.wallNow() },
  });
  const started = desk.start(Object.assign(new MemoryActions(texts), { ready }));
  const read = (one: IncidentRecord, arrivedAt = 0) =>
    store.applyRows({
      upserts: [{ record: one, sighting: { seenAt: 2, arrivedAt } }],
      removals: [],
    });
  return { store, desk, read, started, shown: () => store.slice('changes') };
}

it('in a vault of before nothing is new of what is read first, but what arrives and what changes', async () => {
  const { desk, read, started, shown } = await begun(new Map(), [record('old')]);
  // Before the document is read.
  await read(record('old', { severity: 'critical' }));
  await started;
  await read(record('first', { createdAt: watched + 1 }));
  await read(record('live'), 7);
  expect(shown()).toEqual({ changed: ['old'], fresh: ['live'] });
  expect(desk.see('old')).toMatchObject({ isNew: false, changes: [{ field: 'severity', to: 'critical' }] });
  expect(desk.see('old')).toEqual({ isNew: false, changes: [] });
  expect(shown()).toEqual({ changed: [], fresh: ['live'] });
});

it('is kept in the vault: a restart has it, with what came and changed meanwhile', async () => {
  const texts = new Map<string, string>();
  const first = await begun(texts, [record('old')]);
  await first.started;
  await first.read(record('old', { evidenceCount: 5 }));
  await first.desk.stop();
  expect(first.shown()).toEqual({ changed: [], fresh: [] });

  const again = await begun(texts, [record('old', { evidenceCount: 5 }), record('other')]);
  await again.started;
  expect(again.shown().changed).toEqual(['old']);
  await again.read(record('other', { status: 'resolved' }));
  await again.read(record('late', { createdAt: watched + 60_000 }));
  await again.read(record('history', { createdAt: watched - 60_000 }));
  expect(again.shown()).toEqual({ changed: ['old', 'other'], fresh: ['late'] });
  expect(again.desk.see('old').changes).toMatchObject([{ field: 'evidence', from: 0, to: 5 }]);
});

it('waits with any number of incidents for its document', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { store, started, shown } = await begun(new Map(), [], promise);
  await store.applyRows({
    upserts: Array.from({ length: 600_000 }, (_, at) => ({
      record: record(`live-${at}`),
      sighting: { seenAt: 2, arrivedAt: 7 },
    })),
    removals: [],
  });
  resolve();
  await started;
  expect(shown().fresh.at(-1)).toBe('live-599999');
});
