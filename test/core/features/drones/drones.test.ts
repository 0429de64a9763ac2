import { describe, expect, it } from 'vitest';
import { dronesAtStart } from '../../../../src-main/core/features/drones/index.ts';
import { mostDrones, trailPoints } from '../../../../src-preload/contract/index.ts';
import { createDroneRig, type DroneRig } from './droneRig.ts';

const second = 1_000;

/** Reads as a page does: until there is no more. */
function readAll(dr: DroneRig): Map<string, number> {
  const latitudes = new Map<string, number>();
  let since: number | null = null;
  for (;;) {
    const read = dr.read(since);
    read.ids.forEach((id, index) => latitudes.set(id, read.latitudes[index] ?? NaN));
    for (const id of read.gone) latitudes.delete(id);
    since = read.version;
    if (!read.more) return latitudes;
  }
}

describe('the drones', () => {
  it('are read by a page in columns: all at first, then what changed', () => {
    const dr = createDroneRig();
    dr.take('d-1', { altitude: 120, heading: 90, speed: 8, mission_id: 'M-1' });
    dr.take('d-2', { latitude: -10, incident_id: 'INC-1' });
    const all = dr.read(null);
    expect(all).toMatchObject({
      complete: true,
      more: false,
      ids: ['d-1', 'd-2'],
      latitudes: [48.2, -10],
      longitudes: [16.4, 16.4],
      altitudes: [120, null],
      headings: [90, null],
      speeds: [8, null],
      at: [dr.clock.wallNow(), dr.clock.wallNow()],
      missionIds: ['M-1', null],
      incidentIds: [null, 'INC-1'],
      trail: { drones: [0, 1], latitudes: [48.2, -10] },
      gone: [],
    });
    expect(dr.read(all.version)).toMatchObject({ complete: false, ids: [], trail: { drones: [] } });
    dr.take('d-1', { latitude: 48.3 });
    expect(dr.read(all.version)).toMatchObject({ ids: ['d-1'], latitudes: [48.3] });
  });

  it('write their slice five times a second at most, whatever comes', async () => {
    const dr = createDroneRig();
    await dr.clock.advance(second);
    const before = dr.writes;
    for (let step = 0; step < 100; step += 1) {
      for (let drone = 0; drone < 40; drone += 1) dr.take(`d-${String(drone)}`, { latitude: step / 10 });
      await dr.clock.advance(10);
    }
    expect(dr.state()).toMatchObject({ known: 40, received: 4_000 });
    expect(dr.writes - before).toBeLessThanOrEqual(6);
    expect(dr.writes - before).toBeGreaterThanOrEqual(4);
  });

  it('are silent after a minute and gone after ten, by the service’s time', async () => {
    const dr = createDroneRig();
    dr.take('d-1');
    dr.take('d-2');
    const { version } = dr.read(null);
    await dr.clock.advance(59 * second);
    dr.take('d-2');
    expect(dr.state()).toMatchObject({ known: 2, silent: 0 });
    await dr.clock.advance(2 * second);
    expect(dr.state()).toMatchObject({ known: 2, silent: 1 });
    await dr.clock.advance(540 * second);
    expect(dr.state()).toMatchObject({ known: 1, empty: null });
    expect(dr.read(version)).toMatchObject({ ids: ['d-2'], gone: ['d-1'] });
    await dr.clock.advance(60 * second);
    expect(dr.state()).toMatchObject({ known: 0, silent: 0, empty: 'none-left' });
    expect(dr.read(version).gone).toEqual(['d-1', 'd-2']);
  });

  it('come back as others than they were', async () => {
    const dr = createDroneRig();
    dr.take('d-1');
    const { version } = dr.read(null);
    await dr.clock.advance(601 * second);
    dr.take('d-1', { latitude: 48.4 });
    expect(dr.read(version)).toMatchObject({
      ids: ['d-1'],
      gone: [],
      trail: { latitudes: [48.4] },
    });
  });

  it('are forgotten beyond 5,000, those first that were heard of longest ago', () => {
    const dr = createDroneRig();
    for (let drone = 0; drone < mostDrones; drone += 1) dr.take(`d-${String(drone)}`);
    dr.take('d-0');
    const { version } = dr.read(null);
    for (let drone = 0; drone < 3; drone += 1) dr.take(`new-${String(drone)}`);
    dr.drones.read(version);
    const known = readAll(dr);
    expect(known.size).toBe(mostDrones);
    expect(['d-0', 'd-1', 'd-2', 'd-3', 'd-4'].map((id) => known.has(id))).toEqual([
      true,
      false,
      false,
      false,
      true,
    ]);
  });

  it('are read in parts of a thousand, and none is left out', () => {
    const dr = createDroneRig();
    for (let drone = 0; drone < 2_500; drone += 1) dr.take(`d-${String(drone)}`, { latitude: drone / 100 });
    const first = dr.read(null);
    expect(first).toMatchObject({ complete: true, more: true });
    expect(first.ids).toHaveLength(1_000);
    expect(dr.read(first.version)).toMatchObject({ complete: false, more: true });
    expect(readAll(dr).size).toBe(2_500);
  });

  it('are all read again by a page that has read another operator’s, or too long ago', () => {
    const dr = createDroneRig({ versions: { used: 100 } });
    dr.take('d-1');
    expect(dr.read(40).complete).toBe(true);
    expect(dr.read(5_000).complete).toBe(true);
    const { version } = dr.read(null);
    expect(version).toBeGreaterThan(100);
    for (let drone = 0; drone < mostDrones + 2_500; drone += 1) dr.take(`d-${String(drone)}`);
    expect(dr.read(version).complete).toBe(true);
  });

  it('leave with the account, and their versions go on', async () => {
    const versions = { used: 0 };
    const dr = createDroneRig({ versions });
    dr.take('d-1');
    const { version } = dr.read(null);
    await dr.scope[Symbol.asyncDispose]();
    expect(dr.store.slice('drones')).toEqual(dronesAtStart);
    expect(versions.used).toBeGreaterThan(version);
    await dr.clock.advance(3_600 * second);
    expect(dr.store.slice('drones')).toEqual(dronesAtStart);
  });

  it('say why there are none', () => {
    expect(createDroneRig({ rule: 'off' }).state()).toMatchObject({ source: 'off', empty: 'off' });
    expect(createDroneRig({ hasStream: false }).state()).toMatchObject({
      source: 'auto',
      empty: 'no-stream',
    });
    const dr = createDroneRig({ rule: { id: 'a', latitude: 'b', longitude: 'c' } });
    expect(dr.state()).toMatchObject({ source: 'fields', empty: 'none-yet' });
    dr.store.patch('events', { state: 'waiting' });
    expect(dr.state().empty).toBe('stream-away');
    dr.store.patch('events', { state: 'off' });
    expect(dr.state().empty).toBe('stream-away');
    const sentence = { text: 'There is no such path.' };
    const failure = {
      code: 'not-found',
      sentence,
      remedy: null,
      status: 404,
      requestId: null,
      words: null,
      at: 0,
      retryAt: null,
    } as const;
    dr.store.patch('events', { failure });
    expect(dr.state().empty).toBe('no-stream');
  });

  it('take no position of a time that is not now, and keep the latest of those that were overtaken', async () => {
    const dr = createDroneRig({
      rule: { id: 'drone_id', latitude: 'latitude', longitude: 'longitude', at: 'at' },
    });
    await dr.clock.advance(3_600 * second);
    const now = dr.clock.wallNow();
    expect(dr.take('d-1', { at: new Date(now - 601 * second).toISOString() })).toBeNull();
    expect(dr.take('d-1', { at: new Date(now + 61 * second).toISOString() })).toBeNull();
    expect(dr.state().known).toBe(0);
    dr.take('d-1', { at: now - 10 * second, latitude: 1 });
    dr.take('d-1', { at: now - 20 * second, latitude: 2 });
    expect(dr.read(null)).toMatchObject({ latitudes: [1], at: [now - 10 * second] });
    // A clock of the drone's that is a little fast makes nothing newer than now.
    dr.take('d-1', { at: now + 30 * second, latitude: 3 });
    expect(dr.read(null)).toMatchObject({ latitudes: [3], at: [now] });
  });
});

