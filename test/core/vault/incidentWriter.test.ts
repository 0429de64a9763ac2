import { beforeEach, describe, expect, it } from 'vitest';
import { makeFailure } from '../../../src-main/core/base/failure.ts';
import type {
  CacheChange,
  IncidentCache,
  StoredIncident,
} from '../../../src-main/core/state/incidentCache.ts';
import { IncidentWriter } from '../../../src-main/core/vault/incidentWriter.ts';
import { failed, ok, type Failure, type Result } from '../../../src-preload/contract/index.ts';
import { createVirtualClock, flush, type VirtualClock } from '../../support/clock.ts';
import { createTestStore, record, upsertOf } from '../state/storeFixtures.ts';

const full = makeFailure({ code: 'storage-failed', at: 0, sentence: { text: 'The disk is full.' } });

interface ScriptedCache extends IncidentCache {
  readonly rows: Map<string, StoredIncident>;
  readonly documents: Map<string, string>;
  readonly changes: CacheChange[];
  /** What the next writes answer; null lets them through. */
  failure: Failure | null;
  damaged: number;
  older: boolean;
}

function createScriptedCache(): ScriptedCache {
  const cache: ScriptedCache = {
    rows: new Map(),
    documents: new Map(),
    changes: [],
    failure: null,
    damaged: 0,
    older: false,
    async load(take) {
      if (cache.failure) return failed(cache.failure);
      await take([...cache.rows.values()]);
      return ok({ incidents: cache.rows.size, damaged: cache.damaged, older: cache.older });
    },
    write(change): Promise<Result<null>> {
      cache.changes.push(change);
      if (cache.failure) return Promise.resolve(failed(cache.failure));
      for (const row of change.upserts) cache.rows.set(row.record.id, row);
      for (const id of change.removals) cache.rows.delete(id);
      for (const [name, text] of Object.entries(change.documents)) cache.documents.set(name, text);
      return Promise.resolve(ok(null));
    },
    document: (name) => Promise.resolve(ok(cache.documents.get(name) ?? null)),
    size: () => Promise.resolve(ok({ incidents: cache.rows.size, bytes: 0 })),
  };
  return cache;
}

let clock: VirtualClock;
let cache: ScriptedCache;
let problems: (Failure | null)[];

beforeEach(() => {
  clock = createVirtualClock();
  cache = createScriptedCache();
  problems = [];
});

function createKeeping(store = createTestStore()): {
  incidentWriter: IncidentWriter;
  store: ReturnType<typeof createTestStore>;
} {
  const incidentWriter = new IncidentWriter({
    cache,
    store,
    clock,
    onStored: () => undefined,
    onProblem: (problem) => problems.push(problem),
  });
  return { incidentWriter, store };
}

const upserts = (ids: readonly string[]) => ids.map((id) => upsertOf(record(id)));

