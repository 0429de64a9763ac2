import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ClusterReply, ClusterRequest } from '../../../src-renderer/map/clusters/messages.ts';
import type { PointColumns } from '../../../src-renderer/map/clusters/points.ts';
import { MarksLayer } from '../../../src-renderer/map/marksLayer.ts';

const points = (length: number): PointColumns => ({
  length,
  key: new Uint32Array(length),
  longitude: new Float64Array(length),
  latitude: new Float64Array(length),
  rank: new Uint8Array(length),
  gone: new Uint8Array(length),
  open: new Uint8Array(length).fill(1),
});

/** A worker that indexes at once and keeps each tile until it is told to hand it over. */
class HeldWorker extends EventTarget {
  readonly held: (() => void)[] = [];
  readonly languages: string[] = [];
  #count = 0;
  postMessage(request: ClusterRequest): void {
    switch (request.kind) {
      case 'points':
        this.#count = request.points.length;
        this.say({
          kind: 'indexed',
          version: request.version,
          count: this.#count,
          bounds: null,
          worst: null,
        });
        break;
      case 'tile': {
        // What it knows when it is asked, as the real one.
        const bytes = Uint8Array.of(this.#count).buffer;
        this.languages.push(request.language);
        this.held.push(() => {
          this.say({ kind: 'tile', id: request.id, bytes });
        });
        break;
      }
      // Asked of no map here.
      case 'marks':
      case 'members':
        break;
    }
  }
  terminate(): void {
    this.held.length = 0;
  }
  say(reply: ClusterReply): void {
    this.dispatchEvent(new MessageEvent('message', { data: reply }));
  }
}

/**
 * A map of one tile, as far as MapLibre's is one (its vector_tile_source.ts): a tile that is waited for is not
 * asked for again; one that is there is, and stays on the screen meanwhile.
 */
function open() {
  const worker = new HeldWorker();
  const drawn: number[] = [];
  const state = { drawable: true, restarted: 0 };
  let render = (): void => undefined;
  let waiting = 0;
  let shown: number | null = null;
  const ask = async (): Promise<void> => {
    waiting += 1;
    const bytes = await layer.tile(0, 0, 0);
    waiting -= 1;
    shown = new Uint8Array(bytes)[0] ?? 0;
    render();
  };
  const layer = new MarksLayer({
    map: {
      on: (_: string, listener: () => void) => {
        render = listener;
      },
      isSourceLoaded: () => waiting === 0,
      refreshTiles: () => {
        if (shown !== null) void ask();
      },
    } as never,
    isDrawable: () => state.drawable,
    language: 'en',
    onIndexed: () => undefined,
    onDrawn: (count) => drawn.push(count),
    onRestarted: () => (state.restarted += 1),
    start: () => worker as never,
  });
  /** Hands the oldest tile over, and lets everybody hear of it. */
  const hand = async (): Promise<void> => {
    worker.held.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { layer, worker, drawn, state, ask, hand, render: () => render(), shows: () => shown };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', { fonts: { load: () => Promise.resolve([]) } });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a tile that was waited for while the incidents changed is asked for once more', async () => {
  const { layer, worker, drawn, ask, hand, shows } = open();
  layer.setPoints(points(1));
  void ask();
  layer.setPoints(points(2));
  expect(worker.held, 'MapLibre waits for the first answer').toHaveLength(1);
  await hand();
  expect(shows()).toBe(1);
  expect(drawn, 'what is drawn is of before').toEqual([]);
  expect(worker.held).toHaveLength(1);
  await hand();
  expect(shows()).toBe(2);
  expect(drawn).toEqual([2]);
  expect(worker.held, 'and not again without a need').toEqual([]);
  layer.close();
});

test('a language that comes while a tile is waited for is said in the end, of the same incidents', async () => {
  const { layer, worker, drawn, ask, hand } = open();
  layer.setPoints(points(1));
  void ask();
  await hand();
  expect(drawn).toEqual([1]);
  void ask();
  await layer.setLanguage('hi');
  while (worker.held.length > 0) await hand();
  expect(worker.languages.at(-1)).toBe('hi');
  expect(drawn, 'nothing new').toEqual([1]);
  const asked = worker.languages.length;
  await layer.setLanguage('hi');
  expect(worker.languages).toHaveLength(asked);
  layer.close();
});

test('of two languages that were chosen one after the other the later one is said', async () => {
  const { layer, worker, ask, hand } = open();
  layer.setPoints(points(1));
  void ask();
  await hand();
  await Promise.all([layer.setLanguage('ar'), layer.setLanguage('hi'), layer.setLanguage('fr')]);
  await hand();
  expect(worker.languages).toEqual(['en', 'fr']);
  layer.close();
});

test('each change is drawn from tiles of its own, and how long that took is known', async () => {
  const { layer, drawn, ask, hand } = open();
  expect(layer.drawTime).toBe(0);
  layer.setPoints(points(1));
  void ask();
  vi.advanceTimersByTime(30);
  await hand();
  expect(layer.drawTime).toBe(30);
  layer.setPoints(points(2));
  vi.advanceTimersByTime(20);
  layer.setPoints(points(3));
  vi.advanceTimersByTime(20);
  while (drawn.at(-1) !== 3) await hand();
  expect(layer.drawTime, 'from the first change that was not drawn').toBe(40);
  layer.close();
});

test('a map that lost its graphics asks for nothing, draws what it has when they are back, and was not slow', async () => {
  const { layer, worker, drawn, state, ask, hand, render } = open();
  layer.setPoints(points(1));
  void ask();
  vi.advanceTimersByTime(10);
  await hand();
  layer.setPoints(points(2));
  state.drawable = false;
  layer.stop();
  layer.setPoints(points(3));
  vi.advanceTimersByTime(20_000);
  while (worker.held.length > 0) await hand();
  render();
  expect(drawn).toEqual([1]);
  state.drawable = true;
  layer.apply();
  await hand();
  expect(drawn).toEqual([1, 3]);
  expect(layer.drawTime).toBe(10);
  layer.close();
});
