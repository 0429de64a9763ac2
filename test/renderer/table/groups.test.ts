import { describe, expect, it } from 'vitest';
import { entriesOf, groupAt, groupRows, headerOf } from '../../../src-renderer/table/groups.ts';
import { IncidentTable } from '../../../src-renderer/table/table.ts';
import { FrameMaker, type ModelRow } from './frames.ts';

const row = (key: number, type: string, severity: string, status: string): ModelRow => ({
  ...{ key, type, severity, status, id: `id-${key}`, createdAt: key, latitude: 1, longitude: 1 },
  ...{ arrivedAt: 0, evidenceCount: 0, anchorCount: 0, notReturned: 0 },
});
function tableOf(rows: readonly ModelRow[]): IncidentTable {
  const table = new IncidentTable();
  table.apply(new FrameMaker().frame([...rows], true));
  return table;
}
const rows = [
  row(1, 'fire', 'low', 'resolved'),
  row(2, 'flood', 'medium', 'open'),
  row(3, 'fire', 'high', 'open'),
  row(4, 'storm', 'critical', 'resolved'),
  row(5, 'flood', 'medium', 'open'),
  row(6, 'fire', 'medium', 'open'),
];
const table = tableOf(rows);
const all = Uint32Array.from(rows, (_, at) => at);
const groups = groupRows(table, all, (at) => table.columns.type[at] ?? 0);
const typeOf = (id: number): string => table.dictionaries.type[id] ?? '';

describe('groups', () => {
  it('stand with the worst open incident first, and what is over last', () => {
    expect(groups.map(({ id, open, rows: own }) => [typeOf(id), open, own.length])).toEqual([
      ['fire', 2, 3],
      ['flood', 2, 2],
      ['storm', 0, 1],
    ]);
  });
  it('hold what is open first, each part in the order that was given', () => {
    expect([...(groups[0]?.rows ?? [])]).toEqual([2, 5, 0]);
  });
  it('lose and double no row', () => {
    expect(groups.flatMap((group) => [...group.rows]).sort()).toEqual([...all]);
  });
});

describe('entries', () => {
  it('are the header and the rows of each group, without those of a collapsed one', () => {
    const [fire, flood, storm] = groups.map(({ id }) => id) as [number, number, number];
    expect([...entriesOf(groups, new Set([fire, storm]))]).toEqual([
      headerOf(fire),
      headerOf(flood),
      ...[1, 4],
      headerOf(storm),
    ]);
  });
  it('tell headers from rows', () => {
    expect(groupAt(headerOf(7))).toBe(7);
    expect(groupAt(0)).toBeNull();
    expect(groupAt(undefined)).toBeNull();
  });
});
