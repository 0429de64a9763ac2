import fc from 'fast-check';
import { expect, it } from 'vitest';
import { columnNames, columnsSchema } from '../../../../src-preload/contract/index.ts';
import {
  listedColumns,
  moved,
  resized,
  sortOf,
  toggled,
  usualColumns,
  usualWidth,
  type ChosenColumns,
} from '../../../../src-renderer/features/incidents/columns.ts';

const name = fc.constantFrom(...columnNames);
const columns: fc.Arbitrary<ChosenColumns> = fc.uniqueArray(
  fc.record({ name, width: fc.integer({ min: 48, max: 480 }) }),
  { minLength: 1, selector: (column) => column.name },
);
const namesOf = (chosen: ChosenColumns): string[] => chosen.map((column) => column.name);

it('stay columns that can be kept, each once, whatever an operator does with them', () => {
  const step = fc.oneof(
    fc.tuple(name, fc.integer({ min: -3, max: 14 })).map(
      ([which, to]) =>
        (chosen: ChosenColumns) =>
          moved(chosen, which, to),
    ),
    fc.tuple(name, fc.double({ min: -1000, max: 5000, noNaN: true })).map(
      ([which, width]) =>
        (chosen: ChosenColumns) =>
          resized(chosen, which, width),
    ),
    name.map((which) => (chosen: ChosenColumns) => toggled(chosen, which)),
  );
  fc.assert(
    fc.property(columns, fc.array(step, { maxLength: 20 }), (begin, steps) => {
      const end = steps.reduce<ChosenColumns>((chosen, run) => run(chosen), begin);
      expect(columnsSchema.safeParse(end).success).toBe(true);
      expect(new Set(namesOf(end)).size).toBe(end.length);
    }),
  );
});

it('move to a place and no further than the ends; the others keep their order', () => {
  const begin = usualColumns;
  expect(namesOf(moved(begin, 'place', 0))).toEqual(['place', 'severity', 'type', 'status', 'created']);
  expect(namesOf(moved(begin, 'severity', 2))).toEqual(['type', 'status', 'severity', 'created', 'place']);
  expect(namesOf(moved(begin, 'type', 99))).toEqual(['severity', 'status', 'created', 'place', 'type']);
  expect(namesOf(moved(begin, 'type', -1))).toEqual(['type', 'severity', 'status', 'created', 'place']);
  expect(moved(begin, 'id', 0)).toBe(begin);
});

it('are sized within what can be read and what can be seen, to whole pixels', () => {
  const widthOf = (width: number): number | undefined =>
    resized(usualColumns, 'type', width).find((column) => column.name === 'type')?.width;
  expect([widthOf(100.4), widthOf(1), widthOf(9_999)]).toEqual([100, 48, 480]);
  expect(resized(usualColumns, 'type', 99)[0]).toEqual(usualColumns[0]);
});

it('are added at the end, and the last one stays', () => {
  expect(toggled(usualColumns, 'id').at(-1)).toEqual({ name: 'id', width: usualWidth('id') });
  expect(namesOf(toggled(usualColumns, 'status'))).not.toContain('status');
  const one = toggled([{ name: 'id', width: 99 }], 'id');
  expect(one).toEqual([{ name: 'id', width: 99 }]);
});

it('are all listed, the chosen ones first in their order', () => {
  const listed = listedColumns([
    { name: 'id', width: 99 },
    { name: 'type', width: 99 },
  ]);
  expect(listed.slice(0, 2)).toEqual(['id', 'type']);
  expect([...listed].sort()).toEqual([...columnNames].sort());
});

it('are sorted by where there is an order of use', () => {
  expect(columnNames.filter((column) => sortOf(column) === null)).toEqual([
    'place',
    'bearing',
    'anchors',
    'id',
  ]);
});
