import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { nextTick } from 'vue';
import { encodeIncidentFrame, ok, type Result } from '../../../../../src-preload/contract/index.ts';
import { useMirror } from '../../../../../src-renderer/base/stores/mirror.ts';
import { useUi } from '../../../../../src-renderer/base/stores/ui.ts';
import { useAnchors } from '../../../../../src-renderer/features/incidents/search/anchorsStore.ts';
import { useSearch } from '../../../../../src-renderer/features/incidents/search/searchStore.ts';
import { createPage } from '../../../pageRig.ts';
import { FrameMaker, type ModelRow } from '../../../table/frames.ts';

const row = (key: number, type: string): ModelRow => ({
  ...{ key, type, id: `id-${key}`, severity: 'low', status: 'open', createdAt: 0, latitude: 1, longitude: 1 },
  ...{ arrivedAt: 0, evidenceCount: 0, anchorCount: 0, notReturned: 0 },
});

type Anchors = { keys: number[]; more: boolean };

function open() {
  const asked: { text: string; answer: (value: Anchors) => void }[] = [];
  /** The numbers of towns by key; of the rest nothing is near. */
  const nearest = new Map<number, number>();
  const page = createPage({
    readTowns: ({ keys }: { keys: number[] }) =>
      Promise.resolve(
        ok({
          towns: [{ id: 7, name: 'Nowhere Bay', english: 'Nowhere Bay', country: '' }],
          of: keys.map((key) => nearest.get(key) ?? -1),
        }),
      ),
    findAnchors: ({ text }: { text: string }) =>
      new Promise<Result<Anchors>>((resolve) => {
        asked.push({
          text,
          answer: (value) => {
            resolve(ok(value));
          },
        });
      }),
  });
  const stores = page.run(() => ({
    mirror: useMirror(),
    ui: useUi(),
    anchors: useAnchors(),
    search: useSearch(),
  }));
  const frames = new FrameMaker();
  let revision = 0;
  const send = (rows: ModelRow[], epoch = 'a', removed: number[] = []): void => {
    const complete = revision === 0 || stores.mirror.epoch !== epoch;
    revision += 1;
    const incidents = encodeIncidentFrame(frames.frame(rows, complete, removed));
    page.push({ epoch, revision, base: complete ? null : revision - 1, slices: {}, incidents });
  };
  const foundKeys = (): number[] | null => {
    const { found } = stores.search;
    if (found === null) return null;
    expect(found).toHaveLength(stores.mirror.table.length);
    return [...stores.mirror.table.columns.key].filter((_, at) => found[at] === 1).sort((a, b) => a - b);
  };
  return { ...stores, nearest, asked, send, foundKeys };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});
const later = (ms: number) => vi.advanceTimersByTimeAsync(ms);

it('finds while typing, is right at once after a change of the table, and ends with the text', async () => {
  const { ui, search, send, foundKeys } = open();
  send([row(1, 'fire'), row(2, 'flood'), row(3, 'fire')]);
  ui.search = 'type:fl';
  await later(50);
  expect(foundKeys()).toEqual([2]);
  // The last row takes the place of the one that went, and a row changes what it is.
  send([row(1, 'flood')], 'a', [2]);
  expect(foundKeys()).toEqual([1]);
  expect(search.findings).toEqual({ total: 1, words: [{ said: 'type:fl', count: 1 }] });
  search.clear();
  await nextTick();
  expect(foundKeys()).toBeNull();
  expect(search.findings).toBeNull();
});

it('begins again in another epoch, where keys are other incidents', async () => {
  const { ui, send, foundKeys } = open();
  send([row(1, 'fire'), row(2, 'flood')]);
  ui.search = 'type:fire';
  await later(50);
  expect(foundKeys()).toEqual([1]);
  send([row(1, 'flood'), row(2, 'flood'), row(3, 'fire')], 'b');
  expect(foundKeys()).toEqual([]);
  await later(50);
  expect(foundKeys()).toEqual([3]);
});

it('asks for anchors once the typing rests, and drops what answers an earlier text', async () => {
  const { ui, anchors, search, asked, send, foundKeys } = open();
  send([row(1, 'fire'), row(2, 'flood')]);
  ui.search = 'anchor:a';
  await later(100);
  ui.search = 'anchor:ab';
  await later(140);
  expect(asked).toEqual([]);
  await later(20);
  expect(asked.map(({ text }) => text)).toEqual(['ab']);
  expect(search.searching).toBe(true);
  ui.search = 'anchor:abc';
  await later(200);
  asked[0]?.answer({ keys: [1], more: false });
  await later(0);
  expect(foundKeys()).toEqual([]);
  asked[1]?.answer({ keys: [2], more: true });
  await later(50);
  expect(foundKeys()).toEqual([2]);
  expect([search.searching, anchors.more]).toEqual([false, true]);
});

it('drops an answer that is overtaken by one to the same text', async () => {
  const { ui, asked, send, foundKeys } = open();
  send([row(1, 'fire'), row(2, 'flood')]);
  ui.search = 'anchor:ab';
  await later(200);
  ui.search = '';
  await later(50);
  ui.search = 'anchor:ab';
  await later(200);
  asked[1]?.answer({ keys: [2], more: false });
  await later(50);
  asked[0]?.answer({ keys: [1], more: false });
  await later(50);
  expect(foundKeys()).toEqual([2]);
});

it('does not look in hashes for a word that every hash holds, and asks again when incidents change', async () => {
  const { ui, asked, send, foundKeys } = open();
  send([row(1, 'fire'), row(2, 'flood')]);
  ui.search = 'abc';
  await later(1_000);
  expect(asked).toEqual([]);
  ui.search = 'abcd';
  await later(200);
  expect(asked).toHaveLength(1);
  asked[0]?.answer({ keys: [], more: false });
  await later(0);
  send([row(3, 'fire')]);
  send([row(4, 'fire')]);
  await later(5_000);
  expect(asked).toHaveLength(2);
  asked[1]?.answer({ keys: [4], more: false });
  await later(50);
  expect(foundKeys()).toEqual([4]);
});

it('says that a distance needs the station, and searches for the rest', async () => {
  const { ui, search, send, foundKeys } = open();
  send([row(1, 'fire'), row(2, 'flood')]);
  ui.search = 'type: within:5km flood';
  await later(50);
  expect(foundKeys()).toEqual([2]);
  expect(search.problems).toEqual([
    { field: 'type', why: 'empty', said: 'type:' },
    { field: 'within', why: 'no-station', said: 'within:5km' },
  ]);
});

it('finds the incidents whose nearest town goes by the words', async () => {
  const { ui, send, nearest, foundKeys } = open();
  nearest.set(2, 7);
  send([row(1, 'fire'), row(2, 'flood'), row(3, 'fire')]);
  ui.search = 'nowhere bay';
  await later(50);
  expect(foundKeys()).toEqual([2]);
  ui.search = 'place:now';
  await later(50);
  expect(foundKeys()).toEqual([2]);
  ui.search = 'nowhere';
  await later(50);
  expect(foundKeys()).toEqual([]);
});
