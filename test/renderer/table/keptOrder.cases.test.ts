import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TableOrder, type OrderOf } from '../../../src-renderer/table/keptOrder.ts';
import { sortRows } from '../../../src-renderer/table/sort.ts';
import { IncidentTable } from '../../../src-renderer/table/table.ts';
import { casesOf } from '../../support/campaign.ts';
import { rows } from './arbitrary.ts';
import { FrameMaker } from './frames.ts';

const newestFirst = { by: 'created', direction: 'descending', distances: null } as const;

function tableOf(length: number): { readonly table: IncidentTable; readonly maker: FrameMaker } {
  const maker = new FrameMaker();
  const table = new IncidentTable();
  const [model] = fc.sample(rows(length), { numRuns: 1, seed: 4 });
  table.apply(maker.frame(model ?? [], true));
  return { table, maker };
}
const every = (): boolean => true;
const some = (table: IncidentTable, keeps: (row: number) => boolean): Uint32Array =>
  Uint32Array.from({ length: table.length }, (_, row) => row).filter(keeps);
const bySorting = (chosen: Uint32Array, { table, by, direction, distances }: OrderOf): Uint32Array =>
  sortRows(table, chosen, by, direction, distances);

describe('an order that is kept', () => {
  test('is the one that sorting gives, whatever is asked for and however the table changes', () => {
    fc.assert(
      fc.property(
        rows(),
        fc.array(
          fc.record({
            by: fc.constantFrom('created', 'severity', 'type', 'distance'),
            direction: fc.constantFrom('ascending', 'descending'),
            keep: fc.array(fc.boolean(), { minLength: 1, maxLength: 9 }),
            far: fc.boolean(),
            changed: fc.boolean(),
          }),
          { maxLength: 12 },
        ),
        (model, questions) => {
          const maker = new FrameMaker();
          const table = new IncidentTable();
          table.apply(maker.frame(model, true));
          const near = Float64Array.from(model, (_, row) => (row * 7_919) % 1_000);
          const far = Float64Array.from(near, (metres) => -metres);
          const order = new TableOrder();
          for (const question of questions) {
            if (question.changed) {
              const moved = model.map((row) => ({ ...row, createdAt: (row.createdAt * 31) % 1_000 }));
              table.apply(maker.frame(moved, false));
            }
            const { by, direction, keep } = question;
            const of = { table, by, direction, distances: question.far ? far : near };
            const chosen = some(table, (row) => keep[row % keep.length] === true);
            expect(order.sort(chosen, of)).toEqual(bySorting(chosen, of));
          }
        },
      ),
      { numRuns: casesOf({ part: 40, whole: 300 }) },
    );
  });

  test('of all rows is made once for as long as the table stays as it is', () => {
    const { table, maker } = tableOf(40);
    const order = new TableOrder();
    const of = { table, ...newestFirst };
    const first = order.sort(some(table, every), of);
    expect(order.sort(some(table, every), of)).toBe(first);
    table.apply(maker.frame([], false));
    expect(order.sort(some(table, every), of)).not.toBe(first);
  });

  test('of another table with as many rows is another', () => {
    const [one, other] = [tableOf(40).table, tableOf(40).table];
    const order = new TableOrder();
    const first = order.sort(some(one, every), { table: one, ...newestFirst });
    expect(order.sort(some(other, every), { table: other, ...newestFirst })).not.toBe(first);
  });

  test('by distance is another when the station has moved', () => {
    const { table } = tableOf(40);
    const order = new TableOrder();
    const near = Float64Array.from({ length: table.length }, (_, row) => row);
    const of = { table, by: 'distance', direction: 'ascending', distances: near } as const;
    const first = order.sort(some(table, every), of);
    const moved = { ...of, distances: near.toReversed() };
    const second = order.sort(some(table, every), moved);
    expect(second).not.toEqual(first);
    expect(second).toEqual(bySorting(some(table, every), moved));
  });
});
