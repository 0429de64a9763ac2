import { describe, expect, it } from 'vitest';
import type { Upload } from '../../../../src-preload/contract/index.ts';
import { createOutboxRig, fileIn, uploadPlan, valueOf, type Behaviour } from './uploadsRig.ts';
import { said, saying } from '../../../support/messages.ts';

const hour = 3_600_000;

/** One item that the service meets in this way at its first attempt, and takes at all others. */
async function first(behaviour: Behaviour) {
  const rig = await createOutboxRig();
  rig.service.behave = (_, nth) => (nth === 0 ? behaviour : { kind: 'take' });
  const id = await rig.add('a', 'x');
  await rig.settle();
  return { rig, id };
}

describe('an answer', () => {
  it.each<[string, Behaviour]>([
    ['a lost answer', { kind: 'lose-answer' }],
    ['a cut', { kind: 'cut' }],
    ['401', { kind: 'refuse', status: 401, code: 'session-rejected' }],
    ['408', { kind: 'refuse', status: 408, code: 'timed-out' }],
    ['409', { kind: 'refuse', status: 409 }],
    ['425', { kind: 'refuse', status: 425 }],
    ['429', { kind: 'refuse', status: 429 }],
    ['500', { kind: 'refuse', status: 500 }],
    ['503', { kind: 'refuse', status: 503 }],
    ['a redirect', { kind: 'refuse', status: 302, code: 'answered-by-something-else' }],
    ['a sign-in page', { kind: 'refuse', status: 200, code: 'answered-by-something-else' }],
    ['a success that cannot be read', { kind: 'garble' }],
  ])('of %s leaves it waiting, and is asked for again with the identical request', async (_, behaviour) => {
    const { rig, id } = await first(behaviour);
    const waiting = rig.item(id);
    expect(waiting).toMatchObject({ state: 'waiting', attempts: 1 });
    expect(said(waiting.why)).not.toBeNull();
    expect(waiting.until).toBeGreaterThanOrEqual(rig.clock.wallNow());
    await rig.pass(11 * 60_000);
    expect(rig.item(id)).toMatchObject({ state: 'sent', attempts: 2 });
    const [one, two] = rig.service.calls;
    expect(two).toEqual(one);
    expect(rig.service.effects).toHaveLength(1);
  });

  it.each([400, 403, 404, 410, 413, 415, 422])('of %i is the end of the key', async (status) => {
    const { rig, id } = await first({ kind: 'refuse', status });
    const failed = rig.item(id);
    expect(failed).toMatchObject({ state: 'failed', requestId: 'req-failed', failure: { status } });
    expect(said(failed.remedy)).not.toBeNull();
    if (status === 403) expect(said(failed.remedy)).toContain('Ask an administrator');
    await rig.pass(24 * hour);
    expect(rig.service.calls).toHaveLength(1);
    valueOf(await rig.outbox.retry(id));
    await rig.settle();
    expect(rig.state(id)).toBe('sent');
    const keys = rig.service.calls.map(({ key }) => key);
    expect(new Set(keys).size).toBe(2);
    const row = JSON.parse(rig.disk.rows.get(`uploads/${id}`) ?? '') as { endedKeys: { value: string }[] };
    expect(row.endedKeys.map(({ value }) => value)).toEqual([keys[0]]);
  });

  it('that cannot be read is not asked for a fourth time, and proves nothing', async () => {
    const rig = await createOutboxRig();
    rig.service.behave = () => ({ kind: 'garble' });
    const id = await rig.add('a', 'x');
    await rig.pass(20 * 60_000);
    expect(rig.item(id)).toMatchObject({ state: 'unproven', cid: null, requestId: 'req-failed' });
    expect(rig.disk.files.has(id)).toBe(true);
    expect(said(rig.item(id).why)).toContain('can’t be read');
    expect(new Set(rig.service.calls.map(({ key }) => key)).size).toBe(1);
    expect(rig.service.calls).toHaveLength(3);
  });

  it('is not asked for before Retry-After, not even when the link returns', async () => {
    const { rig, id } = await first({ kind: 'refuse', status: 429, retryAfterMs: 120_000 });
    rig.at.connection = 'offline';
    rig.outbox.review();
    rig.at.connection = 'online';
    rig.outbox.review();
    await rig.pass(119_000);
    expect(rig.service.calls).toHaveLength(1);
    await rig.restart();
    expect(rig.service.calls).toHaveLength(1);
    await rig.pass(4_000);
    expect(rig.state(id)).toBe('sent');
  });

  it('backs off between half of nothing and five minutes, further each time', async () => {
    const rig = await createOutboxRig();
    rig.service.behave = () => ({ kind: 'refuse', status: 503 });
    const id = await rig.add('a', 'x');
    await rig.pass(12 * hour);
    // Full jitter of five minutes is 150 s on average: about 288 attempts in 12 hours.
    expect(rig.service.calls.length).toBeGreaterThan(150);
    expect(rig.service.calls.length).toBeLessThan(500);
    expect(rig.item(id).attempts).toBe(rig.service.calls.length);
  });
});

