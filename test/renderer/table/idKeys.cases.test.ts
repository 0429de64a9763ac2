import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IdKeys } from '../../../src-renderer/table/ids.ts';
import { IncidentTable } from '../../../src-renderer/table/table.ts';
import { casesOf } from '../../support/campaign.ts';
import { rows } from './arbitrary.ts';
import { FrameMaker } from './frames.ts';

/** What a walk over every row finds. */
function walked(table: IncidentTable, ids: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (let row = 0; row < table.length; row += 1) {
    const id = table.idAt(row);
    const key = table.columns.key[row] ?? 0;
    if (ids.includes(id)) found.set(id, Math.max(found.get(id) ?? 0, key));
  }
  return found;
}

test('finds the keys that a walk over every row finds, whatever is wanted, one change after another', () => {
  fc.assert(
    fc.property(
      rows(),
      fc.array(fc.array(fc.nat(40), { maxLength: 8 }), { minLength: 1, maxLength: 4 }),
      fc.nat(30),
      (model, wishes, first) => {
        const table = new IncidentTable();
        const frames = new FrameMaker();
        const keys = new IdKeys();
        const ids = [...model.map(({ id }) => id), 'not there', ''];
        const sorted = model.toSorted((a, b) => a.key - b.key);
        table.apply(frames.frame(sorted.slice(0, first), true));
        keys.update(table, 'e', [ids[0] ?? '']);
        table.apply(frames.frame(sorted.slice(first), false));
        for (const wish of wishes) {
          const wanted = [...new Set(wish.map((at) => ids[at % ids.length] ?? ''))];
          expect(new Map(keys.update(table, 'e', wanted))).toEqual(walked(table, wanted));
        }
      },
    ),
    { numRuns: casesOf({ part: 10, whole: 40 }) },
  );
});

test('forgets the keys of another epoch, in which they name other incidents', () => {
  fc.assert(
    fc.property(rows(), (model) => {
      fc.pre(model.length > 0);
      const table = new IncidentTable();
      table.apply(new FrameMaker().frame(model, true));
      const keys = new IdKeys();
      const wanted = [model[0]?.id ?? ''];
      expect(keys.update(table, 'one', wanted).size).toBe(1);
      expect(keys.update(new IncidentTable(), 'two', wanted).size).toBe(0);
    }),
    { numRuns: casesOf({ part: 10, whole: 20 }) },
  );
});
