import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  neighbourByDistance,
  neighbourTowards,
  offsetBetween,
  type Direction,
} from '../../../src-renderer/table/neighbours.ts';
import { bearingDegrees, distanceMetres } from '../../../src-renderer/table/sphere.ts';
import { IncidentTable } from '../../../src-renderer/table/table.ts';
import { rows } from './arbitrary.ts';
import { FrameMaker, type ModelRow } from './frames.ts';

const spot = fc.record({
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
});

function tableOf(model: readonly ModelRow[]): { table: IncidentTable; all: Uint32Array } {
  const table = new IncidentTable();
  table.apply(new FrameMaker().frame(model, true));
  return { table, all: Uint32Array.from(model, (_, row) => row) };
}

const at = (key: number, latitude: number, longitude: number): ModelRow => ({
  ...{ key, latitude, longitude, id: '', severity: '', status: '', type: '', createdAt: 0, arrivedAt: 0 },
  ...{ evidenceCount: 0, anchorCount: 0, notReturned: 0 },
});

describe('a walk by distance', () => {
  it('outwards visits every incident with a place once, the nearest first, and inwards goes the same way back', () => {
    fc.assert(
      fc.property(rows(30), spot, (model, origin) => {
        const { table, all } = tableOf(model);
        const walked: number[] = [];
        let key: number | null = null;
        for (;;) {
          const row = neighbourByDistance(table, all, origin, key, 'outwards');
          if (row < 0) break;
          key = table.columns.key[row] ?? 0;
          walked.push(key);
          if (walked.length > model.length) throw new Error('goes round');
        }
        const metres = (row: ModelRow): number =>
          distanceMetres(origin.latitude, origin.longitude, row.latitude, row.longitude);
        const expected = model
          .filter(({ latitude }) => !Number.isNaN(latitude))
          .sort((a, b) => metres(a) - metres(b) || a.key - b.key)
          .map((row) => row.key);
        expect(walked).toEqual(expected);
        const back: number[] = [];
        for (let here = walked.at(-1); here !== undefined;) {
          back.unshift(here);
          const row = neighbourByDistance(table, all, origin, here, 'inwards');
          here = row < 0 ? undefined : table.columns.key[row];
        }
        expect(back).toEqual(expected);
      }),
    );
  });

  it('goes to the nearest where an arrow points, and nowhere when nothing lies there', () => {
    const { table, all } = tableOf([at(1, 0, 0), at(2, 0, 3), at(3, 2.5, 2), at(4, -1, 0), at(5, 0, 9)]);
    const { table: west, all: one } = tableOf([at(1, 2, -0.5)]);
    const northWest = [west, one, { latitude: 0, longitude: 0 }] as const;
    const towards = (direction: Direction, from = { latitude: 0, longitude: 0 }): number =>
      neighbourTowards(table, all, from, direction);
    expect(towards('east')).toBe(1);
    expect(towards('north')).toBe(2);
    expect(neighbourTowards(...northWest, 'north')).toBe(0);
    expect(towards('south')).toBe(3);
    expect(towards('west')).toBe(-1);
    expect(towards('east', { latitude: 0, longitude: 3 })).toBe(4);
  });

  it('crosses the line of date', () => {
    const { table, all } = tableOf([at(1, 10, -179), at(2, 10, 100)]);
    expect(neighbourTowards(table, all, { latitude: 10, longitude: 179 }, 'east')).toBe(0);
    expect(neighbourTowards(table, all, { latitude: 10, longitude: 179 }, 'west')).toBe(1);
  });

  it('never leads to where it stands, and always to the side that was asked for', () => {
    fc.assert(
      fc.property(
        rows(30),
        spot,
        fc.constantFrom<Direction>('north', 'east', 'south', 'west'),
        (model, from, way) => {
          const { table, all } = tableOf(model);
          const row = model[neighbourTowards(table, all, from, way)];
          if (row === undefined) return;
          const heading = { north: 0, east: 90, south: 180, west: 270 }[way];
          const off = Math.abs(
            ((bearingDegrees(from.latitude, from.longitude, row.latitude, row.longitude) - heading + 540) %
              360) -
              180,
          );
          expect(off).toBeLessThanOrEqual(60.000_001);
          expect([row.latitude, row.longitude]).not.toEqual([from.latitude, from.longitude]);
        },
      ),
    );
  });

  it('says where the next one lies from the last', () => {
    const from = { latitude: 0, longitude: 0 };
    expect(offsetBetween(from, { latitude: 1, longitude: 1 }).point).toBe('ne');
    expect(offsetBetween(from, { latitude: 0, longitude: -1 }).point).toBe('w');
    expect(offsetBetween(from, { latitude: -1, longitude: 0.1 }).point).toBe('s');
    expect(offsetBetween(from, { latitude: 1, longitude: -0.2 }).point).toBe('n');
    expect(offsetBetween(from, from)).toEqual({ metres: 0, point: null });
    // A degree of a meridian on the mean sphere.
    expect(offsetBetween(from, { latitude: 1, longitude: 0 }).metres).toBeCloseTo(111_195, 0);
  });
});
