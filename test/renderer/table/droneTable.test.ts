import { expect, it } from 'vitest';
import { trailMs, trailPoints, type DronesRead } from '../../../src-preload/contract/index.ts';
import { DroneTable } from '../../../src-renderer/table/droneTable.ts';

type Row = readonly [id: string, longitude: number, at: number];
type Point = readonly [drone: number, longitude: number, at: number];

/** What the console answers: drones, new points of their trails, and those that are gone. */
const read = (
  rows: readonly Row[],
  trail: readonly Point[] = [],
  more: Partial<DronesRead> = {},
): DronesRead => ({
  version: 1,
  complete: false,
  more: false,
  ids: rows.map(([id]) => id),
  longitudes: rows.map(([, longitude]) => longitude),
  latitudes: rows.map(() => 48),
  altitudes: rows.map(() => null),
  headings: rows.map(() => 90),
  speeds: rows.map(() => 7),
  at: rows.map(([, , at]) => at),
  missionIds: rows.map(() => null),
  incidentIds: rows.map(() => 'inc-1'),
  trail: {
    drones: trail.map(([drone]) => drone),
    longitudes: trail.map(([, longitude]) => longitude),
    latitudes: trail.map(() => 48),
    at: trail.map(([, , at]) => at),
  },
  gone: [],
  ...more,
});

it('takes over what changed, and says whether other drones are known than before', () => {
  const table = new DroneTable();
  expect(
    table.apply(
      read([
        ['one', 16, 1_000],
        ['two', 17, 1_000],
      ]),
    ),
  ).toBe(true);
  expect(table.apply(read([['two', 18, 2_000]]))).toBe(false);
  expect(table.get('two')).toMatchObject({ longitude: 18, latitude: 48, at: 2_000, heading: 90, speed: 7 });
  expect(table.get('two')).toMatchObject({
    altitude: null,
    missionId: null,
    incidentId: 'inc-1',
  });
  expect(table.apply(read([], [], { gone: ['one', 'never there'] }))).toBe(true);
  expect(table.apply(read([], [], { gone: ['one'] }))).toBe(false);
  expect([...table.all()].map(({ id }) => id)).toEqual(['two']);
});

it('forgets all that was known where an answer is not of changes', () => {
  const table = new DroneTable();
  table.apply(
    read(
      [
        ['one', 16, 1_000],
        ['two', 17, 1_000],
      ],
      [[0, 15, 900]],
    ),
  );
  expect(table.apply(read([['one', 18, 2_000]], [], { complete: true }))).toBe(true);
  expect(table.get('two')).toBeUndefined();
  expect(table.get('one')?.trail).toEqual([]);
  expect(table.apply(read([['one', 19, 3_000]], [], { complete: true })), 'the same ones').toBe(false);
  expect(table.apply(read([['six', 19, 3_000]], [], { complete: true })), 'as many, but another').toBe(true);
});

it('puts new points behind a trail, each with its drone, and leaves one alone that has none', () => {
  const table = new DroneTable();
  table.apply(
    read(
      [
        ['one', 16, 1_000],
        ['two', 17, 1_000],
      ],
      [
        [0, 15, 800],
        [1, 16.5, 800],
        [0, 15.5, 900],
      ],
    ),
  );
  expect(table.get('one')?.trail).toEqual([
    [15, 48],
    [15.5, 48],
  ]);
  const before = table.get('two')?.trail;
  expect(before).toEqual([[16.5, 48]]);
  table.apply(
    read(
      [
        ['two', 17.5, 1_100],
        ['one', 16.5, 1_100],
      ],
      [[1, 16, 1_000]],
    ),
  );
  expect(table.get('one')?.trail).toEqual([
    [15, 48],
    [15.5, 48],
    [16, 48],
  ]);
  expect(table.get('two')?.trail, 'the map tells by the array whether to draw it again').toBe(before);
});

it('keeps no trail that is longer or older than the contract says', () => {
  const table = new DroneTable();
  const points = Array.from({ length: trailPoints + 30 }, (_, at): Point => [0, at / 1_000, at]);
  table.apply(read([['one', 16, 1_000]], points));
  expect(table.get('one')?.trail).toHaveLength(trailPoints);
  expect(table.get('one')?.trail[0]).toEqual([0.03, 48]);
  table.apply(read([['one', 16, trailMs + 149]]));
  expect(table.get('one')?.trail, 'the last one is just young enough').toEqual([[0.149, 48]]);
  table.apply(read([['one', 16, trailMs + 150]]));
  expect(table.get('one')?.trail).toEqual([]);
});
