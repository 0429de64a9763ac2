import { expect, test } from 'vitest';
import { stackOf } from '../../../src-renderer/table/stack.ts';
import { IncidentTable } from '../../../src-renderer/table/table.ts';
import { FrameMaker, type ModelRow } from './frames.ts';

const at = (
  key: number,
  latitude: number,
  longitude: number,
  severity = 'low',
  status = 'new',
): ModelRow => ({
  ...{ key, latitude, longitude, severity, status, id: `i${key}`, type: '', createdAt: 0, arrivedAt: 0 },
  ...{ evidenceCount: 0, anchorCount: 0, notReturned: 0 },
});

function tableOf(model: readonly ModelRow[]): { table: IncidentTable; all: Uint32Array } {
  const table = new IncidentTable();
  table.apply(new FrameMaker().frame(model, true));
  return { table, all: Uint32Array.from(model, (_, row) => row) };
}

test('those of one place are in it once each, the worst first, whichever is selected', () => {
  const { table, all } = tableOf([
    at(1, 48.2, 16.3),
    at(2, 48.2, 16.3, 'critical'),
    at(3, 48.3, 16.3, 'critical'),
    at(4, 48.200_01, 16.3),
    at(5, 48.2, 16.3, 'critical'),
  ]);
  const keys = [2, 5, 1, 4];
  for (const [index, key] of keys.entries()) expect(stackOf(table, all, key)).toEqual({ keys, at: index });
});

test('what is open comes before what is resolved, however bad that was', () => {
  const { table, all } = tableOf([
    at(1, 48.2, 16.3, 'critical', 'resolved'),
    at(2, 48.2, 16.3, 'low'),
    at(3, 48.2, 16.3, 'high'),
    at(4, 48.2, 16.3, 'medium', 'Closed'),
    at(5, 48.2, 16.3, 'low', 'status of another kind'),
  ]);
  expect(stackOf(table, all, 1)).toEqual({ keys: [3, 2, 5, 1, 4], at: 3 });
});

test('any number of them is', () => {
  const { table, all } = tableOf(Array.from({ length: 2_000 }, (_, key) => at(key, -3, 37)));
  expect(stackOf(table, all, 1_999)).toMatchObject({ at: 1_999 });
});

test('on both sides of 180 degrees is one place', () => {
  const { table, all } = tableOf([at(1, 10, 179.999_99), at(2, 10, -179.999_99)]);
  expect(stackOf(table, all, 1)).toEqual({ keys: [1, 2], at: 0 });
});

test('there is none of an incident that lies alone, has no location, is not shown or not known', () => {
  const { table, all } = tableOf([
    at(1, 10, 10),
    at(2, 10.01, 10),
    at(3, NaN, NaN),
    at(4, NaN, NaN),
    at(5, 10, 10),
    at(6, 10, 10),
  ]);
  expect(stackOf(table, all, 2)).toBeNull();
  expect(stackOf(table, all, 3)).toBeNull();
  expect(stackOf(table, all, 9)).toBeNull();
  const filtered = all.filter((row) => row !== 4);
  expect(stackOf(table, filtered, 5)).toBeNull();
  expect(stackOf(table, filtered, 1)).toEqual({ keys: [1, 6], at: 0 });
});