describe('a position that is not of now', () => {
  const times = (at: number): readonly unknown[] => [
    new Date(at).toISOString(),
    new Date(at).toISOString().replace('Z', ''),
    at,
    at / second,
  ];

  it.each(['timestamp', 'time', 'at', 'captured_at', 'recordedAt', 'Timestamp', 'measured_at', 'ts'])(
    'is none where %s says so',
    async (name) => {
      const dr = createDroneRig();
      await dr.clock.advance(3_600 * second);
      const now = dr.clock.wallNow();
      for (const old of times(now - 3_600 * second)) expect(dr.take('d-1', { [name]: old })).toBeNull();
      for (const ahead of times(Date.UTC(2099, 0))) expect(dr.take('d-1', { [name]: ahead })).toBeNull();
      expect(dr.state().known).toBe(0);
      for (const recent of times(now - 20 * second))
        expect(dr.take('d-1', { [name]: recent })).not.toBeNull();
      expect(dr.read(null)).toMatchObject({ ids: ['d-1'], at: [now - 20 * second] });
    },
  );

  it('is one where a member of such a name is no time', () => {
    const dr = createDroneRig();
    dr.take('d-1', { time: 'soon', ts: 4_711, at: { x: 1 } });
    expect(dr.read(null).at).toEqual([dr.clock.wallNow()]);
  });

  it('goes by the time of the measurement before that of the event', () => {
    const dr = createDroneRig();
    const now = dr.clock.wallNow();
    expect(dr.take('d-1', { timestamp: now, captured_at: now - 3_600 * second })).toBeNull();
  });

  it('has its time beside the place or in it, and that in it is the more specific', () => {
    const dr = createDroneRig();
    const now = dr.clock.wallNow();
    const [old, place] = [now - 3_600 * second, { latitude: 48.2, longitude: 16.4 }];
    const nested = { latitude: undefined, timestamp: old };
    expect(dr.take('d-1', { ...nested, location: place })).toBeNull();
    expect(dr.take('d-1', { ...nested, location: { ...place, timestamp: now } })).not.toBeNull();
  });

  it('ends no silence, and a drone that was lost four minutes ago does not fly again', async () => {
    const dr = createDroneRig();
    const lost = dr.clock.wallNow();
    dr.take('d-1', { latitude: 1 });
    for (let left = 240; left > 0; left -= 5) {
      await dr.clock.advance(5 * second);
      dr.take('other');
    }
    expect(dr.silences.map(([, why]) => why)).toEqual(['silent']);
    for (let past = 0; past <= 10; past += 1)
      dr.take('d-1', { latitude: 2, timestamp: lost + past * second });
    await dr.clock.advance(second);
    expect(dr.silences.map(([, why]) => why)).toEqual(['silent']);
    expect(dr.state().silent).toBe(1);
    const { ids, at, latitudes } = dr.read(null);
    const row = ids.indexOf('d-1');
    expect([at[row], latitudes[row]]).toEqual([lost + 10 * second, 2]);
    dr.take('d-1', { latitude: 3, timestamp: dr.clock.wallNow() });
    expect(dr.silences.at(-1)?.[1]).toBe('reports');
  });

  it('moves nothing where it has no time and the stream was just opened again', async () => {
    const dr = createDroneRig();
    dr.take('d-1', { latitude: 1 });
    const before = dr.read(null);
    await dr.clock.advance(240 * second);
    dr.heard = { since: dr.clock.elapsed(), last: dr.clock.elapsed(), isAgain: true };
    expect(dr.take('d-1', { latitude: 2 })).toBe('position');
    expect(dr.take('d-1', { latitude: 2, state: 'landed' })).toBe('news');
    dr.take('d-2', { latitude: 2 });
    expect(dr.read(null)).toMatchObject({ ids: ['d-1'], latitudes: [1], at: before.at });
    dr.take('d-1', { latitude: 3, time: dr.clock.wallNow() });
    expect(dr.read(null)).toMatchObject({ ids: ['d-1'], latitudes: [3] });
    await dr.clock.advance(15 * second);
    dr.take('d-2', { latitude: 4 });
    expect(dr.read(null)).toMatchObject({ ids: ['d-1', 'd-2'], latitudes: [3, 4] });
  });
});

