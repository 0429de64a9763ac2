import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { fold } from '../../../src-renderer/table/fold.ts';
import { TableSearch, type PlaceArea, type SearchContext } from '../../../src-renderer/table/search.ts';
import { readSearch, type SearchTerm } from '../../../src-renderer/table/searchQuery.ts';
import { IncidentTable } from '../../../src-renderer/table/table.ts';
import { rowWith } from './arbitrary.ts';
import { FrameMaker, type ModelRow } from './frames.ts';

const now = 1_700_000_000_000;
/** Any place and any records will do, so long as they are the same for the table and for the model. */
const distanceOf = (row: ModelRow): number => (row.key * 7_919) % 400_000;
const anchorOf = (row: ModelRow): string => `0xab${row.key % 10}`;
const northern: PlaceArea = { id: 'north', holds: (latitude) => latitude > 0 };

function contextFor(rows: readonly ModelRow[]): SearchContext {
  return {
    distances: Float64Array.from(rows, distanceOf),
    now,
    anchored: ({ text }) => new Set(rows.filter((row) => anchorOf(row).includes(text)).map(({ key }) => key)),
    beside: () => null,
    area: ({ text }) => (text === 'north' ? northern : null),
  };
}

/** What a search means, said plainly: every term, each in any of its fields. */
function satisfies(row: ModelRow, term: SearchTerm): boolean {
  switch (term.kind) {
    case 'within':
      return distanceOf(row) <= term.metres;
    case 'since':
      return row.createdAt >= now - term.ms;
    case 'text': {
      const { field, text } = term;
      const fields = {
        type: row.type,
        status: row.status,
        severity: row.severity,
        // What goes over the bridge is UTF-8, where a lone surrogate cannot be.
        id: row.id.toWellFormed(),
        anchor: anchorOf(row),
      };
      const inText = Object.entries(fields).some(
        ([name, value]) => (field === null || field === name) && fold(value).includes(text),
      );
      const inPlace = (field === null || field === 'place') && text === 'north' && row.latitude > 0;
      return inText || inPlace;
    }
  }
}

/** The rows of a table in its order, which changes with removals. */
const inTable = (table: IncidentTable, model: ReadonlyMap<number, ModelRow>): ModelRow[] =>
  [...table.columns.key].map((key) => model.get(key) as ModelRow);

function run(search: TableSearch, isSpent = (): boolean => false): void {
  for (let steps = 0; !search.step(isSpent); steps += 1) if (steps > 10_000) throw new Error('never done');
}

const keys = fc.integer({ min: 1, max: 300 });
/** Ids as they come, and short ones of few letters, which words of few letters do find. */
const row = fc
  .tuple(
    rowWith(keys),
    fc.option(fc.string({ unit: fc.constantFrom('a', 'B', '3', '-', 'é'), maxLength: 4 })),
  )
  .map(([one, id]): ModelRow => ({ ...one, id: id ?? one.id }));
const rows = (maxLength = 40): fc.Arbitrary<ModelRow[]> =>
  fc.uniqueArray(row, { maxLength, selector: ({ key }) => key });
const word = fc.oneof(
  fc.constantFrom(
    'fire',
    'FLOOD',
    'a1',
    'hig',
    'high',
    'open',
    'uberpr',
    'Überprüft',
    'north',
    '0xab',
    'b3',
    'ab',
    '3e',
    'e-',
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 2 }),
  fc.constantFrom('type:fire', 'status:open', 'severity:high', 'id:a', 'anchor:ab4', 'place:north'),
  fc.constantFrom('within:200km', 'within:90mi', 'since:6h', 'since:20000d', '"a10"', 'severity:"hi'),
);
const text = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));