describe('keeping the store in a vault', () => {
  it('restores what was written, with its ledger, and writes no row again', async () => {
    const first = createKeeping();
    await first.incidentWriter.restore();
    await first.store.applyRows({ upserts: upserts(['a', 'b', 'c']), removals: [] });
    first.incidentWriter.noteLedger('the ledger');
    await clock.advance(1_000);
    await first.incidentWriter.finish();
    cache.changes.length = 0;

    const second = createKeeping();
    expect(await second.incidentWriter.restore()).toEqual({
      incidents: 3,
      damaged: 0,
      older: false,
      ledger: 'the ledger',
    });
    expect([...second.store.incidents.ids()].sort()).toEqual(['a', 'b', 'c']);
    expect(second.store.incidents.stored('a')).toEqual(first.store.incidents.stored('a'));
    await clock.advance(60_000);
    // The ledger as it was read tries the disk.
    expect(cache.changes).toEqual([{ upserts: [], removals: [], documents: { ledger: 'the ledger' } }]);
  });

  it('says at the opening that the disk cannot be written, and without a change that it can again', async () => {
    const { incidentWriter } = createKeeping();
    cache.load = () => Promise.resolve(ok({ incidents: 0, damaged: 0, older: false }));
    cache.failure = full;
    await incidentWriter.restore();
    expect(problems).toEqual([full]);
    await clock.advance(30_000);
    expect(problems).toEqual([full, full]);
    cache.failure = null;
    await clock.advance(30_000);
    expect(problems).toEqual([full, full, null]);
    const tries = cache.changes.length;
    await clock.advance(120_000);
    expect(cache.changes).toHaveLength(tries);
  });

  it('writes removals, and a row that came back after one', async () => {
    const { incidentWriter, store } = createKeeping();
    await incidentWriter.restore();
    await store.applyRows({ upserts: upserts(['a', 'b']), removals: [] });
    await clock.advance(1_000);
    await store.applyRows({ upserts: [], removals: ['a', 'b'] });
    await store.applyRows({ upserts: upserts(['b']), removals: [] });
    await clock.advance(1_000);
    expect([...cache.rows.keys()]).toEqual(['b']);
  });

  it('never writes the ledger before the rows that it vouches for', async () => {
    const { incidentWriter, store } = createKeeping();
    await incidentWriter.restore();
    const ids = Array.from({ length: 5_000 }, (_, index) => `id-${String(index)}`);
    await store.applyRows({ upserts: upserts(ids), removals: [] });
    incidentWriter.noteLedger('all of it');
    let written = 0;
    await clock.advance(10_000);
    for (const change of cache.changes) {
      written += change.upserts.length;
      expect(change.upserts.length).toBeLessThanOrEqual(2_000);
      if ('ledger' in change.documents) expect(written).toBe(5_000);
    }
    expect(cache.documents.get('ledger')).toBe('all of it');
  });

  it('a disk that fails is said once more when it works again, and nothing is lost meanwhile', async () => {
    const { incidentWriter, store } = createKeeping();
    await incidentWriter.restore();
    cache.failure = full;
    await store.applyRows({ upserts: upserts(['a', 'b']), removals: [] });
    incidentWriter.noteLedger('one');
    await clock.advance(600_000);
    expect(problems.every((problem) => problem?.code === 'storage-failed')).toBe(true);
    expect(problems.length).toBeGreaterThan(1);
    expect(cache.changes.length).toBeLessThan(25);
    await store.applyRows({ upserts: upserts(['c']), removals: ['b'] });
    cache.failure = null;
    await clock.advance(60_000);
    expect([...cache.rows.keys()].sort()).toEqual(['a', 'c']);
    expect(cache.documents.get('ledger')).toBe('one');
    expect(problems.at(-1)).toBeNull();
  });

  it('writes at the end what still waits, although the store is emptied at once', async () => {
    const { incidentWriter, store } = createKeeping();
    await incidentWriter.restore();
    await store.applyRows({ upserts: upserts(['a', 'b']), removals: [] });
    incidentWriter.noteLedger('end');
    const finished = incidentWriter.finish();
    store.beginEpoch();
    await finished;
    await flush();
    expect([...cache.rows.keys()].sort()).toEqual(['a', 'b']);
    expect(cache.documents.get('ledger')).toBe('end');
    await store.applyRows({ upserts: upserts(['later']), removals: [] });
    await clock.advance(60_000);
    expect(cache.rows.has('later')).toBe(false);
  });

  it('writes at the end once more what a write under way could not', async () => {
    const { incidentWriter, store } = createKeeping();
    await incidentWriter.restore();
    const { write } = cache;
    let refuse = (): void => undefined;
    cache.write = () =>
      new Promise((resolve) => {
        refuse = () => {
          cache.write = write;
          resolve(failed(full));
        };
      });
    await store.applyRows({ upserts: upserts(['a', 'b']), removals: [] });
    await clock.advance(1_000);
    const finished = incidentWriter.finish();
    store.beginEpoch();
    refuse();
    await finished;
    expect([...cache.rows.keys()].sort()).toEqual(['a', 'b']);
  });

  it('does not trust the ledger when a row was damaged', async () => {
    cache.documents.set('ledger', 'all is known');
    cache.damaged = 1;
    expect(await createKeeping().incidentWriter.restore()).toMatchObject({ damaged: 1, ledger: null });
  });

  it('does not trust the ledger when rows are older ones', async () => {
    cache.documents.set('ledger', 'all is known');
    cache.older = true;
    expect(await createKeeping().incidentWriter.restore()).toMatchObject({ older: true, ledger: null });
  });

  it('a vault that cannot be read leaves the store empty and says so', async () => {
    cache.failure = full;
    const { incidentWriter } = createKeeping();
    expect(await incidentWriter.restore()).toEqual({ incidents: 0, damaged: 0, older: false, ledger: null });
    expect(problems).toEqual([full]);
  });
});
