import { expect, it } from 'vitest';
import { IncidentTable } from '../../../src-renderer/table/table.ts';
import { FrameMaker, type ModelRow } from './frames.ts';

const row = (key: number, own: Partial<ModelRow> = {}): ModelRow => ({
  ...{ key, id: `id-${key}`, type: 'fire', severity: 'high', status: 'open', createdAt: 1_000 + key },
  ...{ latitude: 48.2, longitude: 16.4, arrivedAt: 0, evidenceCount: 0, anchorCount: 0, notReturned: 0 },
  ...own,
});
const table = new IncidentTable();
table.apply(
  new FrameMaker().frame(
    [row(7), row(9, { type: 'flood', severity: 'low', status: 'resolved', latitude: NaN, longitude: NaN })],
    true,
  ),
);

it('says what each row says', () => {
  expect(table.factsAt(0)).toEqual({
    ...{ key: 7, type: 'fire', severity: 'high', status: 'open', createdAt: 1_007 },
    place: { latitude: 48.2, longitude: 16.4 },
  });
  expect(table.factsAt(1)).toEqual({
    ...{ key: 9, type: 'flood', severity: 'low', status: 'resolved', createdAt: 1_009 },
    place: null,
  });
});

it.each([-1, 2])('says nothing of row %i, which is not there', (at) => {
  expect(table.factsAt(at)).toEqual({
    ...{ key: 0, type: '', severity: '', status: '', createdAt: 0, place: null },
  });
});
