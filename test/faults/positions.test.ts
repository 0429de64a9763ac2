import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { Scope } from '../../src-main/core/base/scope.ts';
import { Drones, type PositionRule } from '../../src-main/core/features/drones/index.ts';
import { payloadOf, subjectOf } from '../../src-main/core/features/events/eventSubject.ts';
import type { Seeded } from '../../src-main/training/seeded.ts';
import { dronesReadSchema, dronesSchema, mostDrones } from '../../src-preload/contract/index.ts';
import { createTestStore } from '../core/state/storeFixtures.ts';
import { campaignTimeoutMs, runCampaign } from '../support/campaign.ts';
import { createVirtualClock } from '../support/clock.ts';
import { createRecordingLogger } from '../support/ports.ts';
import { damage, drawJunk, drawText, jsonText } from './support/mutations.ts';

/** What the table may hold beside what the process holds anyway. */
const mostBytes = 96 * 1024 * 1024;
const rules: readonly [PositionRule, ...PositionRule[]] = [
  'auto',
  { id: 'drone.id', latitude: 'at.lat', longitude: 'at.lon', heading: 'at.course', at: 'time' },
];

const numbers = [0, -0, 90, 90.000001, -181, 1e308, -1e-308, '48.2', '', null, true, [], {}] as const;
const number = (draw: Seeded): unknown =>
  draw.below(6) === 0 ? draw.pick(numbers) : (draw.next() - 0.5) * draw.pick([1, 180, 180, 360]);
const names = [
  'drone_id',
  'droneId',
  'drone',
  'vehicle_id',
  'id',
  'id',
  '__proto__',
  'constructor',
  'toString',
] as const;
const id = (draw: Seeded): unknown =>
  draw.pick([
    `d-${String(draw.below(20_000))}`,
    draw.below(1e6),
    drawText(draw, 200),
    'x'.repeat(draw.below(400)),
    drawJunk(draw),
  ]);

/** Something like a position: whole, hurt, swapped, nested, or under names that objects have anyway. */
function drawPosition(draw: Seeded): unknown {
  const place = {
    latitude: number(draw),
    longitude: number(draw),
    heading: number(draw),
    speed: number(draw),
  };
  const drone = { [draw.pick(names)]: id(draw) };
  switch (draw.below(7)) {
    case 0:
      return { ...drone, ...place };
    case 1:
      return { ...drone, [draw.pick(['location', 'position', 'telemetry', '__proto__'])]: place };
    case 2:
      return {
        drone: { id: id(draw) },
        at: { lat: number(draw), lon: number(draw), course: number(draw) },
        time: number(draw),
      };
    case 3:
      return { ...drone, latitude: place.longitude, longitude: place.latitude };
    case 4:
      return [{ ...drone, ...place }];
    case 5:
      return { ...drone, ...place, more: 'x'.repeat(draw.below(20_000)) };
    default:
      return drawJunk(draw);
  }
}

/** Its text, at times damaged, very deep, or no JSON at all. */
function drawData(draw: Seeded): string {
  const deep = 1 + draw.below(5_000);
  switch (draw.below(8)) {
    case 0:
      return Buffer.from(damage(Buffer.from(jsonText(drawPosition(draw))), draw)).toString('utf8');
    case 1:
      return `{"drone_id":"d","location":${'{"location":'.repeat(deep)}1${'}'.repeat(deep)}}`;
    case 2:
      return `{"latitude":NaN,"longitude":-Infinity,"id":${drawText(draw, 200)}}`;
    default:
      return jsonText(drawPosition(draw));
  }
}

it(
  'of positions that are none, nothing crashes, nothing lies off the earth, and memory is bounded',
  async () => {
    const clock = createVirtualClock();
    const logger = createRecordingLogger();
    const scope = new Scope({ clock, logger });
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const open = (rule: PositionRule) => {
      const store = createTestStore();
      store.patch('events', { state: 'open' });
      const deployment = { positions: rule, eventsPath: '/events' };
      const drones = new Drones(
        { scope, clock: scope.clock, store, serverNow: () => clock.wallNow(), deployment },
        {
          knowsIncident: (one) => one.startsWith('INC-'),
          evidenceNaming: () => Promise.resolve([]),
          heard: () => ({ since: 0, last: clock.elapsed(), isAgain: false }),
          onSilence: () => undefined,
          versions: { used: 0 },
        },
      );
      return { store, drones };
    };
    const all = rules.map(open);
    collect();
    const before = process.memoryUsage().heapUsed;
    const outcomes = await runCampaign(
      { name: 'position events', whole: 10_000, part: 500 },
      async (draw, index) => {
        const data = drawData(draw);
        const kind = draw.pick(['telemetry', 'message', 'incident.moved', drawText(draw, 200)]);
        const payload = payloadOf(data);
        const subject = subjectOf({ kind, data, payload }, 'mission_id', () => false);
        const taken = all.map(({ drones }) => drones.take({ kind, data, payload, ...subject }));
        if (index % 10 === 0) await clock.advance(draw.below(1_000));
        if (index % 100 === 0) {
          for (const { store, drones } of all) {
            expect(dronesSchema.parse(store.slice('drones')).known).toBeLessThanOrEqual(mostDrones);
            const read = dronesReadSchema.parse(
              drones.read(draw.below(2) === 0 ? null : draw.below(index + 1)),
            );
            const columns = [read.latitudes, read.longitudes, read.headings, read.speeds, read.at];
            for (const column of columns) expect(column).toHaveLength(read.ids.length);
            expect(read.latitudes.every((latitude) => Math.abs(latitude) <= 90)).toBe(true);
            expect(read.longitudes.every((longitude) => Math.abs(longitude) <= 180)).toBe(true);
            for (const one of read.ids.slice(0, 3)) expect(await drones.detail(one)).not.toBeNull();
          }
        }
        return taken.some((one) => one !== null) ? 'a position' : 'a line';
      },
    );
    expect(outcomes.get('a position')).toBeGreaterThan(0);
    expect(outcomes.get('a line')).toBeGreaterThan(0);
    collect();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(mostBytes);
    expect(logger.lines).toEqual([]);
    await scope[Symbol.asyncDispose]();
  },
  campaignTimeoutMs,
);