describe('a search of the table', () => {
  it('finds what a plain reading of every row finds, whatever was typed before and while rows change', () => {
    fc.assert(
      fc.property(
        rows(),
        fc.array(
          fc.record({
            text,
            changed: rows(8),
            removed: fc.array(keys, { maxLength: 8 }),
            spent: fc.boolean(),
          }),
          { minLength: 1, maxLength: 5 },
        ),
        (first, turns) => {
          const model = new Map(first.map((row) => [row.key, row]));
          const frames = new FrameMaker();
          const table = new IncidentTable();
          table.apply(frames.frame(first, true));
          const search = new TableSearch(table, contextFor(inTable(table, model)));
          for (const turn of turns) {
            const { terms } = readSearch(turn.text);
            search.ask(terms, contextFor(inTable(table, model)));
            // A frame may come in the middle of the work, and after it.
            if (!turn.spent) run(search);
            const removed = turn.removed.filter((key) => model.has(key));
            for (const key of removed) model.delete(key);
            // The id of a key never changes.
            const changed = turn.changed.map((row) => ({ ...row, id: model.get(row.key)?.id ?? row.id }));
            for (const row of changed) model.set(row.key, row);
            table.apply(frames.frame(changed, false, removed));
            search.tableChanged();
            const present = inTable(table, model);
            if (turn.spent) run(search, () => true);
            const result = search.result(contextFor(present));
            const expected = present.map((row) => terms.every((term) => satisfies(row, term)));
            expect([...(result?.found ?? [])].map((hit) => hit === 1)).toEqual(expected);
            expect(result?.total).toBe(expected.filter(Boolean).length);
            expect(result?.counts).toEqual(
              terms.map((term) => present.filter((row) => satisfies(row, term)).length),
            );
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  it('shows the former result until the next is whole, and works in pieces', () => {
    const model = Array.from({ length: 9_000 }, (_, at) => modelRow(at + 1, at % 3 === 0 ? 'fire' : 'flood'));
    const table = new IncidentTable();
    table.apply(new FrameMaker().frame(model, true));
    const context = contextFor(model);
    const search = new TableSearch(table, context);
    search.ask(readSearch('fire').terms, context);
    run(search);
    expect(search.result()?.total).toBe(3_000);
    search.ask(readSearch('flood').terms, context);
    let pieces = 1;
    while (!search.step(() => true)) {
      pieces += 1;
      expect(search.result()?.total).toBe(3_000);
    }
    expect(pieces).toBeGreaterThan(3);
    expect(search.result()?.total).toBe(6_000);
  });

  it('looks only at what a shorter word found, and not at all for a word that stays', () => {
    // Ids that are not ASCII have to be decoded, which can be counted.
    const model = Array.from({ length: 50 }, (_, at) => ({ ...modelRow(at + 1, 'fire'), id: `ü${at}` }));
    const table = new IncidentTable();
    table.apply(new FrameMaker().frame(model, true));
    const decoded = vi.spyOn(table, 'idAt');
    const search = new TableSearch(table, contextFor(model));
    const looks = (text: string): number => {
      decoded.mockClear();
      search.ask(readSearch(text).terms, contextFor(model));
      run(search);
      return decoded.mock.calls.length;
    };
    expect(looks('u4')).toBe(50);
    expect(search.result()?.total).toBe(11);
    expect(looks('u44')).toBe(11);
    expect(looks('u44 fire')).toBe(0);
    expect(looks('u4')).toBe(50);
  });

  it('goes on where it was when rows change in the middle of its work', () => {
    const model = Array.from({ length: 5_000 }, (_, at) => ({ ...modelRow(at + 1, 'fire'), id: `ü${at}` }));
    const table = new IncidentTable();
    const frames = new FrameMaker();
    table.apply(frames.frame(model, true));
    const decoded = vi.spyOn(table, 'idAt');
    const search = new TableSearch(table, contextFor(model));
    search.ask(readSearch('u4').terms, contextFor(model));
    expect(search.step(() => true)).toBe(false);
    table.apply(frames.frame([modelRow(5_001, 'fire')], false, [1]));
    search.tableChanged();
    run(search, () => true);
    expect(decoded.mock.calls.length).toBeLessThanOrEqual(5_000);
    expect(search.result()?.total).toBe(1_111);
  });

  it('begins again with a frame that replaces every row', () => {
    const table = new IncidentTable();
    table.apply(new FrameMaker().frame([modelRow(1, 'fire'), modelRow(2, 'flood')], true));
    const context = contextFor([]);
    const search = new TableSearch(table, context);
    search.ask(readSearch('fire').terms, context);
    run(search);
    table.apply(
      new FrameMaker().frame([modelRow(1, 'flood'), modelRow(2, 'fire'), modelRow(9, 'fire')], true),
    );
    search.tableChanged();
    expect(search.done).toBe(false);
    expect(search.result()).toBeNull();
    run(search);
    expect([...(search.result()?.found ?? [])]).toEqual([0, 1, 1]);
  });
});

function modelRow(key: number, type: string): ModelRow {
  return {
    key,
    id: `id-${key}`,
    severity: 'low',
    status: 'open',
    type,
    createdAt: now,
    latitude: Number.NaN,
    longitude: 0,
    arrivedAt: 0,
    evidenceCount: 0,
    anchorCount: 0,
    notReturned: 0,
  };
}
