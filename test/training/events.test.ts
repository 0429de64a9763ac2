import { createParser } from 'eventsource-parser';
import { afterEach, describe, expect, test } from 'vitest';
import { flush, until } from '../support/clock.ts';
import { scene, type Scene } from './support.ts';

interface Heard {
  readonly id: string | undefined;
  readonly kind: string | undefined;
  readonly data: string;
}

interface Listener {
  readonly response: Response;
  readonly events: Heard[];
  readonly comments: string[];
  bytes(): number;
  /** Whether the stream is over, either way. */
  over(): boolean;
  close(): void;
}

const listeners = new Set<Listener>();
afterEach(() => {
  for (const listener of listeners) listener.close();
  listeners.clear();
});

async function listen({ coordinate }: Scene, lastEventId?: string): Promise<Listener> {
  const giveUp = new AbortController();
  const response = await coordinate('/events', {
    headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
    signal: giveUp.signal,
  });
  const events: Heard[] = [];
  const comments: string[] = [];
  const parser = createParser({
    onEvent: ({ id, event, data }) => events.push({ id, kind: event, data }),
    onComment: (comment) => comments.push(comment),
  });
  let bytes = 0;
  let over = false;
  const read = async (): Promise<void> => {
    const text = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength;
      parser.feed(text.decode(chunk, { stream: true }));
    }
  };
  read().then(
    () => (over = true),
    () => (over = true),
  );
  const listener: Listener = {
    response,
    events,
    comments,
    bytes: () => bytes,
    over: () => over,
    close: () => giveUp.abort(),
  };
  listeners.add(listener);
  return listener;
}

const kinds = ({ events }: Listener): (string | undefined)[] => events.map(({ kind }) => kind);

describe('a stream', () => {
  test('has the head of every answer, is counted once, and is not held', async () => {
    const it = await scene();
    it.server.resetCounts();
    const { response } = await listen(it);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect(response.headers.get('x-request-id')).toMatch(/^trn-/);
    expect(response.headers.get('date')).toBe(new Date(it.clock.wallNow()).toUTCString());
    expect(response.headers.get('content-length')).toBeNull();
    expect(it.server.counts).toMatchObject({
      requests: { 'GET /events': 1 },
      byStatus: { '200': 1 },
    });
    expect([it.server.held, it.server.eventStreams]).toEqual([0, 1]);
  });

  test('needs a token, and goes with a revoked account', async () => {
    const it = await scene();
    const open = await listen(it);
    it.server.revokeTokens();
    expect((await listen(it)).response.status).toBe(401);
    expect(open.over()).toBe(false);
    await it.server.set({ accountRevoked: true });
    await until(open.over, 'the end');
  });

  test('tells what happens, with ids that count up', async () => {
    const it = await scene();
    const listener = await listen(it);
    const incident = it.server.addIncident({ severity: 'high' });
    it.server.changeIncident(incident.id, { status: 'resolved' });
    it.server.addEvidence({ incident_id: incident.id, cid: 'c1' });
    const missionId = it.server.addMission({ name: 'Search' });
    await it.coordinate('/admin/missions/approve', {
      method: 'POST',
      body: JSON.stringify({ mission_id: missionId }),
    });
    await until(() => listener.events.length >= 6, 'six events');
    expect(listener.events.map(({ kind, data }) => [kind, JSON.parse(data)])).toMatchObject([
      ['incident.created', { incident_id: incident.id, severity: 'high' }],
      ['incident.changed', { incident_id: incident.id, status: 'resolved' }],
      ['incident.changed', { incident_id: incident.id }],
      ['evidence.added', { incident_id: incident.id, cid: 'c1' }],
      ['mission.pending', { mission_id: missionId, name: 'Search' }],
      ['mission.decided', { mission_id: missionId, state: 'approved' }],
    ]);
    const ids = listener.events.map(({ id }) => Number(id));
    expect(ids).toEqual(ids.map((_, index) => (ids[0] ?? NaN) + index));
  });

  test('sends what a test says, to everybody', async () => {
    const it = await scene();
    const both = [await listen(it), await listen(it)];
    it.server.emitEvent({ data: 'one\ntwo\r\nthree' });
    it.server.emitEvent({ kind: 'odd.kind', data: { a: [1] }, id: 'my id' });
    for (const listener of both) {
      await until(() => listener.events.length === 2, 'both events');
      expect(listener.events).toMatchObject([
        { kind: undefined, data: 'one\ntwo\nthree' },
        { kind: 'odd.kind', data: '{"a":[1]}', id: 'my id' },
      ]);
    }
  });

  test('beats every 15 seconds', async () => {
    const it = await scene();
    const listener = await listen(it);
    for (const beats of [1, 2]) {
      it.clock.advance(14_999);
      await flush();
      expect(listener.comments).toHaveLength(beats - 1);
      it.clock.advance(1);
      await until(() => listener.comments.length === beats, 'a beat');
    }
    expect(listener.events).toEqual([]);
  });

  test('tells unknown kinds now and then while the script runs', async () => {
    const it = await scene({ switches: { arrivals: true } });
    const listener = await listen(it);
    for (let minutes = 0; minutes < 40; minutes += 1) it.clock.advance(60_000);
    await until(() => kinds(listener).some((kind) => kind?.startsWith('fleet.')), 'news');
    await until(() => kinds(listener).includes('incident.created'), 'an incident');
    await until(() => kinds(listener).includes('mission.pending'), 'a mission');
  });
});

