import { describe, expect, it } from 'vitest';
import { decodeIncidentFrame, encodeIncidentFrame, incidentId } from '../../../src-preload/contract/index.ts';
import { Dictionary } from '../../../src-main/core/store/dictionary.ts';
import { IncidentTable } from '../../../src-main/core/store/incidentTable.ts';
import { createTestStore, record, upsertOf } from './storeFixtures.ts';

const seen = { seenAt: 7, arrivedAt: 0 };

describe('the incident table', () => {
  it('gives each row a key of its own that is never used again', () => {
    const table = new IncidentTable();
    table.upsert(record('a'), seen, 1);
    table.remove('a', 2);
    table.upsert(record('a'), seen, 3);
    table.upsert(record('b'), seen, 3);
    expect([...(table.frameSince(null)?.columns.key ?? [])].sort()).toEqual([2, 3]);
    expect(table.detail(1)).toBeNull();
    expect(table.detail(2)?.id).toBe('a');
  });

  it('takes a row that says the same for no change, and notes that it was seen', () => {
    const table = new IncidentTable();
    expect(table.upsert(record('a'), seen, 1)).toBe(true);
    expect(table.upsert(record('a'), { seenAt: 9, arrivedAt: 9 }, 2)).toBe(false);
    expect(table.frameSince(1)).toBeNull();
    expect(table.detail(1)).toMatchObject({ firstSeenAt: 7, lastSeenAt: 9 });
    expect(table.upsert(record('a', { otherFields: [{ name: 'n', json: '1' }] }), seen, 3)).toBe(true);
  });

  it('counts rows without a location through changes and removals', () => {
    const table = new IncidentTable();
    table.upsert(record('a', { location: null }), seen, 1);
    table.upsert(record('b', { location: null }), seen, 1);
    table.upsert(record('a'), seen, 2);
    expect(table.withoutLocation).toBe(1);
    table.remove('b', 3);
    expect(table.withoutLocation).toBe(0);
    table.upsert(record('a', { location: null }), seen, 4);
    expect(table.withoutLocation).toBe(1);
  });

  it('gives all rows when the removals since then are forgotten', () => {
    const table = new IncidentTable();
    table.upsert(record('stays'), seen, 1);
    for (let revision = 2; revision < 20_002; revision += 1) {
      table.upsert(record('x'), seen, revision);
      table.remove('x', revision);
    }
    expect(table.frameSince(1)?.complete).toBe(true);
    expect(table.frameSince(20_000)?.complete).toBe(false);
    expect(table.frameSince(20_000)?.removed).toHaveLength(1);
  });

  it('carries ids of any script, and hostile ones, whole', () => {
    const table = new IncidentTable();
    const ids = ['плам', '火災', '🚁', '__proto__', 'constructor', 'a\u0000b', '<b>', '\ud800'];
    for (const id of ids) table.upsert(record(id), seen, 1);
    const frame = table.frameSince(null);
    if (!frame) throw new Error('No frame');
    const { columns } = decodeIncidentFrame(encodeIncidentFrame(frame));
    const came = Array.from({ length: columns.length }, (_, index) => incidentId(columns, index));
    expect(came).toEqual(ids.map((id) => id.toWellFormed()));
  });
});

describe('a dictionary', () => {
  it('keeps indices and shares one after its limit', () => {
    const dictionary = new Dictionary(2);
    expect(['a', 'b', 'c', 'd', 'a'].map((value) => dictionary.indexOf(value))).toEqual([0, 1, 2, 2, 0]);
    expect(dictionary.values).toEqual(['a', 'b', '(other)']);
  });
});

describe('the store', () => {
  it('takes a slice that says the same for no change', () => {
    const store = createTestStore();
    const { revision } = store;
    store.set('preferences', { ...store.slice('preferences') });
    expect(store.revision).toBe(revision);
    store.patch('preferences', { theme: 'night' });
    expect(Object.keys(store.slicesSince(revision))).toEqual(['preferences']);
  });

  it('lets the loop go on while it writes 100,000 rows', async () => {
    const store = createTestStore();
    const upserts = Array.from({ length: 100_000 }, (_, index) => upsertOf(record(`inc-${String(index)}`)));
    let turns = 0;
    let writing = true;
    const count = (): void => {
      turns += 1;
      if (writing) setImmediate(count);
    };
    setImmediate(count);
    await store.applyRows({ upserts, removals: [] });
    writing = false;
    expect(store.incidents.count).toBe(100_000);
    expect(turns).toBeGreaterThan(20);
  });

  it('keeps nothing of a change that the end of its epoch overtook', async () => {
    const store = createTestStore();
    const upserts = Array.from({ length: 10_000 }, (_, index) => upsertOf(record(`inc-${String(index)}`)));
    const applied = store.applyRows({ upserts, removals: [] });
    store.beginEpoch();
    expect(await applied).toBe(false);
    expect(store.incidents.count).toBe(0);
    expect(store.writing).toBe(false);
  });
});