describe('what nothing can be sent by', () => {
  it.each([
    ['offline', { connection: 'offline' }, 'Offline'],
    ['a waiting session', { session: 'waiting' }, 'session'],
    ['an ended session', { session: 'ended' }, 'Session'],
    ['a missing upload token', { uploadToken: 'missing' }, 'token'],
    ['a refused upload token', { uploadToken: 'refused' }, 'token'],
  ] as const)('holds all for %s, and lets them go by itself', async (_, change, word) => {
    const rig = await createOutboxRig();
    const before = { ...rig.at };
    rig.service.behave = () => ({ kind: 'not-left' });
    Object.assign(rig.at, change);
    rig.outbox.review();
    const ids = [await rig.add('a', 'x'), await rig.add('b', 'y')];
    await rig.settle();
    const waiting = rig.item(ids[0] ?? '');
    expect(waiting).toMatchObject({ state: 'waiting', attempts: 0 });
    expect(said(waiting.why)).toContain(word);
    expect(rig.slice().counts).toMatchObject({ waiting: 2, queued: 0 });
    expect(rig.service.calls).toHaveLength(0);
    await rig.pass(hour);
    rig.service.behave = () => ({ kind: 'take' });
    Object.assign(rig.at, before, 'uploadToken' in change ? { uploadToken: 'present' } : {});
    rig.outbox.review();
    await rig.settle();
    expect(ids.map((id) => rig.state(id))).toEqual(['sent', 'sent']);
  });

  it('tries the link with one upload now and then, as nothing else may ask this API', async () => {
    const rig = await createOutboxRig();
    rig.at.connection = 'offline';
    rig.outbox.review();
    let tries = 0;
    rig.service.behave = () => {
      tries += 1;
      return { kind: 'not-left' };
    };
    const ids = [await rig.add('a', 'x'), await rig.add('b', 'y')];
    await rig.settle();
    expect(tries).toBe(0);
    await rig.pass(hour);
    expect(tries).toBeGreaterThan(5);
    expect(tries).toBeLessThan(80);
    // The link is back, and only an upload can find out.
    rig.service.behave = () => {
      rig.at.connection = 'online';
      return { kind: 'take' };
    };
    await rig.pass(6 * 60_000);
    expect(ids.map((id) => rig.state(id))).toEqual(['sent', 'sent']);
  });

  it('does not need the session where uploads have a token of their own', async () => {
    const rig = await createOutboxRig();
    Object.assign(rig.at, { session: 'waiting', uploadToken: 'present', verified: false });
    const id = await rig.add('a', 'x');
    await rig.settle();
    expect(rig.state(id)).toBe('sent');
  });

  it('keeps what may have arrived until the time is known, rather than calling it too old', async () => {
    const { rig, id } = await first({ kind: 'lose-answer' });
    Object.assign(rig.at, { session: 'waiting', uploadToken: 'present', verified: false });
    await rig.kill();
    await rig.pass(hour);
    expect(rig.state(id)).toBe('waiting');
    rig.at.verified = true;
    rig.outbox.review();
    await rig.settle();
    expect(rig.state(id)).toBe('sent');
    expect(rig.service.effects).toHaveLength(1);
  });
});

