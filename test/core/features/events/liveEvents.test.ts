import { afterEach, describe, expect, it } from 'vitest';
import { createEventRig, heartbeatMs, type EventRig } from './eventRig.ts';

const rigs: EventRig[] = [];
afterEach(async () => {
  for (const er of rigs.splice(0)) await er.close();
});

async function open(options: Parameters<typeof createEventRig>[0] = {}): Promise<EventRig> {
  const er = await createEventRig(options);
  rigs.push(er);
  return er;
}

/** A rig whose stream is open. */
async function listening(): Promise<EventRig> {
  const er = await open();
  await er.live.start();
  await er.until(() => er.state().state === 'open', 'an open stream');
  return er;
}

const received = (er: EventRig, count: number): Promise<void> =>
  er.until(() => er.state().received >= count, `${String(count)} events`);

describe('listening', () => {
  it('stays off where the deployment names no stream', async () => {
    const er = await open({ path: null });
    await er.live.start();
    await er.pass(5_000);
    expect(er.asked).toHaveLength(0);
    expect(er.state().state).toBe('off');
  });

  it('asks for an event stream with the session’s token and lists what comes, the latest first', async () => {
    const er = await listening();
    const headers = er.asked[0]?.seen.headers ?? {};
    expect(headers['accept']).toBe('text/event-stream');
    expect(headers['authorization']).toMatch(/^Bearer token-/);
    expect(headers['last-event-id']).toBeUndefined();
    er.send('data: one\n\nevent: never.heard.of\ndata: {"a":1}\n\n');
    await received(er, 2);
    await er.pass(400);
    const { recent, failure, dropped } = er.state();
    expect(recent.map(({ number, kind, text }) => ({ number, kind, text }))).toEqual([
      { number: 2, kind: 'never.heard.of', text: '{"a":1}' },
      { number: 1, kind: 'message', text: 'one' },
    ]);
    expect({ failure, dropped }).toEqual({ failure: null, dropped: 0 });
    expect(JSON.stringify(er.state())).not.toContain('token-');
  });

  it('passes on what events are about, and shows only incidents that are known', async () => {
    const er = await listening();
    er.send('event: x\ndata: {"who":{"ref":"INC-2"}}\n\n');
    er.send('event: x\ndata: {"incident_id":"INC-9"}\n\n');
    er.send('event: mission.pending\ndata: {"id":"M-1"}\n\n');
    er.send('event: evidence.added\ndata: {}\n\n');
    er.send('event: permission.changed\ndata: {"id":"P-1"}\n\n');
    await received(er, 5);
    await er.pass(400);
    expect(er.incidents).toEqual(['INC-2', 'INC-9']);
    expect(er.missions.map(({ id, event }) => [id, event.kind])).toEqual([['M-1', 'mission.pending']]);
    expect(er.evidence).toHaveLength(1);
    expect(er.state().recent.map(({ incidentId }) => incidentId)).toEqual([null, null, null, null, 'INC-2']);
  });

  it('tells of the same incident once at first and once more after the last of many', async () => {
    const er = await listening();
    er.send('data: {"incident_id":"INC-1"}\n\n'.repeat(500));
    await received(er, 500);
    await er.pass(500);
    expect(er.incidents.length).toBeGreaterThanOrEqual(2);
    expect(er.incidents.length).toBeLessThan(20);
  });

  it('forgets all at its stop and begins again', async () => {
    const er = await listening();
    er.send('id: 7\ndata: one\n\n');
    await received(er, 1);
    await er.live.stop();
    expect(er.state()).toMatchObject({ state: 'off', received: 0, recent: [], since: null });
    await er.until(() => er.streams[0]?.destroyed === true, 'the end of the connection');
    await er.pass(120_000);
    expect(er.asked).toHaveLength(1);
    await er.live.start();
    await er.until(() => er.asked.length === 2, 'another request');
    expect(er.asked[1]?.seen.headers['last-event-id']).toBeUndefined();
  });
});