describe('after a break', () => {
  test('what was missed comes first, then what comes', async () => {
    const it = await scene();
    const first = await listen(it);
    it.server.emitEvent({ data: '1' });
    it.server.emitEvent({ data: '2', id: 'named' });
    await until(() => first.events.length === 2, 'both events');
    first.close();
    await until(() => it.server.eventStreams === 0, 'the end');
    it.server.emitEvent({ data: '3' });
    it.server.emitEvent({ data: '4' });
    const again = await listen(it, first.events[1]?.id);
    await until(() => again.events.length === 2, 'the missed ones');
    it.server.emitEvent({ data: '5' });
    await until(() => again.events.length === 3, 'the next');
    expect(again.events.map(({ data }) => data)).toEqual(['3', '4', '5']);
    const one = await listen(it, first.events[0]?.id);
    await until(() => one.events.length === 4, 'all since the first');
  });

  test('the last thousand are kept', async () => {
    const it = await scene();
    it.server.emitEvent({ data: 'first' });
    for (let count = 0; count < 2_500; count += 1) it.server.emitEvent({ data: String(count) });
    const listener = await listen(it, '1');
    await until(() => listener.events.length >= 1_000, 'a thousand');
    it.server.emitEvent({ data: 'next' });
    await until(() => listener.events.at(-1)?.data === 'next', 'the next');
    expect(listener.events.map(({ data }) => data)).toEqual([
      ...Array.from({ length: 1_000 }, (_, index) => String(1_500 + index)),
      'next',
    ]);
  });

  test.each([undefined, 'never heard of', '99999999'])(
    'without a known id (%s) nothing is repeated',
    async (id) => {
      const it = await scene();
      it.server.emitEvent({ data: '1' });
      const listener = await listen(it, id);
      it.server.emitEvent({ data: '2' });
      await until(() => listener.events.length > 0, 'the next');
      expect(listener.events.map(({ data }) => data)).toEqual(['2']);
    },
  );

  test('events go on while the service is down', async () => {
    const it = await scene();
    it.server.emitEvent({ data: '1' });
    const listener = await listen(it, '0');
    await until(() => listener.events.length === 1, 'the event');
    await it.server.goDown();
    await until(listener.over, 'the end');
    it.server.emitEvent({ data: '2' });
    await it.server.comeUp();
    await it.login();
    const again = await listen(it, '1');
    await until(() => again.events.length === 1, 'the missed one');
    expect(again.events[0]?.data).toBe('2');
  });
});

