import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createVaultStorage } from '../../../src-main/adapters/vault/storage.ts';
import type { CacheKeys, CacheStore, StoredChange } from '../../../src-main/core/vault/storage.ts';
import { createVirtualClock, type VirtualClock } from '../../support/clock.ts';
import { watchThreads, type Threads } from '../../support/threads.ts';
import { temporaryFolder } from '../support.ts';

const id = '0123456789abcdef0123456789abcdef';
const interrupted = expect.objectContaining({ name: 'StorageError', reason: 'interrupted' }) as unknown;
const keysOf = (): CacheKeys => ({
  identity: 'one',
  records: new Uint8Array(32).fill(1),
  lookup: new Uint8Array(32).fill(2),
  documents: new Uint8Array(32).fill(3),
});
const entry = (number: number): string => JSON.stringify({ number, text: 'x'.repeat(40) });
const change = (from: number, count: number): StoredChange => {
  const numbers = Array.from({ length: count }, (_, index) => from + index);
  return {
    upserts: {
      ids: numbers.map((number) => `id-${String(number)}`),
      entries: new TextEncoder().encode(numbers.map(entry).join(',\n')),
    },
    removals: [],
    documents: { ledger: String(from + count) },
  };
};

let threads: Threads;
beforeEach(() => {
  threads = watchThreads();
});
afterEach(() => {
  threads.stop();
});

interface Scene {
  readonly store: CacheStore;
  readonly clock: VirtualClock;
  readonly dataDir: string;
  readonly lost: () => number;
}

async function scene(use: (scene: Scene) => Promise<void>): Promise<void> {
  const dataDir = await temporaryFolder();
  const clock = createVirtualClock();
  let losses = 0;
  const storage = createVaultStorage({ dataDir, clock, onThreadLost: () => (losses += 1) });
  const keys = keysOf();
  await storage.write(id, 'about.json', new Uint8Array(1));
  const { store } = await storage.openCache({ id, keys, now: clock.wallNow(), fresh: true });
  // As the vault does it: whoever opens overwrites its own.
  for (const key of [keys.records, keys.lookup, keys.documents]) key.fill(0);
  try {
    await use({ store, clock, dataDir, lost: () => losses });
  } finally {
    await store.close().catch(() => undefined);
    await storage.close();
  }
}

async function numbersIn(store: CacheStore): Promise<number[]> {
  const numbers: number[] = [];
  await store.load((json) => {
    const list = JSON.parse(Buffer.from(json).toString('utf8')) as { number: number }[];
    numbers.push(...list.map(({ number }) => number));
  });
  return numbers.sort((a, b) => a - b);
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

test('a write that was under way when its thread died is done by the next thread, with the key that is held', async () => {
  await scene(async ({ store, lost }) => {
    await store.write(change(0, 500));
    const writes = [500, 1_000, 1_500].map((from) => store.write(change(from, 500)));
    expect(await threads.kill('vault cache')).toBe(true);
    await Promise.all(writes);
    expect(await numbersIn(store)).toEqual(upTo(2_000));
    expect(await store.document('ledger')).toEqual({ text: '2000', damaged: false });
    expect(threads.started('vault cache')).toBe(2);
    expect(lost()).toBe(0);
  });
});

test('a thread that died idle is noticed by the next question, and not asked to close', async () => {
  await scene(async ({ store }) => {
    await store.write(change(0, 10));
    await threads.kill('vault cache');
    expect(await store.count()).toBe(10);
    await threads.kill('vault cache');
    await store.close();
  });
});

test('a load that was cut hands over each entry once', async () => {
  await scene(async ({ store, clock }) => {
    for (let from = 0; from < 9_000; from += 1_500) await store.write(change(from, 1_500));
    const numbers: number[] = [];
    let batches = 0;
    const loading = store.load(async (json) => {
      const list = JSON.parse(Buffer.from(json).toString('utf8')) as { number: number }[];
      batches += 1;
      if (batches === 2) await threads.kill('vault cache');
      numbers.push(...list.map(({ number }) => number));
    });
    const { incidents, damaged } = await clock.drive(loading);
    expect({ incidents, damaged }).toEqual({ incidents: 9_000, damaged: 0 });
    expect(numbers.sort((a, b) => a - b)).toEqual(upTo(9_000));
    expect(threads.started('vault cache')).toBe(2);
  });
});

test('one that keeps dying is started three times in five minutes, each time later, and then it is said', async () => {
  await scene(async ({ store, clock, lost }) => {
    const killed = async (): Promise<void> => {
      expect(await threads.kill('vault cache')).toBe(true);
    };
    await store.write(change(0, 5));
    for (const waitMs of [0, 1_000, 5_000]) {
      await killed();
      let answered = false;
      const counting = store.count().then((count) => {
        answered = true;
        return count;
      });
      if (waitMs > 0) {
        await clock.advance(waitMs - 1);
        expect(answered).toBe(false);
        await clock.advance(1);
      }
      expect(await counting).toBe(5);
    }
    await killed();
    await expect(store.write(change(5, 5))).rejects.toEqual(interrupted);
    await expect(store.count()).rejects.toEqual(interrupted);
    expect(lost()).toBe(2);
    await clock.advance(5 * 60_000);
    expect(await store.count()).toBe(5);
  });
});

test('a file that is missing when it is opened again is not replaced unnoticed', async () => {
  await scene(async ({ store, clock, dataDir, lost }) => {
    await store.write(change(0, 5));
    await threads.kill('vault cache');
    await rm(join(dataDir, 'vaults', id, 'cache.sqlite'));
    await rm(join(dataDir, 'vaults', id, 'cache.sqlite-wal'), { force: true });
    await expect(store.count()).rejects.toEqual(interrupted);
    // Nothing was begun in its place: the next start says what is missing.
    expect(existsSync(join(dataDir, 'vaults', id, 'cache.sqlite'))).toBe(false);
    await clock.advance(60 * 60_000);
    await expect(store.write(change(5, 5))).rejects.toEqual(interrupted);
    expect(lost()).toBeGreaterThanOrEqual(2);
  });
});
