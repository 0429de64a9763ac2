import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scaleOf } from '../../../src-preload/contract/index.ts';
import {
  barHeights,
  histogram,
  openThenOver,
  ranksPerBin,
  sum,
  sumByRank,
} from '../../../src-renderer/table/histogram.ts';
import { rankOf } from '../../../src-renderer/table/severity.ts';
import { IncidentTable } from '../../../src-renderer/table/table.ts';
import { binEdges, binOf, utcCalendar } from '../../../src-renderer/table/timeBins.ts';
import { casesOf } from '../../support/campaign.ts';
import { rows as someRows } from './arbitrary.ts';
import { FrameMaker, type ModelRow } from './frames.ts';

function tableOf(rows: readonly ModelRow[]): IncidentTable {
  const table = new IncidentTable();
  table.apply(new FrameMaker().frame(rows, true));
  return table;
}
const plainRow: Omit<ModelRow, 'key' | 'createdAt'> = {
  id: '',
  severity: 'low',
  status: 'open',
  type: 'fire',
  latitude: 0,
  longitude: 0,
  arrivedAt: 0,
  evidenceCount: 0,
  anchorCount: 0,
  notReturned: 0,
};
const all = (table: IncidentTable): Uint32Array =>
  Uint32Array.from({ length: table.length }, (_, row) => row);

describe('the histogram', () => {
  it('counts what a plain model counts, at bins of any edges', () => {
    const edges = fc
      .uniqueArray(fc.integer({ min: -5_000_000, max: 5_000_000 }), { minLength: 2, maxLength: 30 })
      .map((some) => Float64Array.from(some).sort());
    const times = fc.array(fc.integer({ min: -6_000_000, max: 6_000_000 }), { minLength: 60, maxLength: 60 });
    fc.assert(
      fc.property(someRows(), times, edges, (some, at, bounds) => {
        const model = some.map((row, index) => ({ ...row, createdAt: at[index] ?? 0 }));
        const table = tableOf(model);
        const made = histogram(table, all(table), bounds);
        const first = bounds[0] ?? 0;
        const last = bounds.at(-1) ?? 0;
        expect(made.before).toBe(model.filter((row) => row.createdAt < first).length);
        expect(made.after).toBe(model.filter((row) => row.createdAt >= last).length);
        let largest = 0;
        for (let bin = 0; bin + 1 < bounds.length; bin += 1) {
          const [low, high] = [bounds[bin] ?? 0, bounds[bin + 1] ?? 0];
          const inBin = model.filter((row) => row.createdAt >= low && row.createdAt < high);
          largest = Math.max(largest, inBin.length);
          for (let rank = 0; rank < ranksPerBin; rank += 1)
            expect(made.counts[bin * ranksPerBin + rank]).toBe(
              inBin.filter((row) => rankOf(scaleOf(null).classOf(row.severity).mark) === rank).length,
            );
        }
        expect(made.largest).toBe(largest);
      }),
      { numRuns: casesOf({ part: 60, whole: 300 }) },
    );
  });

  it('counts the given rows and no others', () => {
    fc.assert(
      fc.property(someRows(), fc.nat(), (some, seed) => {
        const table = tableOf(some.map((row, index) => ({ ...row, createdAt: index })));
        const chosen = all(table).filter((row) => ((row * 2_654_435_761 + seed) >>> 3) % 2 === 0);
        const made = histogram(table, chosen, binEdges(0, 1_000, 60_000, utcCalendar));
        expect(sum(made.counts, 0, made.edges.length - 1)).toBe(chosen.length);
      }),
    );
  });

  it('holds the first edge of a bin and not its last', () => {
    const at = [-1, 0, 9, 10, 19, 20];
    const table = tableOf(at.map((createdAt, key) => ({ ...plainRow, key, createdAt })));
    const made = histogram(table, all(table), Float64Array.from([0, 10, 20]));
    expect([made.before, sum(made.counts, 0, 1), sum(made.counts, 1, 2), made.after]).toEqual([1, 2, 2, 1]);
  });

  it('sums bins by severity', () => {
    const counts = Uint32Array.from([1, 0, 0, 0, 4, 10, 0, 0, 0, 40, 100, 0, 0, 0, 400]);
    expect(sumByRank(counts, 0, 2)).toEqual([11, 0, 0, 0, 44]);
    expect(sum(counts, 1, 3)).toBe(550);
    expect(sumByRank(counts, 1, 1)).toEqual([0, 0, 0, 0, 0]);
  });
});

it('parts a bin into what is open and what is over, each by rank', () => {
  const open = Uint32Array.from([9, 9, 9, 9, 9, 1, 0, 0, 2, 0]);
  const counts = Uint32Array.from([9, 9, 9, 9, 9, 3, 0, 4, 2, 0]);
  expect(openThenOver(counts, open, 1)).toEqual([1, 0, 0, 2, 0, 2, 0, 4, 0, 0]);
});

describe('the height of a bar', () => {
  const counts = fc.array(fc.nat(5_000), { minLength: ranksPerBin, maxLength: ranksPerBin });
  it('shows whatever is there, and stays in its box', () => {
    fc.assert(
      fc.property(counts, fc.nat(20_000), (parts, more) => {
        const total = parts.reduce((a, b) => a + b, 0);
        fc.pre(total > 0);
        const heights = barHeights(parts, total + more, 56);
        parts.forEach((count, rank) => {
          const height = heights[rank] ?? -1;
          if (count === 0) expect(height).toBe(0);
          else expect(height).toBeGreaterThanOrEqual(2);
        });
        expect(heights.reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(56);
      }),
    );
  });
  it('is in proportion where there is room for it', () => {
    expect(barHeights([0, 50, 0, 0, 50], 100, 56)).toEqual([0, 28, 0, 0, 28]);
    expect(barHeights([0, 999, 0, 0, 1], 1_000, 56)).toEqual([0, 54, 0, 0, 2]);
  });
});

it('finds the bin of an instant', () => {
  const edges = Float64Array.from([0, 10, 20]);
  expect([-1, 0, 9, 10, 19, 20, 99].map((at) => binOf(at, edges))).toEqual([-1, 0, 0, 1, 1, 2, 2]);
});