describe('a stream that ends', () => {
  it('is closed while the hour’s data is used up, and is not called live', async () => {
    const er = await listening();
    const limit = { used: 2, bytes: 1, until: 0, state: 'used-up' } as const;
    er.store.patch('line', { limit });
    er.live.review();
    await er.pass(600_000);
    expect([er.state().state, er.asked.length]).toEqual(['waiting', 1]);
    er.store.patch('line', { limit: { ...limit, state: 'exceeded' } });
    er.live.review();
    await er.until(() => er.state().state === 'open', 'the stream again');
    expect(er.asked).toHaveLength(2);
  });

  it('is opened again from the last event’s id on, sent as UTF-8', async () => {
    const er = await listening();
    er.send('id: né-7\ndata: one\n\nid: not ended\ndata: two\n');
    await received(er, 1);
    er.streams[0]?.end();
    await er.until(() => er.asked.length === 2, 'another request');
    const sent = er.asked[1]?.seen.headers['last-event-id'] ?? '';
    expect(Buffer.from(String(sent), 'latin1').toString('utf8')).toBe('né-7');
    expect(er.state().received).toBe(1);
  });

  it('keeps the id before one that no header could carry', async () => {
    const er = await listening();
    er.send(`id: good\ndata: 1\n\nid: b\u0001d\ndata: 2\n\nid: ${'x'.repeat(2000)}\ndata: 3\n\n`);
    await received(er, 3);
    er.streams[0]?.end();
    await er.until(() => er.asked.length === 2, 'another request');
    expect(er.asked[1]?.seen.headers['last-event-id']).toBe('good');
  });

  it('waits as long as the service asks, within bounds, also when that line was the last', async () => {
    for (const [asks, least, most] of [
      ['retry: 5000\n', 5_000, 10_500],
      ['retry: 1\n\n', 1_000, 2_500],
      ['retry: 99999999999\n\n', 60_000, 60_500],
    ] as const) {
      const er = await listening();
      const begun = er.clock.elapsed();
      er.send(asks);
      er.streams[0]?.end();
      await er.until(() => er.state().state === 'waiting', 'the end of the stream');
      const { until } = er.state();
      const waits = (until ?? 0) - er.rig.serverTime.serverNow();
      expect(waits, asks).toBeLessThanOrEqual(most);
      await er.until(() => er.asked.length === 2, 'another request', 500);
      const waited = (er.asked[1]?.at ?? 0) - begun;
      expect(waited, asks).toBeGreaterThanOrEqual(least);
    }
  });

  it('is opened again less and less often, to a minute, and soon again once one has lasted', async () => {
    const er = await open();
    er.status = 500;
    await er.live.start();
    for (let minute = 0; minute < 10; minute += 1) await er.pass(60_000);
    const times = er.asked.map(({ at }) => at);
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(er.state()).toMatchObject({ state: 'waiting', failure: { code: 'service-error' } });
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000);
    expect(Math.max(...gaps)).toBeGreaterThan(10_000);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(70_000);
    er.status = null;
    await er.until(() => er.state().state === 'open', 'an open stream', 500);
    expect(er.state().failure).toBeNull();
    await er.pass(40_000);
    const asked = er.asked.length;
    er.streams[0]?.destroy();
    await er.until(() => er.state().state === 'waiting', 'the end of the stream');
    expect(er.state().failure?.code).toBe('unreachable');
    const ended = er.clock.elapsed();
    await er.until(() => er.asked.length > asked, 'another request');
    expect((er.asked.at(-1)?.at ?? 0) - ended).toBeLessThanOrEqual(2_100);
  });

  it('is not asked for before the time that a 429 names, whatever hastens it', async () => {
    const er = await open();
    er.status = 429;
    er.headers = { 'retry-after': '120' };
    await er.live.start();
    await er.until(() => er.state().state === 'waiting', 'the refusal');
    for (let time = 0; time < 11; time += 1) {
      er.live.connectionReturned();
      er.live.wake();
      er.live.review();
      await er.pass(10_000);
    }
    expect(er.asked).toHaveLength(1);
    await er.pass(20_000);
    expect(er.asked.length).toBeGreaterThan(1);
  });

  it('is asked for soon when the connection is back, and not at once', async () => {
    const er = await open();
    er.status = 500;
    await er.live.start();
    await er.pass(200_000);
    const before = er.asked.length;
    er.status = null;
    const at = er.clock.elapsed();
    if (er.state().state !== 'waiting') throw new Error('It does not wait');
    er.live.connectionReturned();
    await er.until(() => er.asked.length > before, 'another request');
    expect((er.asked.at(-1)?.at ?? 0) - at).toBeLessThanOrEqual(2_100);
  });
});

