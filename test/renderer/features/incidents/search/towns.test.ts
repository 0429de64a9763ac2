import { expect, it, vi } from 'vitest';
import { nextTick } from 'vue';
import { encodeIncidentFrame, ok } from '../../../../../src-preload/contract/index.ts';
import { useMirror } from '../../../../../src-renderer/base/stores/mirror.ts';
import { useUi } from '../../../../../src-renderer/base/stores/ui.ts';
import { useTowns } from '../../../../../src-renderer/features/incidents/search/townsStore.ts';
import { createPage } from '../../../pageRig.ts';
import { FrameMaker, type ModelRow } from '../../../table/frames.ts';

const row = (key: number): ModelRow => ({
  ...{ key, type: 'fire', severity: 'low', status: 'open', id: `id-${key}`, createdAt: 0 },
  ...{ latitude: 1, longitude: 1, arrivedAt: 0, evidenceCount: 0, anchorCount: 0, notReturned: 0 },
});
const vienna = { id: 7, name: 'Vienna', english: 'Vienna', country: 'AT' };

function open(onAsked = (): unknown => undefined) {
  const asked: number[][] = [];
  const page = createPage({
    readTowns: ({ keys }: { keys: number[] }) => {
      asked.push(keys);
      onAsked();
      return Promise.resolve(ok({ towns: [vienna], of: keys.map((key) => (key === 2 ? -1 : vienna.id)) }));
    },
  });
  const stores = page.run(() => ({ ui: useUi(), mirror: useMirror(), towns: useTowns() }));
  const frames = new FrameMaker();
  let revision = 0;
  const send = (rows: ModelRow[], complete = revision === 0): void => {
    revision += 1;
    const incidents = encodeIncidentFrame(frames.frame(rows, complete, []));
    page.push({ epoch: 'a', revision, base: complete ? null : revision - 1, slices: {}, incidents });
  };
  return { ...stores, asked, send };
}

it('asks for nothing before somebody groups or searches', async () => {
  const { send, asked } = open();
  send([row(1)]);
  await nextTick();
  expect(asked).toEqual([]);
});

it('is drawn once a second while many parts come, and at their end', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const { send, asked, ui, towns } = open(() => vi.advanceTimersByTime(300));
    send(Array.from({ length: 20_000 }, (_, at) => row(at + 1)));
    const before = towns.version;
    ui.groupBy = 'place';
    await vi.waitFor(() => {
      expect([asked.length, towns.asking]).toEqual([10, false]);
    });
    // After 1.2 and 2.4 s, and at 3 s.
    expect(towns.version - before).toBe(3);
  } finally {
    vi.useRealTimers();
  }
});

it('asks for each incident once, in parts, and again for one that has changed', async () => {
  const { send, asked, ui, towns } = open();
  send(Array.from({ length: 4_500 }, (_, at) => row(at + 1)));
  ui.groupBy = 'place';
  await vi.waitFor(() => {
    expect([asked.length, towns.asking]).toEqual([3, false]);
  });
  expect(asked.map((keys) => keys.length)).toEqual([2_000, 2_000, 500]);
  expect([towns.nearest.idOf(1), towns.nearest.idOf(2), towns.nearest.idOf(9_999)]).toEqual([7, -1, null]);
  expect(towns.name(7)).toMatchObject({ name: 'Vienna', country: 'AT' });
  send([row(3)]);
  // Until the answer comes the row stays in its group.
  expect(towns.nearest.idOf(3)).toBe(7);
  await vi.waitFor(() => {
    expect(asked.at(-1)).toEqual([3]);
  });
});
