import fc from 'fast-check';
import { WatchDesk } from '../../../src-main/core/watch/watchDesk.ts';
import { watchSchema, type Upload, type Wording } from '../../../src-preload/contract/index.ts';
import { flush } from '../../support/clock.ts';
import { createFeatureRig } from '../featureRig.ts';
import { MemoryActions } from '../memoryActions.ts';

/** Any code units in any order: control characters and lone surrogates too. */
export const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0x7f }), fc.integer({ min: 0, max: 0xffff })), { maxLength: 100 })
  .map((units) => String.fromCharCode(...units));

/** A desk at work for `username` on these actions; null: nothing can be kept. */
export async function begunWatch(
  options: {
    readonly actions?: MemoryActions | null;
    readonly username?: string;
    readonly uploads?: readonly Upload[];
    readonly auditHash?: string | null;
  } = {},
) {
  const { actions = new MemoryActions(), username = 'ann', uploads = [], auditHash = null } = options;
  const rig = createFeatureRig();
  const { store } = rig;
  const desk = new WatchDesk({
    ...rig,
    readUploads: (from, count) => ({ total: uploads.length, items: uploads.slice(from, from + count) }),
    auditHash: () => auditHash,
  });
  await desk.start(actions, username);
  await flush();
  return {
    ...rig,
    desk,
    actions,
    shown: () => watchSchema.parse(store.slice('watch')),
    entries: () => desk.readShift(0, 200).entries,
    kinds: () => desk.readShift(0, 200).entries.map(({ kind }) => kind),
    stop: () => desk.stop(Promise.resolve()),
  };
}

export type WatchRig = Awaited<ReturnType<typeof begunWatch>>;

/** The report that was prepared, as it would be fetched. */
export async function reportOf({ desk, shelf }: WatchRig, wording: Wording | null = null): Promise<string> {
  const prepared = await desk.prepareHandover(wording);
  if (!prepared.ok) throw new Error(prepared.failure.sentence);
  return new TextDecoder().decode(shelf.take(prepared.value.exportId) ?? new Uint8Array());
}
