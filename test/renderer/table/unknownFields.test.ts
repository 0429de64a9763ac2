import { describe, expect, it } from 'vitest';
import {
  decodeIncidentFrame,
  encodeIncidentFrame,
  unknownCount,
} from '../../../src-preload/contract/index.ts';
import { filterRows, type RowFilter } from '../../../src-renderer/table/filter.ts';
import { histogram } from '../../../src-renderer/table/histogram.ts';
import { TableSearch } from '../../../src-renderer/table/search.ts';
import { sortRows } from '../../../src-renderer/table/sort.ts';
import { IncidentTable } from '../../../src-renderer/table/table.ts';
import { FrameMaker, type ModelRow } from './frames.ts';

const hour = 3_600_000;
const now = 1_700_000_000_000;
const row = (key: number, own: Partial<ModelRow> = {}): ModelRow => ({
  ...{ key, id: `id-${key}`, type: 'fire', severity: 'high', status: 'open', createdAt: now },
  ...{ latitude: 48.2, longitude: 16.4, arrivedAt: 0, evidenceCount: 0, anchorCount: 0, notReturned: 0 },
  ...own,
});
const known = row(1, { createdAt: now - hour });
const unknown = row(2, {
  ...{ severity: '', status: '', type: '', createdAt: Number.NaN },
  ...{ evidenceCount: unknownCount, anchorCount: unknownCount },
});
const old = row(3, { createdAt: now - 100 * hour });

const table = new IncidentTable();
table.apply(decodeIncidentFrame(encodeIncidentFrame(new FrameMaker().frame([known, unknown, old], true))));
const all = Uint32Array.of(0, 1, 2);
const everything: RowFilter = {
  ...{ severities: [], statuses: [], types: [], openOnly: false, from: null, to: null, location: 'any' },
};

describe('an incident of which the page knows only the id and the place', () => {
  it.each([
    { openOnly: true },
    { from: now - 2 * hour },
    { to: now },
    { from: now - 2 * hour, to: now - hour, openOnly: true },
  ])('passes a filter by time and by what is open: %j', (change) => {
    expect([...filterRows(table, { ...everything, ...change }).rows]).toContain(1);
  });

  it('is found by a search for the last hours', () => {
    const context = {
      ...{ distances: null, now, anchored: () => new Set<number>(), beside: () => null, area: () => null },
    };
    const search = new TableSearch(table, context);
    search.ask([{ kind: 'since', ms: 2 * hour, said: 'since:2h' }], context);
    search.step(() => false);
    expect([...(search.result()?.found ?? [])]).toEqual([1, 1, 0]);
  });

  it('stands before those of a known time, the newest first, and with the worst', () => {
    expect([...sortRows(table, all, 'created', 'descending')]).toEqual([1, 0, 2]);
    expect([...sortRows(table, all, 'created', 'ascending')]).toEqual([2, 0, 1]);
    expect([...sortRows(table, all, 'severity', 'descending')]).toEqual([1, 0, 2]);
  });

  it('is in no bar of the timeline, and disturbs none', () => {
    const bars = histogram(table, all, Float64Array.of(now - 4 * hour, now - 2 * hour, now));
    expect([bars.before, bars.after, bars.counts.reduce((sum, one) => sum + one, 0)]).toEqual([1, 0, 1]);
  });

  it('has no count', () => {
    expect([table.countAt('evidenceCount', 1), table.countAt('anchorCount', 1)]).toEqual([null, null]);
    expect(table.countAt('evidenceCount', 0)).toBe(0);
  });
});