describe('switched behaviour', () => {
  test('silent: nothing after the head, and all of it later', async () => {
    const it = await scene({ switches: { eventStream: 'silent' } });
    const listener = await listen(it);
    it.server.emitEvent({ data: '1' });
    it.clock.advance(60_000);
    await flush();
    expect([listener.response.status, listener.bytes(), listener.over()]).toEqual([200, 0, false]);
    await it.server.set({ eventStream: 'steady' });
    await until(() => listener.events.length === 1, 'what was missed');
  });

  test('slow: one byte a second, whether something happens or not; then the rest at once', async () => {
    const it = await scene({ switches: { eventStream: 'slow' } });
    const listener = await listen(it);
    for (let second = 1; second <= 10; second += 1) {
      it.clock.advance(1_000);
      await until(() => listener.bytes() === second, 'a byte');
    }
    it.server.emitEvent({ data: 'x'.repeat(30) });
    it.server.emitEvent({ data: 'second' });
    it.clock.advance(30_000);
    await until(() => listener.bytes() === 40, '30 bytes');
    await flush();
    expect([listener.bytes(), listener.events]).toEqual([40, []]);
    await it.server.set({ eventStream: 'silent' });
    it.clock.advance(60_000);
    await it.server.set({ eventStream: 'steady' });
    await until(() => listener.events.length === 2, 'the rest');
    expect(listener.events.map(({ data }) => data)).toEqual(['x'.repeat(30), 'second']);
  });

  test('garbage: malformed frames among good ones, which stay whole and keep their ids', async () => {
    const it = await scene({ switches: { eventStream: 'garbage' } });
    const listener = await listen(it);
    for (let count = 0; count < 20; count += 1) it.server.emitEvent({ kind: 'good', data: { count } });
    await until(() => kinds(listener).filter((kind) => kind === 'good').length === 20, 'the good ones');
    const good = listener.events.filter(({ kind }) => kind === 'good');
    expect(good.map(({ data }) => JSON.parse(data) as unknown)).toEqual(
      Array.from({ length: 20 }, (_, count) => ({ count })),
    );
    expect(listener.events.length).toBeGreaterThan(25);
    const own = new Set(good.map(({ id }) => id));
    expect(listener.events.every(({ id }) => id === undefined || own.has(id))).toBe(true);
  });

  test('ends: after each event; a client that comes back misses none', async () => {
    const it = await scene({ switches: { eventStream: 'ends' } });
    let last: string | undefined;
    const heard: string[] = [];
    let listener = await listen(it);
    for (const data of ['1', '2', '3']) it.server.emitEvent({ data });
    while (heard.length < 3) {
      await until(listener.over, 'the end');
      expect(listener.events).toHaveLength(1);
      heard.push(...listener.events.map(({ data }) => data));
      last = listener.events[0]?.id;
      listener = await listen(it, last);
    }
    expect(heard).toEqual(['1', '2', '3']);
    await flush();
    expect(listener.over()).toBe(false);
  });

  test('refused: 503, and open streams end', async () => {
    const it = await scene();
    const open = await listen(it);
    await it.server.set({ eventStream: 'refused' });
    await until(open.over, 'the end');
    expect((await listen(it)).response.status).toBe(503);
    expect(it.server.eventStreams).toBe(0);
    expect((await it.coordinate('/admin/missions/pending')).status).toBe(200);
  });
});

describe('a stream ends', () => {
  test('with its connection, with the service, and with its client; no timer stays', async () => {
    const it = await scene();
    const timers = it.clock.waiting;
    const cut = await listen(it);
    await it.server.cutConnections();
    await until(cut.over, 'the end of the one that was cut');
    const gone = await listen(it);
    expect(it.clock.waiting).toBe(timers + 1);
    gone.close();
    await until(() => it.server.eventStreams === 0, 'the end of the one that left');
    await it.server.set({ eventStream: 'slow' });
    const last = await listen(it);
    await it.server.close();
    await until(last.over, 'the end of the last');
    expect([it.server.eventStreams, it.clock.waiting]).toEqual([0, timers]);
  });

  test('never, on a connection that is stranded: it is open and dead', async () => {
    const it = await scene();
    const old = await listen(it);
    it.server.strandConnections();
    it.server.emitEvent({ data: '1' });
    it.clock.advance(60_000);
    const fresh = await listen(it, '0');
    await until(() => fresh.events.length === 1, 'the event on a new connection');
    expect([old.bytes(), old.over(), it.server.eventStreams]).toEqual([0, false, 2]);
    old.close();
    await until(() => it.server.eventStreams === 1, 'its end');
  });
});

test.each(['reset', 'answer-lost', 'cut-request'] as const)(
  '%s cuts the request for a stream',
  async (fault) => {
    const it = await scene();
    it.server.failNext(1, fault, '/events');
    await expect(listen(it)).rejects.toThrow();
    expect(it.server.eventStreams).toBe(0);
  },
);

test.each(['captive-portal', 'garbage', 'wrong-types'] as const)('%s is no stream', async (fault) => {
  const it = await scene();
  it.server.failNext(1, fault, '/events');
  const { response } = await listen(it);
  expect(response.headers.get('content-type')).not.toBe('text/event-stream');
  expect(it.server.eventStreams).toBe(0);
});

