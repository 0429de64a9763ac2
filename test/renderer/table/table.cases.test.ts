import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IncidentTable } from '../../../src-renderer/table/table.ts';
import { casesOf } from '../../support/campaign.ts';
import { rowWith } from './arbitrary.ts';
import { FrameMaker, type ModelRow } from './frames.ts';

const key = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 4_294_967_295 }));
const someRows = fc.uniqueArray(rowWith(key), { maxLength: 50, selector: (row) => row.key });
const step = fc.record({
  complete: fc.boolean(),
  rows: someRows,
  removed: fc.uniqueArray(key, { maxLength: 20 }),
});

function contents(table: IncidentTable): ModelRow[] {
  const { columns, dictionaries } = table;
  return [...columns.key.keys()].map((row) => ({
    key: columns.key[row] ?? -1,
    id: table.idAt(row),
    severity: dictionaries.severity[columns.severity[row] ?? -1] ?? '?',
    status: dictionaries.status[columns.status[row] ?? -1] ?? '?',
    type: dictionaries.type[columns.type[row] ?? -1] ?? '?',
    createdAt: columns.createdAt[row] ?? -1,
    latitude: columns.latitude[row] ?? -1,
    longitude: columns.longitude[row] ?? -1,
    arrivedAt: columns.arrivedAt[row] ?? -1,
    evidenceCount: columns.evidenceCount[row] ?? -1,
    anchorCount: columns.anchorCount[row] ?? -1,
    notReturned: columns.notReturned[row] ?? -1,
  }));
}

const byKey = (rows: Iterable<ModelRow>): ModelRow[] => [...rows].sort((a, b) => a.key - b.key);
const decoded = (text: string): string => new TextDecoder().decode(new TextEncoder().encode(text));

test('a table is what a map of keys would be, after any frames', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const table = new IncidentTable();
      const maker = new FrameMaker();
      const model = new Map<number, ModelRow>();
      const ids = new Map<number, string>();
      for (const { complete, rows, removed } of steps) {
        if (complete) model.clear();
        else for (const gone of removed) model.delete(gone);
        if (complete) ids.clear();
        for (const gone of removed) if (!model.has(gone)) ids.delete(gone);
        for (const row of rows) {
          // A key's id never changes within an epoch.
          const id = ids.get(row.key) ?? decoded(row.id);
          ids.set(row.key, id);
          model.set(row.key, { ...row, id });
        }
        table.apply(
          maker.frame(
            rows.map((row) => model.get(row.key) ?? row),
            complete,
            complete ? [] : removed,
          ),
        );
        expect(table.length).toBe(model.size);
        expect(byKey(contents(table))).toEqual(byKey(model.values()));
        for (const [row, at] of table.columns.key.entries()) expect(table.indexOfKey(at)).toBe(row);
        for (const gone of removed) if (!model.has(gone)) expect(table.indexOfKey(gone)).toBe(-1);
      }
      expect(table.revision).toBe(steps.length);
    }),
    { numRuns: casesOf({ part: 60, whole: 300 }) },
  );
});

const plain = (at: number): ModelRow => ({
  key: at,
  id: `id-${at}`,
  severity: 'low',
  status: 'open',
  type: 'fire',
  createdAt: at,
  latitude: 1,
  longitude: 2,
  arrivedAt: 0,
  evidenceCount: 0,
  anchorCount: 0,
  notReturned: 0,
});
const range = (from: number, to: number): ModelRow[] =>
  Array.from({ length: to - from }, (_, at) => plain(from + at));

test('a complete frame is adopted, not copied', () => {
  const table = new IncidentTable();
  const frame = new FrameMaker().frame(range(0, 1000), true);
  table.apply(frame);
  expect(table.columns.createdAt.buffer).toBe(frame.columns.createdAt.buffer);
  expect(table.columns.severity.buffer).toBe(frame.columns.severity.buffer);
});

test('rows appended one by one reallocate seldom', () => {
  const table = new IncidentTable();
  const maker = new FrameMaker();
  table.apply(maker.frame(range(0, 1000), true));
  const buffers = new Set<ArrayBufferLike>();
  for (let at = 1000; at < 3000; at += 1) {
    table.apply(maker.frame([plain(at)], false));
    buffers.add(table.columns.createdAt.buffer);
  }
  expect(table.length).toBe(3000);
  expect(table.idAt(table.indexOfKey(2999))).toBe('id-2999');
  expect(buffers.size).toBeLessThan(8);
});

test('ids of a table that only ever exchanges rows do not grow without end', () => {
  const table = new IncidentTable();
  const maker = new FrameMaker();
  table.apply(maker.frame(range(0, 100), true));
  for (let at = 0; at < 20_000; at += 100) {
    const gone = Array.from({ length: 100 }, (_, offset) => at + offset);
    table.apply(maker.frame(range(at + 100, at + 200), false, gone));
  }
  expect(table.length).toBe(100);
  expect(table.idAt(table.indexOfKey(20_050))).toBe('id-20050');
  expect(table.bytesHeld).toBeLessThan(40_000);
});

test('the newest key is the largest that came since the last complete frame, also when it went again', () => {
  const table = new IncidentTable();
  const maker = new FrameMaker();
  expect(table.newestKey).toBe(0);
  table.apply(maker.frame([plain(7), plain(3)], true));
  expect(table.newestKey).toBe(7);
  table.apply(maker.frame([plain(9), plain(8)], false));
  expect(table.newestKey).toBe(9);
  table.apply(maker.frame([plain(3)], false, [9]));
  expect(table.newestKey).toBe(9);
  table.apply(maker.frame([plain(5)], true));
  expect(table.newestKey).toBe(5);
});
