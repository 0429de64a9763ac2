import { describe, expect, it } from 'vitest';
import {
  handoverDays,
  mostHandovers,
} from '../../../../src-main/core/features/notes/handover/handoverRepository.ts';
import { longestSummary, mostOpenActions, type OpenAction } from '../../../../src-preload/contract/index.ts';
import { airport, given, openHandovers, type MemoryHandovers } from './handoversRig.ts';
import { said, saying } from '../../../support/messages.ts';

const dayMs = 86_400_000;

describe('a handover', () => {
  it('is what the next operator sees at sign-in, after a restart too, and not the one who gave it', async () => {
    const { feature, files, clock, seenBy } = openHandovers();
    expect(await feature.give(given('ann'))).toBeNull();
    expect(await seenBy('ann')).toMatchObject({ pending: null, unseen: false, taken: null });
    expect(await seenBy('bob')).toMatchObject({
      pending: {
        from: 'ann',
        at: clock.wallNow(),
        summary: 'The levee is watched.',
        successor: 'Night shift',
        takenOver: null,
      },
      unseen: true,
    });
    const again = openHandovers({ files });
    expect(await again.seenBy('bob')).toMatchObject({ pending: { from: 'ann' }, unseen: true });
  });

  it('is gone from the page when its operator signs out', async () => {
    const { feature, seenBy, shown } = openHandovers();
    await feature.give(given('ann'));
    await seenBy('bob');
    await feature.stop();
    expect(shown().pending).toBeNull();
  });

  it('shows by itself once to each account, and stays to be taken over', async () => {
    const { feature, files, seenBy } = openHandovers();
    await feature.give(given('ann'));
    const { pending } = await seenBy('bob');
    expect((await feature.see(pending?.id ?? '')).ok).toBe(true);
    expect(await openHandovers({ files }).seenBy('bob')).toMatchObject({
      pending: { id: pending?.id },
      unseen: false,
    });
    expect((await seenBy('cleo')).unseen).toBe(true);
  });

  it('is taken over once; its author sees by whom, until that is read', async () => {
    const { feature, files, clock, taken, seenBy, shown } = openHandovers();
    await feature.give(given('ann'));
    const givenAt = clock.wallNow();
    const id = (await seenBy('bob')).pending?.id ?? '';
    await clock.advance(60_000);
    expect(await feature.takeOver(id)).toEqual({ ok: true, value: null });
    expect(taken).toEqual(['ann']);
    expect(shown()).toMatchObject({ pending: null, unseen: false });
    expect((await seenBy('cleo')).pending).toBeNull();
    expect(await feature.takeOver(id)).toMatchObject({
      failure: { code: 'conflict', sentence: saying('bob already took this over.') },
    });
    const author = openHandovers({ files });
    expect((await author.seenBy('ann')).taken).toEqual({ id, givenAt, by: 'bob', at: clock.wallNow() });
    await author.feature.see(id);
    expect((await openHandovers({ files }).seenBy('ann')).taken).toBeNull();
  });

  it('is not taken over by its author, nor one that is not there', async () => {
    const { feature, files, seenBy } = openHandovers();
    await feature.give(given('ann'));
    const id = (await seenBy('bob')).pending?.id ?? '';
    await seenBy('ann');
    expect(await feature.takeOver(id)).toMatchObject({ failure: { code: 'not-found' } });
    expect(await feature.takeOver('f'.repeat(32))).toMatchObject({ failure: { code: 'not-found' } });
    expect(await feature.see('f'.repeat(32))).toMatchObject({ failure: { code: 'not-found' } });
    await feature.stop();
    expect(await feature.takeOver(id)).toMatchObject({ failure: { code: 'not-found' } });
    expect(files?.texts.get('a'.repeat(32))).not.toContain('"by"');
  });

  it('of the same shift replaces the one before, unless that was taken over', async () => {
    const { feature, files, seenBy } = openHandovers();
    const stored = (): unknown[] =>
      (JSON.parse(files?.texts.get('a'.repeat(32)) ?? '{}') as { handovers: unknown[] }).handovers;
    await feature.give(given('ann', { summary: 'First' }));
    await feature.give(given('ann', { summary: 'Second' }));
    expect(stored()).toHaveLength(1);
    const { pending } = await seenBy('bob');
    expect(pending?.summary).toBe('Second');
    await feature.takeOver(pending?.id ?? '');
    await feature.give(given('ann', { summary: 'Third' }));
    await feature.give(given('ann', { summary: 'Of the next shift', shift: 2 }));
    expect(stored()).toHaveLength(3);
  });

  it('of several shows the latest that was not seen first', async () => {
    const { feature, seenBy, shown } = openHandovers();
    await feature.give(given('ann', { summary: 'Old' }));
    await feature.give(given('cleo', { summary: 'New' }));
    const first = await seenBy('bob');
    expect(first.pending?.summary).toBe('New');
    await feature.see(first.pending?.id ?? '');
    expect(shown()).toMatchObject({ pending: { summary: 'Old' }, unseen: true });
    await feature.see(shown().pending?.id ?? '');
    expect(shown()).toMatchObject({ pending: { summary: 'New' }, unseen: false });
  });

  it('of another deployment is not seen', async () => {
    const { feature, files } = openHandovers();
    await feature.give(given('ann'));
    expect((await openHandovers({ files, deployment: airport }).seenBy('bob')).pending).toBeNull();
  });

  it('ends with the connection where nothing is stored', async () => {
    const { feature, seenBy } = openHandovers({ files: null });
    expect(await feature.give(given('ann'))).toBeNull();
    expect((await seenBy('bob')).pending?.from).toBe('ann');
    expect((await openHandovers({ files: null }).seenBy('bob')).pending).toBeNull();
  });

  it('holds no control characters, and no more words than may be typed', async () => {
    const { feature, seenBy } = openHandovers();
    await feature.give(given('ann', { summary: ` a\u0000\u001B[31m\r\nb${'x'.repeat(longestSummary)}` }));
    const { summary = '' } = (await seenBy('bob')).pending ?? {};
    expect(summary.startsWith('a[31m\nbxxx')).toBe(true);
    expect(summary).toHaveLength(longestSummary);
  });

  it('with the most that it may hold is read again', async () => {
    const { feature, files } = openHandovers();
    const action: OpenAction = {
      kind: 'alarm',
      text: { id: 'alarm.incident', values: { place: 'y'.repeat(4_000) } },
      severity: 'z'.repeat(257),
      incidentId: 'i'.repeat(1_024),
    };
    await feature.give(
      given('ann', {
        summary: '\u{1F6B0}'.repeat(longestSummary / 2),
        successor: 's'.repeat(200),
        actions: Array.from({ length: mostOpenActions }, () => action),
      }),
    );
    const [text = ''] = files?.texts.values() ?? [];
    // The file takes 16 MiB (src-main/adapters/handoverFiles.ts).
    expect(mostHandovers * Buffer.byteLength(text)).toBeLessThan(12 * 1024 * 1024);
    expect((await openHandovers({ files }).seenBy('bob')).pending?.actions).toHaveLength(mostOpenActions);
  });
});

