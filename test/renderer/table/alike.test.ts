import { describe, expect, it } from 'vitest';
import { foldAlike } from '../../../src-renderer/table/alike.ts';
import { IncidentTable } from '../../../src-renderer/table/table.ts';
import { FrameMaker, type ModelRow } from './frames.ts';

const row = (key: number, change: Partial<ModelRow> = {}): ModelRow => ({
  ...{ key, type: 'medical', severity: 'critical', status: 'open', id: `id-${key}`, createdAt: key },
  ...{ latitude: 50.4, longitude: 16.6, arrivedAt: 0, evidenceCount: key, anchorCount: 0, notReturned: 0 },
  ...change,
});
const never = () => false;
/** The rows that are left of all in their order, and how many those stand for that stand for several. */
function folded(
  rows: readonly ModelRow[],
  standsOut = never as (row: number) => boolean,
  isOpened = standsOut,
) {
  const table = new IncidentTable();
  table.apply(new FrameMaker().frame(rows, true));
  const all = Uint32Array.from(rows, (_, at) => at);
  const { rows: left, counts } = foldAlike(table, all, standsOut, isOpened);
  return { left: [...left], counts: [...counts], same: left === all };
}

describe('rows that read alike', () => {
  it('are one, with their number, where three or more follow each other', () => {
    expect(folded([row(1), row(2), row(3), row(4, { type: 'fire' }), row(5), row(6)])).toEqual({
      left: [0, 3, 4, 5],
      counts: [[0, 3]],
      same: false,
    });
  });
  it.each<[string, Partial<ModelRow>]>([
    ['type', { type: 'fire' }],
    ['severity', { severity: 'high' }],
    ['status', { status: 'triaged' }],
    ['latitude', { latitude: 50.5 }],
    ['longitude', { longitude: 16.7 }],
    ['one that the service no longer returns', { notReturned: 1 }],
  ])('are of one kind: %s', (_, change) => {
    expect(folded([row(1), row(2), row(3, change), row(4), row(5)])).toMatchObject({
      counts: [],
      same: true,
    });
  });
  it('have a place: those without one are all there', () => {
    const nowhere = { latitude: NaN, longitude: NaN };
    expect(folded([row(1, nowhere), row(2, nowhere), row(3, nowhere)])).toMatchObject({ same: true });
  });
  it('are all there once one of them is opened', () => {
    const rows = [row(1), row(2), row(3), row(4)];
    expect(folded(rows, never, (at) => at === 2)).toMatchObject({ left: [0, 1, 2, 3], same: true });
  });
  it('are parted by one that says more', () => {
    const rows = Array.from({ length: 7 }, (_, at) => row(at));
    expect(folded(rows, (at) => at === 3, never)).toMatchObject({
      left: [0, 3, 4],
      counts: [
        [0, 3],
        [4, 3],
      ],
    });
  });
});