describe('order', () => {
  it('is that of the list, two at a time, and one that waits delays no other', async () => {
    const rig = await createOutboxRig();
    const sizes = new Set<number>();
    // The only one of its size.
    rig.service.behave = ({ contentLength }) => {
      sizes.add(contentLength);
      return contentLength === Math.max(...sizes) && sizes.size > 1
        ? { kind: 'refuse', status: 503 }
        : { kind: 'take' };
    };
    valueOf(await rig.outbox.pause(null, true));
    const bad = await rig.add('bad', '88888888');
    const ids: string[] = [];
    for (let n = 1; n < 8; n += 1) ids.push(await rig.add(`f${String(n)}`, String(n)));
    valueOf(await rig.outbox.move(ids[6] ?? '', 0));
    valueOf(await rig.outbox.move(ids[0] ?? '', 100));
    expect(rig.items().map(({ fileName }) => fileName)).toEqual([
      'f7',
      'bad',
      'f2',
      'f3',
      'f4',
      'f5',
      'f6',
      'f1',
    ]);
    await rig.kill();
    expect(rig.slice().paused).toBe(true);
    expect(rig.items().map(({ fileName }) => fileName)).toEqual([
      'f7',
      'bad',
      'f2',
      'f3',
      'f4',
      'f5',
      'f6',
      'f1',
    ]);
    expect(rig.service.calls).toHaveLength(0);
    valueOf(await rig.outbox.pause(null, false));
    await rig.settle();
    expect(rig.state(bad)).toBe('waiting');
    expect(rig.items().filter(({ state }) => state === 'sent')).toHaveLength(7);
    const sent = rig.service.effects.map(({ body }) => Buffer.from(fileIn(body)).toString());
    expect(sent).toEqual(['7', '2', '3', '4', '5', '6', '1']);
    expect(rig.service.peak).toBe(2);
  });

  it('is kept through as many moves to one place as there are numbers between two', async () => {
    const rig = await createOutboxRig();
    valueOf(await rig.outbox.pause(null, true));
    const ids = [
      await rig.add('a', '1'),
      await rig.add('b', '2'),
      await rig.add('c', '3'),
      await rig.add('d', '4'),
    ];
    for (let round = 0; round < 200; round += 1)
      valueOf(await rig.outbox.move(ids[1 + (round % 3)] ?? '', 1));
    const names = (): string[] => rig.items().map(({ fileName }) => fileName);
    const before = names();
    expect(before[0]).toBe('a');
    await rig.kill();
    expect(names()).toEqual(before);
  });
});

describe('an operator', () => {
  it('holds one back in the middle of sending, and lets it go on under the same key', async () => {
    const { rig, id } = await first({ kind: 'hang' });
    expect(rig.state(id)).toBe('sending');
    valueOf(await rig.outbox.pause(id, true));
    expect(rig.item(id)).toMatchObject({ state: 'waiting', paused: true, attempts: 1 });
    await rig.pass(hour);
    expect(rig.service.calls).toHaveLength(1);
    valueOf(await rig.outbox.pause(id, false));
    await rig.settle();
    expect(rig.state(id)).toBe('sent');
    expect(new Set(rig.service.calls.map(({ key }) => key)).size).toBe(1);
  });

  it('sends one when the link is faster, also after a restart, or when asked', async () => {
    const { rig, id } = await first({ kind: 'hang' });
    valueOf(await rig.outbox.pause(id, 'slow-link'));
    const other = await rig.add('b', 'y');
    valueOf(await rig.outbox.pause(other, 'slow-link'));
    const slow = { bytesPerSecond: 7_000, roundTripMs: 700 };
    rig.store.patch('line', slow);
    await rig.pass(hour);
    await rig.kill();
    rig.store.patch('line', slow);
    await rig.pass(hour);
    expect(rig.item(id)).toMatchObject({ state: 'waiting', awaitsLink: true, paused: false, attempts: 1 });
    expect(said(rig.item(id).why)).toBe('Sends when the link is faster.');
    valueOf(await rig.outbox.pause(other, false));
    await rig.settle();
    expect([rig.state(id), rig.state(other)]).toEqual(['waiting', 'sent']);
    rig.store.patch('line', { bytesPerSecond: 90_000 });
    rig.outbox.review();
    await rig.settle();
    expect(rig.item(id)).toMatchObject({ state: 'sent', awaitsLink: false });
  });

  it('cancels what has not begun to leave, which then failed', async () => {
    const rig = await createOutboxRig();
    valueOf(await rig.outbox.pause(null, true));
    const id = await rig.add('a', 'x');
    valueOf(await rig.outbox.cancel(id));
    expect(rig.item(id)).toMatchObject({ state: 'failed', failure: { code: 'cancelled' } });
    valueOf(await rig.outbox.pause(null, false));
    await rig.pass(hour);
    expect(rig.service.calls).toHaveLength(0);
    valueOf(await rig.outbox.retry(id));
    await rig.settle();
    expect(rig.state(id)).toBe('sent');
  });

  it('cancels in the middle of sending, and has to decide', async () => {
    const { rig, id } = await first({ kind: 'hang' });
    valueOf(await rig.outbox.cancel(id));
    expect(rig.item(id)).toMatchObject({ state: 'needs-decision', decision: 'stopped' });
    await rig.pass(hour);
    expect(rig.service.calls).toHaveLength(1);
    valueOf(await rig.outbox.decide(id, 'send'));
    await rig.settle();
    expect(rig.state(id)).toBe('sent');
    // Young enough: the service can tell that it is the same.
    expect(new Set(rig.service.calls.map(({ key }) => key)).size).toBe(1);
  });

  it('discards only what is what they saw', async () => {
    const { rig, id } = await first({ kind: 'lose-answer' });
    const refused = await rig.outbox.discard(id, 'queued');
    expect(refused).toMatchObject({ ok: false, failure: { code: 'conflict' } });
    expect(rig.disk.files.size).toBe(1);
    valueOf(await rig.outbox.discard(id, 'waiting'));
    expect(rig.items()).toEqual([]);
    expect([rig.disk.files.size, rig.disk.sidecars.size]).toEqual([0, 0]);
    await rig.kill();
    expect(rig.items()).toEqual([]);
    expect(rig.unsent.at(-1)).toBe(0);
  });

  it('shows what does not fit', async () => {
    const { rig, id } = await first({ kind: 'take' });
    for (const work of [
      rig.outbox.cancel(id),
      rig.outbox.retry(id),
      rig.outbox.pause(id, true),
      rig.outbox.decide(id, 'send'),
      rig.outbox.decide(id, 'check'),
    ]) {
      expect(await work).toMatchObject({ ok: false, failure: { code: 'conflict' } });
    }
    for (const work of [rig.outbox.cancel('0'), rig.outbox.retry('0'), rig.outbox.move('0', 1)]) {
      expect(await work).toMatchObject({ ok: false });
    }
  });

  it('is asked about the same bytes', async () => {
    const { rig } = await first({ kind: 'take' });
    const twin = await rig.add('copy', 'x');
    await rig.settle();
    expect(rig.item(twin)).toMatchObject({ state: 'needs-decision', decision: 'same-bytes', sameAs: 'a' });
    expect(said(rig.item(twin).why)).toContain('was sent at 12:00 UTC on 2026-11-20');
    expect(rig.service.effects).toHaveLength(1);
    valueOf(await rig.outbox.decide(twin, 'send'));
    await rig.settle();
    expect(rig.state(twin)).toBe('sent');
    expect(rig.service.effects).toHaveLength(2);
  });
});

