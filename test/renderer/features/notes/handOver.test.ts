import { afterEach, expect, it, vi } from 'vitest';
import { ok, type Verbs } from '../../../../src-preload/contract/index.ts';
import { useMapPicture, type PictureTaker } from '../../../../src-renderer/base/stores/mapPicture.ts';
import { useNotes } from '../../../../src-renderer/features/notes/notesStore.ts';
import { createPage } from '../../pageRig.ts';

const report = { exportId: '0'.repeat(32), fileName: 'handover.html' };

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Hands over with this map, and these facts for the report; answers what was asked of the console. */
async function handOver(taker: PictureTaker | null, facts: BodyInit | null, made = facts !== null) {
  const fetched: string[] = [];
  vi.stubGlobal('document', { baseURI: 'http://127.0.0.1/' });
  vi.stubGlobal('fetch', (url: URL) => {
    fetched.push(url.pathname);
    return Promise.resolve(new Response(facts, { status: facts === null ? 404 : 200 }));
  });
  const handed = vi.fn<Verbs['handOver']>(() =>
    Promise.resolve(ok({ report: made ? report : null, notStored: null })),
  );
  const page = createPage({ handOver: handed });
  const { desk, mapPicture } = page.run(() => ({ desk: useNotes(), mapPicture: useMapPicture() }));
  mapPicture.offer(taker);
  const done = await desk.handOver();
  return { done, desk, fetched, requests: handed.mock.calls.map(([request]) => request) };
}

it('hands over without a report where none is made, whatever becomes of the map', async () => {
  const lost: PictureTaker = () => Promise.reject(new Error('lost its graphics'));
  for (const taker of [null, () => Promise.resolve(null), lost]) {
    const { done, fetched, requests } = await handOver(taker, null);
    expect({ done, fetched }).toEqual({ done: true, fetched: [] });
    expect(requests).toEqual([{ summary: '', successor: '', language: 'en' }]);
  }
});

it.each([
  ['does not arrive', null],
  ['is cut off', '{"madeAt":1'],
  ['is not what a report says', '{}'],
])('says that the report was not saved where it %s', async (_how, facts) => {
  const { done, desk, fetched } = await handOver(null, facts, true);
  expect(done).toBe(false);
  expect(fetched).toEqual([`/export/${report.exportId}`]);
  expect(desk.reportSaved).toBe(false);
  expect(desk.failure).toMatchObject({ code: 'bridge-lost' });
});
