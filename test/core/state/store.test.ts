import { describe, expect, it } from 'vitest';
import { Dictionary } from '../../../src-main/core/state/dictionary.ts';
import { IncidentTable } from '../../../src-main/core/state/incidentTable.ts';
import { decodeIncidentFrame, encodeIncidentFrame, incidentId } from '../../../src-preload/contract/index.ts';
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
    let yielding = 0;
    let writing = true;
    const count = (): void => {
      yielding += 1;
      if (writing) setImmediate(count);
    };
    setImmediate(count);
    await store.applyRows({ upserts, removals: [] });
    writing = false;
    expect(store.incidents.count).toBe(100_000);
    expect(yielding).toBeGreaterThan(3);
  });

  it('keeps nothing of a change that the end of its epoch overtook', async () => {
    const store = createTestStore();
    const upserts = Array.from({ length: 200_000 }, (_, index) => upsertOf(record(`inc-${String(index)}`)));
    const applied = store.applyRows({ upserts, removals: [] });
    store.beginEpoch();
    expect(await applied).toBe(false);
    expect(store.incidents.count).toBe(0);
    expect(store.writing).toBe(false);
  });

  it('tells which rows have to be written anew and which are gone, not which were merely seen', async () => {
    const store = createTestStore();
    const heard: [readonly string[], readonly string[]][] = [];
    const stop = store.onRows((changed, removed) => heard.push([[...changed], [...removed]]));
    await store.applyRows({ upserts: [upsertOf(record('a')), upsertOf(record('b'))], removals: [] });
    await store.applyRows({ upserts: [upsertOf(record('a'))], removals: [] });
    await store.applyRows({
      upserts: [upsertOf(record('a', { status: 'resolved' }))],
      removals: ['b', 'none'],
    });
    await store.applyRows({ upserts: [], removals: [], marks: [{ id: 'a', since: 9 }] });
    await store.applyRows({ upserts: [], removals: [], marks: [{ id: 'a', since: 10 }] });
    await store.applyRows({ upserts: [upsertOf(record('a', { status: 'resolved' }))], removals: [] });
    await store.restore([
      { record: record('c'), firstSeenAt: 1, lastSeenAt: 2, arrivedAt: 0, notReturnedSince: null },
    ]);
    stop();
    await store.applyRows({ upserts: [], removals: ['a'] });
    expect(heard).toEqual([
      [['a', 'b'], []],
      [['a'], ['b']],
      [['a'], []],
      [['a'], []],
    ]);
  });

  it('gives and takes rows as they are kept, and a row that came since stays as it is', async () => {
    const store = createTestStore();
    const kept = [
      { record: record('a'), firstSeenAt: 1, lastSeenAt: 2, arrivedAt: 1, notReturnedSince: 7 },
      { record: record('b'), firstSeenAt: 3, lastSeenAt: 4, arrivedAt: 0, notReturnedSince: null },
    ];
    await store.applyRows({ upserts: [upsertOf(record('b', { status: 'resolved' }))], removals: [] });
    await store.restore(kept);
    expect(store.incidents.stored('a')).toEqual(kept[0]);
    expect(store.incidents.stored('b')?.record.status).toBe('resolved');
    expect(store.incidents.stored('none')).toBeNull();
    expect(store.incidents.notReturned).toBe(1);
    expect(store.incidents.idsNotReturned()).toEqual(['a']);
  });

  it('shows the mark of a row that is no longer returned in its frames, until it is returned', async () => {
    const store = createTestStore();
    const marks = (): number[] => [...(store.incidents.frameSince(null)?.columns.notReturned ?? [])];
    await store.applyRows({ upserts: [upsertOf(record('a')), upsertOf(record('b'))], removals: [] });
    const { revision } = store;
    await store.applyRows({ upserts: [], removals: [], marks: [{ id: 'b', since: 9 }] });
    expect(marks()).toEqual([0, 1]);
    expect([...(store.incidents.frameSince(revision)?.columns.notReturned ?? [])]).toEqual([1]);
    expect(store.incidents.stored('b')?.notReturnedSince).toBe(9);
    await store.applyRows({ upserts: [upsertOf(record('b'))], removals: [] });
    expect(marks()).toEqual([0, 0]);
    // A slot that is used again begins without a mark.
    await store.applyRows({ upserts: [], removals: [], marks: [{ id: 'a', since: 9 }] });
    await store.applyRows({ upserts: [upsertOf(record('c'))], removals: ['a'] });
    expect(marks()).toEqual([0, 0]);
    expect(store.incidents.notReturned).toBe(0);
  });

  it('finds the incidents of a stretch of time, bounds included', async () => {
    const store = createTestStore();
    const upserts = [1_000, 2_000, 3_000].map((createdAt) =>
      upsertOf(record(String(createdAt), { createdAt })),
    );
    await store.applyRows({ upserts, removals: [] });
    await store.applyRows({ upserts: [], removals: ['3000'] });
    expect(store.incidents.idsBetween(1_000, 2_000)).toEqual(['1000', '2000']);
    expect(store.incidents.idsBetween(1_001, null)).toEqual(['2000']);
    expect(store.incidents.idsBetween(null, null)).toEqual(['1000', '2000']);
  });
});