describe('the bounds of what is stored', () => {
  it('are twenty handovers', async () => {
    const { feature, files } = openHandovers();
    for (let shift = 1; shift <= mostHandovers + 5; shift += 1) await feature.give(given('ann', { shift }));
    const [text = ''] = files?.texts.values() ?? [];
    const { handovers } = JSON.parse(text) as { handovers: { shift: number }[] };
    expect(handovers).toHaveLength(mostHandovers);
    expect(handovers[0]?.shift).toBe(6);
  });

  it('are thirty days, by a clock that the service has verified and by no other', async () => {
    const { feature, files, time, seenBy } = openHandovers();
    await feature.give(given('ann'));
    time.ahead = (handoverDays - 1) * dayMs;
    expect((await seenBy('bob')).pending?.from).toBe('ann');
    time.ahead = (handoverDays + 1) * dayMs;
    time.verified = false;
    expect((await seenBy('bob')).pending?.from).toBe('ann');
    await feature.give(given('cleo'));
    time.verified = true;
    expect((await seenBy('bob')).pending?.from).toBe('cleo');
    await feature.give(given('dee'));
    expect(files?.texts.get('a'.repeat(32))).not.toContain('"ann"');
  });

  it('keep the order of writing where the clock went back', async () => {
    const { feature, time, seenBy } = openHandovers();
    await feature.give(given('ann'));
    time.ahead = -400 * dayMs;
    await feature.give(given('cleo'));
    expect((await seenBy('bob')).pending?.from).toBe('cleo');
  });
});

describe('what goes wrong', () => {
  for (const [what, damage] of [
    ['a seal that does not hold', (files: MemoryHandovers) => void (files.fault = 'damaged')],
    ['no JSON', (files: MemoryHandovers) => void files.texts.set('a'.repeat(32), '{"version":1')],
    [
      'another version',
      (files: MemoryHandovers) => void files.texts.set('a'.repeat(32), '{"version":2,"handovers":[]}'),
    ],
  ] as const) {
    it(`${what} sets the file aside, says so, and holds up no sign-in`, async () => {
      const first = openHandovers();
      await first.feature.give(given('ann'));
      const { files } = first;
      if (files === null) throw new Error('There are files');
      damage(files);
      const next = openHandovers({ files });
      expect(await next.seenBy('bob')).toMatchObject({ pending: null, problem: null });
      expect(files.aside).toHaveLength(1);
      expect(next.notices).toEqual(['Can’t read the handovers on this computer. Their file was set aside.']);
      expect(next.logger.events()).toContain('handovers-set-aside');
      expect(await next.feature.give(given('bob'))).toBeNull();
      expect((await next.seenBy('ann')).pending?.from).toBe('bob');
    });
  }

  it('a shut key store is said, overwrites nothing, and is asked again', async () => {
    const first = openHandovers();
    await first.feature.give(given('ann'));
    const { files } = first;
    if (files === null) throw new Error('There are files');
    files.fault = 'shut';
    const next = openHandovers({ files, seed: 2 });
    expect(said((await next.seenBy('bob')).problem?.sentence)).toContain('key store is closed');
    expect((await next.feature.give(given('bob')))?.code).toBe('storage-failed');
    files.fault = 'none';
    expect(await next.feature.give(given('bob'))).toBeNull();
    expect(await next.seenBy('cleo')).toMatchObject({ pending: { from: 'bob' }, problem: null });
    expect(files.texts.get('a'.repeat(32))).toContain('"ann"');
  });

  it('a full disk is the answer, nothing is half done, and what was seen is not shown twice', async () => {
    const { feature, files, taken, seenBy, shown } = openHandovers();
    await feature.give(given('ann'));
    const id = (await seenBy('bob')).pending?.id ?? '';
    if (files) files.fault = 'full';
    expect((await feature.give(given('bob')))?.code).toBe('storage-failed');
    expect(await feature.takeOver(id)).toMatchObject({ failure: { code: 'storage-failed' } });
    expect(taken).toEqual([]);
    expect(shown()).toMatchObject({ pending: { id }, unseen: true });
    expect((await feature.see(id)).ok).toBe(true);
    expect(shown()).toMatchObject({ pending: { id }, unseen: false });
    if (files) files.fault = 'none';
    expect((await feature.takeOver(id)).ok).toBe(true);
    expect(shown().problem).toBeNull();
  });
});
