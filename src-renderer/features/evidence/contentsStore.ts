import { defineStore } from 'pinia';
import { computed, markRaw, shallowRef, watch } from 'vue';
import type { EvidenceItem, Failure, Result } from '../../../src-preload/contract/index.ts';
import { getFile } from '../../base/bridge/getFile.ts';
import { pageFailure } from '../../base/failure.ts';
import { useBridge } from '../../base/stores/bridge.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { PictureQueue } from './pictureQueue.ts';

/** What the viewer shows: an item by its place in the list of one incident, or of all. */
export interface Viewing {
  readonly incidentId: string | null;
  readonly index: number;
}

const notSaved = pageFailure('file-refused', 'failures.notRead', 'failures.notReadRemedy');

/** The bytes of evidence: the commands about them, and what of them this page shows. */
export const useContents = defineStore('contents', () => {
  const bridge = useBridge();
  const { verbs } = bridge;
  const mirror = useMirror();
  const failure = shallowRef<Failure | null>(null);
  const viewing = shallowRef<Viewing | null>(null);

  async function command(asked: Promise<Result<unknown>>): Promise<boolean> {
    const result = await asked;
    failure.value = result.ok ? null : result.failure;
    return result.ok;
  }

  /** Address of stored bytes, for an element of the page; null where they are not shown. */
  async function open(cid: string, unverified: boolean): Promise<{ address: string; ticket: string } | null> {
    const result = await verbs.openContent({ cid, unverified });
    if (!result.ok) return null;
    const { ticket } = result.value;
    return { ticket, address: new URL(`evidence/${ticket}`, document.baseURI).href };
  }
  const close = (ticket: string): void => void verbs.closeContent({ ticket });

  // A proxy would keep it from its own fields.
  const pictures = markRaw(new PictureQueue({ open: (cid) => open(cid, false), close }));

  watch(
    () => mirror.opened,
    (opened) => {
      if (opened) return;
      viewing.value = null;
      failure.value = null;
      pictures.clear();
    },
  );

  return {
    state: computed(() => mirror.contents),
    failure,
    viewing,
    pictures,
    open,
    close,
    load: (cid: string) => command(verbs.loadContent({ cid, soon: true })),
    /** What a list shows is fetched behind everything else. */
    loadShown: (cid: string) => void verbs.loadContent({ cid, soon: false }),
    cancel: (cid: string) => command(verbs.cancelContent({ cid })),
    keep: (cid: string, kept: boolean) => command(verbs.keepContent({ of: { kind: 'cid', cid }, kept })),
    keepList: (incidentId: string | null, kept: boolean) =>
      command(
        verbs.keepContent({
          of: incidentId === null ? { kind: 'list' } : { kind: 'incident', incidentId },
          kept,
        }),
      ),
    pause: (paused: boolean) => command(verbs.pauseContents({ paused })),
    save: async (cid: string) => {
      const result = await verbs.saveContent({ cid });
      failure.value = result.ok ? null : result.failure;
      if (!result.ok) return;
      const { ticket, fileName } = result.value;
      if (!(await getFile(bridge, `evidence/${ticket}`, fileName))) failure.value = notSaved;
      close(ticket);
    },
    /** How far the fetching of an item is; null while it is not fetched. */
    progressOf: ({ cid }: EvidenceItem) => mirror.contents?.moving.find((one) => one.cid === cid) ?? null,
    clear: () => {
      failure.value = null;
    },
  };
});
