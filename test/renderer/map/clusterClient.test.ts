import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ClusterClient } from '../../../src-renderer/map/clusters/client.ts';
import type { ClusterReply, ClusterRequest } from '../../../src-renderer/map/clusters/messages.ts';
import type { PointColumns } from '../../../src-renderer/map/clusters/points.ts';

/** A worker that answers when it is told to. */
class FakeWorker extends EventTarget {
  readonly asked: ClusterRequest[] = [];
  ended = false;
  postMessage(request: ClusterRequest): void {
    this.asked.push(request);
  }
  terminate(): void {
    this.ended = true;
  }
  say(reply: ClusterReply): void {
    this.dispatchEvent(new MessageEvent('message', { data: reply }));
  }
  indexed(): void {
    this.say({ kind: 'indexed', version: 1, count: 1, bounds: null, worst: null });
  }
}

const points = (): PointColumns => ({
  length: 1,
  key: Uint32Array.of(1),
  longitude: Float64Array.of(0),
  latitude: Float64Array.of(0),
  rank: Uint8Array.of(0),
  gone: Uint8Array.of(0),
  open: Uint8Array.of(1),
});

let workers: FakeWorker[];
let indexed: number;
let restarted: number;
let client: ClusterClient;

beforeEach(() => {
  vi.useFakeTimers();
  workers = [];
  indexed = 0;
  restarted = 0;
  client = new ClusterClient({
    start: () => {
      const worker = new FakeWorker();
      workers.push(worker);
      return worker;
    },
    onIndexed: () => (indexed += 1),
    onRestarted: () => {
      restarted += 1;
      client.setPoints(points());
    },
  });
});
afterEach(() => {
  client.close();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

const last = (): FakeWorker => workers.at(-1) as FakeWorker;
const kinds = (worker: FakeWorker): string[] => worker.asked.map(({ kind }) => kind);

test.each(['error', 'messageerror'])(
  'a worker with an %s is replaced, and given the points',
  async (name) => {
    client.setPoints(points());
    last().indexed();
    const tile = client.tile(1, 0, 0, 'en');
    const members = client.members(1, 0, 0);
    last().dispatchEvent(new Event(name));
    // MapLibre must not wait for ever for a tile that nobody makes.
    expect((await tile).byteLength).toBe(0);
    expect(await members).toBeNull();
    expect(workers.map(({ ended }) => ended)).toEqual([true, false]);
    expect(kinds(last())).toEqual(['points']);
    last().indexed();
    expect(indexed).toBe(2);
  },
);

test('a worker that the browser ended is noticed by its silence', async () => {
  client.setPoints(points());
  last().indexed();
  const tile = client.tile(1, 0, 0, 'en');
  vi.advanceTimersByTime(29_999);
  expect(workers).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(workers).toHaveLength(2);
  expect((await tile).byteLength).toBe(0);
});

test('a worker that is slow but answers is left alone, and so is one that nothing is asked of', () => {
  client.setPoints(points());
  for (let count = 0; count < 5; count += 1) void client.tile(1, count, 0, 'en');
  for (const { id } of last().asked.flatMap((request) => (request.kind === 'tile' ? [request] : []))) {
    vi.advanceTimersByTime(25_000);
    last().say({ kind: 'tile', id, bytes: new ArrayBuffer(1) });
  }
  vi.advanceTimersByTime(25_000);
  last().indexed();
  vi.advanceTimersByTime(600_000);
  expect(workers).toHaveLength(1);
});

test('one that keeps dying is not started for ever, and gets another chance with a later change', async () => {
  for (let count = 0; count < 6; count += 1) last().dispatchEvent(new Event('error'));
  expect(workers).toHaveLength(4);
  expect(restarted).toBe(3);
  expect((await client.tile(1, 0, 0, 'en')).byteLength).toBe(0);
  client.setPoints(points());
  expect(workers).toHaveLength(4);
  vi.advanceTimersByTime(300_000);
  client.setPoints(points());
  expect(workers).toHaveLength(5);
  expect(kinds(last())).toEqual(['points']);
});

test('what an ended worker still says is not heard', () => {
  client.setPoints(points());
  const [first] = workers;
  first?.dispatchEvent(new Event('error'));
  first?.indexed();
  first?.dispatchEvent(new Event('error'));
  expect(indexed).toBe(0);
  expect(workers).toHaveLength(2);
});
