import { afterEach, expect, it, vi } from 'vitest';
import { storageFailure } from '../../../../src-main/core/vault/storageFailure.ts';
import { failed, ok, type Verbs } from '../../../../src-preload/contract/index.ts';
import { useMapPicture, type PictureTaker } from '../../../../src-renderer/base/stores/mapPicture.ts';
import { useWatch } from '../../../../src-renderer/features/notes/notesStore.ts';
import { createPage } from '../../pageRig.ts';

const pictureId = '0123456789abcdef';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Hands over with this map; answers the picture's id in the verb, and what was sent where. */
async function handOver(
  taker: PictureTaker | null,
  { status = 200, announce = ok({ pictureId }) as Awaited<ReturnType<Verbs['announceMapPicture']>> } = {},
) {
  const sent: string[] = [];
  vi.stubGlobal('document', { baseURI: 'http://127.0.0.1/' });
  vi.stubGlobal('fetch', async (url: URL, { body }: { body: Blob }) => {
    sent.push(`${url.pathname} ${await body.text()}`);
    return new Response(null, { status });
  });
  const handed = vi.fn<Verbs['handOver']>(() => Promise.resolve(ok({ report: null, notStored: null })));
  const page = createPage({ handOver: handed, announceMapPicture: () => Promise.resolve(announce) });
  const { desk, mapPicture } = page.run(() => ({ desk: useWatch(), mapPicture: useMapPicture() }));
  mapPicture.offer(taker);
  expect(await desk.handOver()).toBe(true);
  return { sent, named: handed.mock.calls.map(([request]) => request.pictureId) };
}

const drawn: PictureTaker = () => Promise.resolve(new Blob(['png']));

it('sends the map as it is shown, and then names it', async () => {
  expect(await handOver(drawn)).toEqual({ sent: [`/spool/${pictureId} png`], named: [pictureId] });
});

it('hands over without a map where none is drawn, or its picture is not to be had', async () => {
  const without = { sent: [], named: [undefined] };
  expect(await handOver(null)).toEqual(without);
  expect(await handOver(() => Promise.resolve(null))).toEqual(without);
  expect(await handOver(() => Promise.reject(new Error('lost its graphics')))).toEqual(without);
  expect(await handOver(drawn, { announce: failed(storageFailure('full', 0)) })).toEqual(without);
});

it('names no picture that did not arrive', async () => {
  expect(await handOver(drawn, { status: 409 })).toMatchObject({ named: [undefined] });
});