test('a burst of 100,000 events reaches a client that reads', async () => {
  const it = await scene();
  const listener = await listen(it);
  for (let count = 0; count < 100_000; count += 1) {
    it.server.emitEvent({ data: String(count) });
    if (count % 1_000 === 999) await new Promise((resolve) => setImmediate(resolve));
  }
  await until(() => listener.events.length === 100_000, 'all of them');
  expect(listener.events.at(-1)?.data).toBe('99999');
});

describe('drones', () => {
  interface Telemetry {
    readonly drone_id: string;
    readonly mission_id?: string;
    readonly incident_id: string;
    readonly telemetry: {
      readonly latitude: number;
      readonly longitude: number;
      readonly altitude: number;
      readonly heading: number;
    };
  }
  const positions = ({ events }: Listener): Telemetry[] =>
    events.filter(({ kind }) => kind === 'fleet.telemetry').map(({ data }) => JSON.parse(data) as Telemetry);

  test('do not fly unless they are asked for, and stop', async () => {
    const it = await scene();
    const listener = await listen(it);
    await it.server.set({ drones: 'some' });
    await until(() => positions(listener).length === 8, 'eight drones');
    await it.server.set({ drones: 'none' });
    it.clock.advance(60_000);
    it.server.emitEvent({ kind: 'last', data: '' });
    await until(() => listener.events.some(({ kind }) => kind === 'last'), 'the last event');
    expect(positions(listener)).toHaveLength(8);
  });

  test('fly over the ground, also around an earthquake deep below it', async () => {
    const it = await scene();
    it.server.addIncident({ status: 'open', location: { latitude: 1, longitude: 2, altitude: -30_000 } });
    const listener = await listen(it);
    await it.server.set({ drones: 'some' });
    await until(() => positions(listener).length === 8, 'eight drones');
    const altitudes = positions(listener).map(({ telemetry }) => telemetry.altitude);
    expect(Math.min(...altitudes)).toBeGreaterThan(0);
  });

  test('fly around incidents, forwards, and are those that missions and evidence name', async () => {
    const it = await scene({ exercise: true });
    const listener = await listen(it);
    await it.server.set({ drones: 'some' });
    it.clock.advance(2_000);
    await until(() => positions(listener).length === 16, 'two rounds');
    const all = positions(listener);
    const missions = it.server.missions();
    const collectors = new Set(it.server.evidence().map((row) => row['collected_by']));
    expect(all.filter(({ mission_id: id }) => id !== undefined).length).toBeGreaterThan(0);
    expect(all.some(({ drone_id }) => collectors.has(drone_id))).toBe(true);
    for (const [index, first] of all.slice(0, 8).entries()) {
      const then = all[index + 8];
      if (then === undefined) throw new Error('There are two rounds');
      expect(then.drone_id).toBe(first.drone_id);
      if (first.mission_id !== undefined)
        expect(missions.get(first.mission_id)?.['drone']).toBe(first.drone_id);
      const around = it.server.incidents().get(first.incident_id)?.location;
      const north = then.telemetry.latitude - first.telemetry.latitude;
      const east = (then.telemetry.longitude - first.telemetry.longitude) * Math.cos((north * Math.PI) / 180);
      expect(Math.abs(first.telemetry.latitude - (around?.latitude ?? NaN))).toBeLessThan(0.02);
      const way = Math.hypot(north, east) * 111_320;
      expect(way).toBeGreaterThan(2);
      expect(way).toBeLessThan(150);
    }
  });

  test('are a thousand where many are asked for, and one of some falls silent', async () => {
    const it = await scene();
    const listener = await listen(it);
    await it.server.set({ drones: 'many' });
    await until(() => positions(listener).length === 1_000, 'a thousand drones');
    expect(new Set(positions(listener).map(({ drone_id }) => drone_id)).size).toBe(1_000);
    await it.server.set({ drones: 'some' });
    await until(() => positions(listener).length === 1_008, 'eight drones');
    it.clock.advance(241_000);
    it.server.emitEvent({ kind: 'mark', data: '' });
    await until(() => listener.events.at(-1)?.kind === 'mark', 'what came before');
    const before = positions(listener).length;
    it.clock.advance(2_000);
    await until(() => positions(listener).length === before + 7, 'a round of seven');
    const round = positions(listener)
      .slice(before)
      .map(({ drone_id }) => drone_id);
    const last = positions(listener).slice(1_000, 1_008).at(-1)?.drone_id;
    expect(new Set(round).size).toBe(7);
    expect(round).not.toContain(last);
  });
});