describe('the age of a key', () => {
  /** An item whose answer was lost, `hours` ago, in a console that was off since. */
  async function lost(
    hours: number,
    change: (rig: Awaited<ReturnType<typeof first>>['rig']) => void = () => undefined,
  ) {
    const { rig, id } = await first({ kind: 'lose-answer' });
    await rig.outbox.stop();
    rig.clock.sleep(hours * hour);
    change(rig);
    await rig.kill();
    await rig.settle();
    return { rig, id };
  }

  it('under 23 hours: the same key again', async () => {
    const { rig, id } = await lost(22.9);
    expect(rig.state(id)).toBe('sent');
    expect(rig.service.effects).toHaveLength(1);
  });

  it.each<[string, number, Parameters<typeof lost>[1]]>([
    ['over 23 hours', 23.1, undefined],
    ['the clock went backwards', 22, (rig) => (rig.at.skew = -23 * hour)],
    ['the time is not verified', 1, (rig) => (rig.at.verified = false)],
  ])('%s: a decision', async (_, hours, change) => {
    const { rig, id } = await lost(hours, change);
    expect(rig.item(id)).toMatchObject({ state: 'needs-decision', decision: 'outcome-unknown', attempts: 1 });
    expect(said(rig.item(id).remedy)).toContain('second copy');
    await rig.pass(hour);
    expect(rig.service.calls).toHaveLength(1);
  });

  it('without an anchor: a decision', async () => {
    const rig = await createOutboxRig();
    rig.at.verified = false;
    rig.service.behave = () => ({ kind: 'lose-answer' });
    const id = await rig.add('a', 'x');
    rig.at.verified = true;
    await rig.pass(10_000);
    expect(rig.state(id)).toBe('needs-decision');
    expect(rig.service.calls).toHaveLength(1);
  });

  it('is decided by the list of evidence, where it is there', async () => {
    const { rig, id } = await lost(24);
    rig.at.evidence = 'unknown';
    valueOf(await rig.outbox.decide(id, 'check'));
    expect(rig.item(id)).toMatchObject({ state: 'needs-decision', decision: 'outcome-unknown' });
    expect(said(rig.item(id).why)).toContain('Can’t read');
    rig.at.evidence = 'not-found';
    valueOf(await rig.outbox.decide(id, 'check'));
    expect(said(rig.item(id).why)).toContain('still unknown');
    expect(said(rig.item(id).remedy)).toContain('second copy');
    rig.at.evidence = 'found';
    valueOf(await rig.outbox.decide(id, 'check'));
    expect(rig.item(id)).toMatchObject({
      state: 'sent',
      verdict: 'match',
      why: saying('Found in the list of evidence.'),
    });
    expect(rig.asked.at(-1)).toEqual(rig.item(id).computed.map(({ cid }) => cid));
    expect(rig.disk.files.size).toBe(0);
  });

  it('is the operator’s to pass over, with a new key', async () => {
    const { rig, id } = await lost(25);
    valueOf(await rig.outbox.decide(id, 'send'));
    await rig.settle();
    expect(rig.state(id)).toBe('sent');
    expect(new Set(rig.service.calls.map(({ key }) => key)).size).toBe(2);
    expect(rig.service.effects).toHaveLength(2);
  });

  it('does not matter where nothing has left', async () => {
    const rig = await createOutboxRig();
    rig.service.behave = () => ({ kind: 'not-left' });
    const id = await rig.add('a', 'x');
    await rig.settle();
    expect(rig.item(id)).toMatchObject({ state: 'waiting', attempts: 0 });
    rig.clock.sleep(48 * hour);
    rig.service.behave = () => ({ kind: 'take' });
    await rig.kill();
    expect(rig.state(id)).toBe('sent');
  });
});

