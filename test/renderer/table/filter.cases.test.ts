import fc from 'fast-check';
import { expect, test } from 'vitest';
import { filterRows, type RowFilter } from '../../../src-renderer/table/filter.ts';
import { IncidentTable } from '../../../src-renderer/table/table.ts';
import { casesOf } from '../../support/campaign.ts';
import { rows, severities, statuses, types } from './arbitrary.ts';
import { FrameMaker, type ModelRow } from './frames.ts';

const bound = fc.oneof(
  fc.constant(null),
  fc.constantFrom(0, 5, 1_700_000_000_000),
  fc.integer({ min: -4e12, max: 4e12 }),
);
const filters: fc.Arbitrary<RowFilter> = fc.record({
  severities: fc.subarray([...severities, 'never seen']),
  statuses: fc.subarray(statuses),
  types: fc.subarray(types),
  openOnly: fc.boolean(),
  from: bound,
  to: bound,
  location: fc.constantFrom('without', 'any'),
});

/** Of the words that occur here; hyphens and underscores at the ends are no difference. */
const keyOf = (text: string): string => text.toLowerCase().replaceAll('_', ' ').trim();
const has = (chosen: readonly string[], text: string): boolean => chosen.map(keyOf).includes(keyOf(text));

const isOpen = ({ status }: ModelRow): boolean => !['resolved', 'closed'].includes(keyOf(status));

function passes(row: ModelRow, filter: RowFilter): boolean {
  const located = !Number.isNaN(row.latitude);
  return (
    (filter.severities.length === 0 || has(filter.severities, row.severity)) &&
    (filter.statuses.length === 0 || has(filter.statuses, row.status)) &&
    (filter.types.length === 0 || has(filter.types, row.type)) &&
    (!filter.openOnly || isOpen(row)) &&
    (filter.from === null || row.createdAt >= filter.from) &&
    (filter.to === null || row.createdAt <= filter.to) &&
    (filter.location === 'any' || !located)
  );
}

test('a filter keeps and counts what a naive one does', () => {
  fc.assert(
    fc.property(rows(), filters, (model, filter) => {
      const table = new IncidentTable();
      table.apply(new FrameMaker().frame(model, true));
      const result = filterRows(table, filter);
      const kept = (test: RowFilter): ModelRow[] => model.filter((row) => passes(row, test));
      expect([...result.rows].map((row) => table.columns.key[row])).toEqual(
        kept(filter).map((row) => row.key),
      );
      for (const severity of table.dictionaries.severity) {
        const key = keyOf(severity);
        const counted = kept({ ...filter, severities: [] }).filter((row) => keyOf(row.severity) === key);
        expect(result.severityCounts.get(key)).toBe(counted.length);
        const open = kept({ ...filter, severities: [], openOnly: true });
        expect(result.openCounts.get(key)).toBe(open.filter((row) => keyOf(row.severity) === key).length);
      }
      for (const status of table.dictionaries.status) {
        const counted = kept({ ...filter, statuses: [], openOnly: false }).filter(
          (row) => keyOf(row.status) === keyOf(status),
        );
        expect(result.statusCounts.get(keyOf(status))).toBe(counted.length);
      }
      for (const type of table.dictionaries.type) {
        const counted = kept({ ...filter, types: [] }).filter((row) => keyOf(row.type) === keyOf(type));
        expect(result.typeCounts.get(keyOf(type))).toBe(counted.length);
      }
    }),
    { numRuns: casesOf({ part: 100, whole: 500 }) },
  );
});