describe('a trail', () => {
  it('has a point each five seconds for ten minutes, and no more', async () => {
    const dr = createDroneRig();
    for (let past = 0; past <= 900; past += past < 60 ? 1 : 5) {
      dr.take('d-1', { latitude: past / 100 });
      if (past < 900) await dr.clock.advance((past < 60 ? 1 : 5) * second);
    }
    const { trail } = dr.read(null);
    expect(trail.at.length).toBeLessThanOrEqual(trailPoints);
    expect(trail.at.length).toBeGreaterThan(trailPoints - 3);
    const gaps = trail.at.slice(1).map((at, index) => at - (trail.at[index] ?? 0));
    expect(new Set(gaps)).toEqual(new Set([5 * second]));
    expect((trail.at.at(-1) ?? 0) - (trail.at[0] ?? 0)).toBeLessThanOrEqual(600 * second);
    expect(trail.latitudes.at(-1)).toBe(9);
  });

  it('has no points of a drone that stands still', async () => {
    const dr = createDroneRig();
    for (let step = 0; step < 20; step += 1) {
      dr.take('d-1');
      await dr.clock.advance(6 * second);
    }
    expect(dr.read(null).trail.at).toHaveLength(1);
  });

  it('gives a page only its new points', async () => {
    const dr = createDroneRig();
    dr.take('d-1', { latitude: 1 });
    const { version } = dr.read(null);
    await dr.clock.advance(5 * second);
    dr.take('d-1', { latitude: 2 });
    expect(dr.read(version).trail).toMatchObject({ drones: [0], latitudes: [2] });
  });
});