it('counts progress four times a second at most, with rate and time left', async () => {
  const rig = await createOutboxRig();
  let go: () => void = () => undefined;
  const seen: Upload['id'][] = [];
  const shown: number[] = [];
  rig.store.onChange(() => {
    const { moving } = rig.slice();
    if (moving[0] !== undefined && moving[0].direction === 'sending') shown.push(moving[0].done);
  });
  const api = rig.service.upload.bind(rig.service);
  rig.service.upload = async (call) => {
    const { bytes } = rig.item(seen[0] ?? '');
    for (let done = 0; done <= bytes; done += 1_000) {
      call.onProgress(done + 200);
      await new Promise<void>((resolve) => rig.clock.schedule(10, resolve));
    }
    await new Promise<void>((resolve) => (go = resolve));
    return api(call);
  };
  seen.push(await rig.add('a', Buffer.alloc(400_000)));
  await rig.pass(2_000);
  const [moving] = rig.slice().moving;
  expect(moving).toMatchObject({ id: seen[0], direction: 'sending', total: 400_000 });
  expect(moving?.bytesPerSecond).toBeGreaterThan(80_000);
  expect(moving?.bytesPerSecond).toBeLessThan(120_000);
  expect(moving?.secondsLeft).toBeGreaterThan(1);
  expect(shown.length).toBeLessThanOrEqual(9);
  const { revision } = rig.slice();
  await rig.pass(2_100);
  expect(rig.slice().revision).toBe(revision);
  go();
  await rig.pass(300);
  expect(rig.slice().moving).toEqual([]);
  expect(rig.state(seen[0] ?? '')).toBe('sent');
});

it('sends the deployment’s fields and the incident', async () => {
  const rig = await createOutboxRig({
    upload: uploadPlan({
      path: '/ipfs',
      field: 'data',
      fields: { b: '1', a: '2' },
      incidentField: 'incident',
    }),
  });
  const id = await rig.add('a', 'x', 'INC-7');
  await rig.settle();
  expect(rig.item(id).incidentId).toBe('INC-7');
  const names = [...(rig.service.calls[0]?.body ?? '').matchAll(/ name="([^"]+)"/g)].map(([, name]) => name);
  expect(names).toEqual(['b', 'a', 'incident', 'data']);
});

it('what is larger than the rest of the hour waits, and says so, until the next hour or the operator', async () => {
  const rig = await createOutboxRig();
  const limit = { used: 90, bytes: 100, until: 0, state: 'within' } as const;
  rig.store.patch('line', { limit });
  const large = await rig.add('large', 'x'.repeat(11));
  const small = await rig.add('small', 'x'.repeat(10));
  await rig.pass(60_000);
  expect([rig.state(large), rig.state(small)]).toEqual(['queued', 'sent']);
  expect(said(rig.item(large).why)).toBe('The data left in this hour is too little for this file.');
  rig.store.patch('line', { limit: { ...limit, used: 120, state: 'exceeded' } });
  rig.outbox.review();
  await rig.settle();
  expect(rig.state(large)).toBe('sent');
});
