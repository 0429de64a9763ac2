import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SortColumn } from '../../../src-preload/contract/index.ts';
import { sortRows } from '../../../src-renderer/table/sort.ts';
import { IncidentTable } from '../../../src-renderer/table/table.ts';
import { casesOf } from '../../support/campaign.ts';
import { rows } from './arbitrary.ts';
import { FrameMaker, type ModelRow } from './frames.ts';

/** What has no rank stands beside critical. */
const ranks = new Map([
  ['low', 0],
  ['medium', 1],
  ['high', 2],
]);
const badness = (severity: string): number => ranks.get(severity.toLowerCase()) ?? 3;
const collator = new Intl.Collator('en', { sensitivity: 'variant', numeric: true });
/** Any number will do, so long as it is the same for the table and for the model. */
const distanceOf = (row: ModelRow): number =>
  Number.isNaN(row.latitude) ? Infinity : (row.key * 7_919) % 1_000;
/** Those without a distance are last in both directions. */
const nowhere = (by: SortColumn, row: ModelRow): number =>
  by === 'distance' && distanceOf(row) === Infinity ? 1 : 0;
const compare: Record<SortColumn, (a: ModelRow, b: ModelRow) => number> = {
  created: (a, b) => a.createdAt - b.createdAt,
  severity: (a, b) => badness(a.severity) - badness(b.severity),
  status: (a, b) => collator.compare(a.status, b.status),
  type: (a, b) => collator.compare(a.type, b.type),
  evidence: (a, b) => a.evidenceCount - b.evidenceCount,
  distance: (a, b) => (distanceOf(a) === distanceOf(b) ? 0 : distanceOf(a) - distanceOf(b)),
};
const columns = Object.keys(compare) as SortColumn[];

test('every order is that of a comparison: the column, then the newest, then the key', () => {
  fc.assert(
    fc.property(
      rows(),
      fc.constantFrom(...columns),
      fc.boolean(),
      fc.infiniteStream(fc.boolean()),
      (model, by, down, keep) => {
        const table = new IncidentTable();
        table.apply(new FrameMaker().frame(model, true));
        const chosen = model.map((_, row) => row).filter(() => keep.next().value === true);
        const distances = Float64Array.from(model, distanceOf);
        const direction = down ? 'descending' : 'ascending';
        const sorted = sortRows(table, Uint32Array.from(chosen), by, direction, distances);
        const expected = chosen
          .map((row) => model[row] as ModelRow)
          .sort(
            (a, b) =>
              nowhere(by, a) - nowhere(by, b) ||
              (down ? -1 : 1) * compare[by](a, b) ||
              b.createdAt - a.createdAt ||
              a.key - b.key,
          );
        expect([...sorted].map((row) => table.columns.key[row])).toEqual(expected.map((row) => row.key));
      },
    ),
    { numRuns: casesOf({ part: 80, whole: 500 }) },
  );
});