describe('a stream that falls silent', () => {
  it('is closed and opened again after the time for a sign of life; a comment is one', async () => {
    const er = await listening();
    for (let beat = 0; beat < 4; beat += 1) {
      await er.pass(heartbeatMs * 0.8);
      er.send(':\n');
      await er.pass(100);
    }
    expect(er.asked).toHaveLength(1);
    await er.pass(heartbeatMs * 0.9);
    expect(er.state().state).toBe('open');
    await er.pass(heartbeatMs * 0.2);
    expect(er.streams[0]?.destroyed).toBe(true);
    await er.until(() => er.asked.length === 2, 'another request');
  });

  it('says so while it waits', async () => {
    const er = await listening();
    er.status = 503;
    await er.until(() => er.state().state === 'waiting', 'the end of the stream', 500);
    expect(er.state().failure).toMatchObject({ code: 'timed-out' });
    expect(er.state().until).not.toBeNull();
  });

  it('is opened again after a sleep', async () => {
    const er = await listening();
    er.clock.suspend(3_600_000);
    er.live.wake();
    await er.until(() => er.asked.length === 2, 'another request');
    await er.until(() => er.state().state === 'open', 'an open stream');
  });
});

describe('what ends the tries', () => {
  it('waits after a 403 for another token', async () => {
    const er = await open();
    er.status = 403;
    await er.live.start();
    await er.until(() => er.state().failure !== null, 'the refusal');
    expect(er.state()).toMatchObject({ state: 'waiting', until: null, failure: { code: 'not-granted' } });
    for (let round = 0; round < 5; round += 1) {
      await er.pass(60_000);
      er.live.review();
      er.live.connectionReturned();
      er.live.wake();
    }
    expect(er.asked).toHaveLength(1);
    er.status = null;
    er.store.patch('session', { session: { state: 'active', expiresAt: 2 } });
    await er.rig.link.session.signIn('operator', 'correct horse');
    er.live.review();
    await er.until(() => er.state().state === 'open', 'an open stream');
  });

  it('ends with a 404 until the next sign-in', async () => {
    const er = await open();
    er.status = 404;
    await er.live.start();
    await er.until(() => er.state().failure !== null, 'the answer');
    expect(er.state()).toMatchObject({ state: 'off', failure: { code: 'not-found' } });
    await er.pass(300_000);
    er.live.review();
    er.live.connectionReturned();
    await er.pass(1_000);
    expect(er.asked).toHaveLength(1);
    er.status = null;
    await er.live.stop();
    await er.live.start();
    await er.until(() => er.state().state === 'open', 'an open stream');
  });

  it('takes a 204 for the wish to be left alone, and says it', async () => {
    const er = await open();
    er.status = 204;
    await er.live.start();
    await er.until(() => er.state().failure !== null, 'the answer');
    expect(er.state()).toMatchObject({ state: 'off', failure: { status: 204 } });
    await er.pass(300_000);
    er.live.review();
    expect(er.asked).toHaveLength(1);
  });

  it('takes an answer of another kind for something else’s, and comes back later', async () => {
    const er = await open();
    er.headers = { 'content-type': 'text/html' };
    await er.live.start();
    await er.until(() => er.state().failure !== null, 'the answer');
    expect(er.state()).toMatchObject({ state: 'waiting', failure: { code: 'answered-by-something-else' } });
    await er.until(() => er.streams[0]?.destroyed === true, 'the end of the connection');
    er.headers = {};
    await er.until(() => er.state().state === 'open', 'an open stream');
    expect(er.asked.length).toBeGreaterThan(1);
  });

  it('tries nothing unless requests can be signed', async () => {
    const er = await open();
    er.session = 'waiting';
    await er.live.start();
    await er.pass(10_000);
    expect(er.state()).toMatchObject({ state: 'waiting', until: null, failure: null });
    er.session = 'live';
    er.live.review();
    await er.until(() => er.state().state === 'open', 'an open stream');
    // A renewal that takes its time does not cost the stream that is there.
    er.session = 'waiting';
    er.live.review();
    er.send('data: 1\n\n');
    await received(er, 1);
    er.session = 'ended';
    er.live.review();
    await er.pass(1_000);
    expect(er.state()).toMatchObject({ state: 'off', failure: null, until: null });
    await er.until(() => er.streams[0]?.destroyed === true, 'the end of the connection');
    await er.pass(100_000);
    expect(er.asked).toHaveLength(1);
  });
});
