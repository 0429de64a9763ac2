import { expect, it } from 'vitest';
import { messageOf } from '../../../../src-renderer/features/incidents/markedStore.ts';
import { IncidentTable } from '../../../../src-renderer/table/table.ts';
import { FrameMaker, type ModelRow } from '../../table/frames.ts';

const row: ModelRow = {
  key: 1,
  id: 'us7000abcd',
  severity: 'CRITICAL',
  status: 'open',
  type: 'structural\ncollapse',
  createdAt: Date.UTC(2026, 10, 20, 14, 2, 31),
  latitude: 48.2082,
  longitude: 16.3738,
  arrivedAt: 0,
  evidenceCount: 0,
  anchorCount: 0,
  notReturned: 0,
};
function messagesOf(name: string | null, ...rows: readonly ModelRow[]): readonly string[] {
  const table = new IncidentTable();
  table.apply(new FrameMaker().frame(rows, true));
  return rows.map((_, at) => messageOf(table, at, name));
}

it('is one line: type, severity, place, MGRS, time and id', () => {
  expect(messagesOf(null, row)).toEqual([
    'Structural collapse, critical, 48.20820° N, 16.37380° E, 33U XP 02065 40353, 20 Nov, 14:02:31 UTC, us7000abcd',
  ]);
});

it('has the place in words where they are known', () => {
  expect(messagesOf('12 km NW of Vienna, AT', row)).toEqual([
    'Structural collapse, critical, 12 km NW of Vienna, AT, 33U XP 02065 40353, 20 Nov, 14:02:31 UTC, us7000abcd',
  ]);
});

it('says that there is no location', () => {
  expect(messagesOf(null, { ...row, type: 'flood', latitude: NaN, longitude: NaN })).toEqual([
    'Flood, critical, No location, 20 Nov, 14:02:31 UTC, us7000abcd',
  ]);
});
