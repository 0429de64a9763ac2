import { expect, it } from 'vitest';
import { makeRowArrays } from '../../../../src-main/core/state/rowColumns.ts';
import {
  columnArrayNames,
  columnArrays,
  columnNames,
  decodeIncidentFrame,
  encodeIncidentFrame,
  listColumns,
  sortColumns,
  type ListColumn,
} from '../../../../src-preload/contract/index.ts';
import { sortOf } from '../../../../src-renderer/features/incidents/columns.ts';
import { cellText } from '../../../../src-renderer/features/incidents/gridCells.ts';
import messages from '../../../../src-renderer/i18n/messages/en.ts';
import { IncidentTable } from '../../../../src-renderer/table/table.ts';
import { FrameMaker } from '../../table/frames.ts';

const row = {
  key: 1,
  id: 'one',
  severity: 'high',
  status: 'open',
  type: 'fire',
  createdAt: 1_000,
  latitude: 10,
  longitude: 20,
  arrivedAt: 0,
  evidenceCount: 3,
  anchorCount: 7,
  notReturned: 0,
};
const frame = new FrameMaker().frame([row], true);
const table = new IncidentTable();
table.apply(decodeIncidentFrame(encodeIncidentFrame(frame)));

it('one declaration makes the array of the store, of the frame and of the page', () => {
  const { length: _, ...shown } = table.columns;
  expect(Object.keys(shown)).toEqual(columnArrayNames);
  expect(makeRowArrays(2)).toMatchObject(
    Object.fromEntries(columnArrayNames.map((name) => [name, new columnArrays[name](2)])),
  );
});

it('one declaration is a column of the list: with a text in its cells', () => {
  // As docs/recipes.md adds one.
  const added: ListColumn = { kind: 'count', of: 'anchorCount', width: 80 };
  const ground = {
    table,
    now: 2_000,
    zone: 'utc',
    coordinates: 'dd',
    units: 'metric',
    station: null,
    placeOf: () => null,
  } as const;
  expect(cellText(added, 0, ground)).toEqual({ text: '7', more: '' });
  const texts = columnNames.map((name) => [name, cellText(listColumns[name], 0, ground).text]);
  expect(Object.fromEntries(texts)).toMatchObject({ evidence: '3', anchors: '7', id: 'one', bearing: '' });
});

it('orders of the list are those that the columns declare, each at a place in their menu', () => {
  expect(sortColumns).toEqual(['created', 'severity', 'status', 'type', 'evidence', 'distance']);
  expect(columnNames.filter((name) => sortOf(name) !== null).sort()).toEqual([...sortColumns].sort());
  expect(new Set(sortColumns.map((name) => listColumns[name].sort.place)).size).toBe(sortColumns.length);
});

it('every column has its texts, and none has texts that no column has', () => {
  expect(Object.keys(messages.views.columns).sort()).toEqual([...columnNames].sort());
  for (const texts of [
    messages.incidents.sort.columns,
    messages.incidents.sort.ways,
    messages.commands.sort,
  ]) {
    expect(Object.keys(texts).sort()).toEqual([...sortColumns].sort());
  }
});