describe('an event that is a position', () => {
  it('is news where it says something else than the one before, beside numbers and times', () => {
    const dr = createDroneRig();
    const at = (seconds: number) => new Date(dr.clock.wallNow() - seconds * second).toISOString();
    expect(dr.take('d-1', { mission_id: 'M-1', time: at(2) })).toBe('news');
    expect(dr.take('d-1', { mission_id: 'M-1', time: at(1), latitude: 1 })).toBe('position');
    expect(dr.take('d-1', { mission_id: 'M-1', state: 'approved' })).toBe('news');
    expect(dr.take('d-1', { mission_id: 'M-1', state: 'approved' })).toBe('position');
    expect(dr.take('d-1', { mission_id: 'M-2', state: 'approved' })).toBe('news');
    expect(dr.take('d-1', { mission_id: 'M-2', state: 'approved' }, 'arrived')).toBe('news');
    expect(dr.take('d-1', { note: 'x'.repeat(2_000) })).toBe('news');
    expect(dr.take('d-1', { note: 'x'.repeat(2_000) })).toBe('news');
    expect(dr.take('d-1', { latitude: 91 })).toBeNull();
  });

  it('is shown in the details of its drone, with what names the drone', async () => {
    const dr = createDroneRig();
    dr.take('d-1', { battery: 71, mission_id: 'M-1' });
    const fields = [{ name: 'drone', json: '"d-1"' }];
    dr.store.patch('missions', {
      missions: [
        {
          id: 'M-7',
          source: 'list',
          seenAt: 0,
          requestedAt: null,
          state: 'pending',
          fields,
          notGranted: null,
          decided: null,
        },
      ],
    });
    expect(await dr.drones.detail('d-1')).toMatchObject({
      kind: 'telemetry',
      missionIds: ['M-1', 'M-7'],
      fields: expect.arrayContaining([{ name: 'battery', json: '71' }]),
    });
    expect(await dr.drones.detail('d-2')).toBeNull();
  });
});

describe('a drone that falls silent', () => {
  /** Lets time pass in which others are heard of every five seconds. */
  async function pass(dr: DroneRig, seconds: number): Promise<void> {
    for (let left = seconds; left > 0; left -= 5) {
      await dr.clock.advance(5 * second);
      dr.take('other');
    }
    await dr.clock.advance(second);
  }

  it('raises one alarm, and says when it reports again', async () => {
    const dr = createDroneRig();
    const since = dr.clock.wallNow();
    dr.take('d-1');
    await pass(dr, 55);
    expect(dr.silences).toEqual([]);
    await pass(dr, 60);
    expect(dr.silences).toEqual([[{ count: 1, id: 'd-1', since }, 'silent']]);
    dr.take('d-1');
    expect(dr.silences.at(-1)).toEqual([null, 'reports']);
  });

  it('is forgotten after ten minutes', async () => {
    const dr = createDroneRig();
    dr.take('d-1');
    await pass(dr, 620);
    expect(dr.silences.map(([, why]) => why)).toEqual(['silent', 'forgotten']);
    expect(dr.silences.at(-1)?.[0]).toBeNull();
  });

  it('is one telling with others that do', async () => {
    const dr = createDroneRig();
    for (let drone = 0; drone < 50; drone += 1) dr.take(`d-${String(drone)}`);
    await pass(dr, 70);
    expect(dr.silences).toHaveLength(1);
    expect(dr.silences[0]?.[0]?.count).toBe(50);
  });

  it('is not told of while nothing else comes: then the stream may be dead', async () => {
    const dr = createDroneRig();
    for (let drone = 0; drone < 1_000; drone += 1) dr.take(`d-${String(drone)}`);
    await dr.clock.advance(300 * second);
    expect(dr.state().silent).toBe(1_000);
    expect(dr.silences).toEqual([]);
  });

  it('is not told of while the stream is away, nor at once when it is back', async () => {
    const dr = createDroneRig();
    dr.take('d-1');
    dr.heard = null;
    await dr.clock.advance(200 * second);
    dr.heard = { since: dr.clock.elapsed(), last: dr.clock.elapsed(), isAgain: true };
    await pass(dr, 50);
    expect(dr.silences).toEqual([]);
    await pass(dr, 20);
    expect(dr.silences.map(([silence, why]) => [silence?.id, why])).toEqual([['d-1', 'silent']]);
  });
});
