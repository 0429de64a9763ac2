import { expect, it } from 'vitest';
import { messageOf } from '../../src-renderer/lib/incidentMessage.ts';
import { IncidentTable } from '../../src-renderer/rows/table.ts';
import { FrameMaker, type ModelRow } from './rows/frames.ts';

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
function messagesOf(...rows: readonly ModelRow[]): readonly string[] {
  const table = new IncidentTable();
  table.apply(new FrameMaker().frame(rows, true));
  return rows.map((_, at) => messageOf(table, at));
}

it('is one line: type, severity, place, MGRS, time and id', () => {
  expect(messagesOf(row)).toEqual([
    'Structural collapse, critical, 48.20820° N, 16.37380° E, 33U XP 02065 40353, 20 Nov, 14:02:31 UTC, us7000abcd',
  ]);
});

it('says that there is no location', () => {
  expect(messagesOf({ ...row, type: 'flood', latitude: NaN, longitude: NaN })).toEqual([
    'Flood, critical, No location, 20 Nov, 14:02:31 UTC, us7000abcd',
  ]);
});
