import { defineStore } from 'pinia';
import { computed, markRaw, onScopeDispose, shallowRef, type ShallowRef } from 'vue';
import type { EvidenceItem, Failure, WhatToKeep } from '../../../src-preload/contract/index.ts';
import { getFile } from '../../base/bridge/getFile.ts';
import { useCommand, type Command } from '../../base/command.ts';
import { pageFailure } from '../../base/failure.ts';
import { useBridge } from '../../base/stores/bridge.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { PictureQueue } from './pictureQueue.ts';

/** As many items as the console answers with at once. */
const pageSize = 200;

/** More than so many files are not fetched before an operator has confirmed it. */
const mostUnasked = 100;

const notSaved = pageFailure('file-refused', 'failures.notRead', 'failures.notReadRemedy');

/** The bytes of evidence: the commands about them, and what of them this page shows. */
export const useContents = defineStore('contents', () => {
  const bridge = useBridge();
  const { verbs } = bridge;
  const mirror = useMirror();
  const { failure, run, clear } = useCommand();
  const { open, close, pictures } = useOpenedBytes();

  return {
    state: computed(() => mirror.contents),
    failure,
    clear,
    open,
    close,
    pictures,
    ...useViewing(failure),
    ...useKeepQuestion(run),
    load: (cid: string) => run(verbs.loadContent({ cid, soon: true })),
    /** What a list shows is fetched behind everything else. */
    loadShown: (cid: string) => void verbs.loadContent({ cid, soon: false }),
    cancel: (cid: string) => run(verbs.cancelContent({ cid })),
    keep: (cid: string, kept: boolean) => run(verbs.keepContent({ of: { kind: 'cid', cid }, kept })),
    save: async (cid: string) => {
      const result = await run(verbs.saveContent({ cid }));
      if (!result.ok) return;
      const { ticket, fileName } = result.value;
      if (!(await getFile(bridge, `evidence/${ticket}`, fileName))) failure.value = notSaved;
      close(ticket);
    },
    /** How far the fetching of an item is; null while it is not fetched. */
    progressOf: ({ cid }: EvidenceItem) => mirror.contents?.moving.find((one) => one.cid === cid) ?? null,
  };
});

/** Stored bytes as the elements of the page show them, and the small pictures made of them. */
function useOpenedBytes() {
  const { verbs } = useBridge();
  /** Address of stored bytes, for an element of the page; null where they are not shown. */
  async function open(cid: string, unverified: boolean): Promise<{ address: string; ticket: string } | null> {
    const result = await verbs.openContent({ cid, unverified });
    if (!result.ok) return null;
    const { ticket } = result.value;
    return { ticket, address: new URL(`evidence/${ticket}`, document.baseURI).href };
  }
  const close = (ticket: string): void => void verbs.closeContent({ ticket });
  // A proxy would keep it from its own fields.
  const pictures = markRaw(new PictureQueue((cid) => open(cid, false), close));
  onScopeDispose(() => {
    pictures.clear();
  });
  return { open, close, pictures };
}

/** What the viewer shows: an item by its place in the list of one incident, or of all. */
export interface Viewing {
  readonly incidentId: string | null;
  readonly index: number;
}

function useViewing(failure: ShallowRef<Failure | null>) {
  const { verbs } = useBridge();
  const viewing = shallowRef<Viewing | null>(null);
  /** Opens the viewer at the first item of the list that names a CID. */
  async function viewCid(cid: string): Promise<void> {
    let from = 0;
    let total = 1;
    while (from < total) {
      const result = await verbs.readEvidence({ incidentId: null, from, count: pageSize });
      if (!result.ok) {
        failure.value = result.failure;
        return;
      }
      const { items } = result.value;
      const at = items.findIndex((item) => item.cid === cid);
      if (at >= 0) {
        viewing.value = { incidentId: null, index: from + at };
        return;
      }
      total = items.length === 0 ? 0 : result.value.total;
      from += items.length;
    }
  }
  return { viewing, viewCid };
}

/** What an operator is asked before it is fetched. */
export interface KeepQuestion {
  readonly of: WhatToKeep;
  /** Files, those of them that are not here, and how many more may stay. */
  readonly count: number;
  readonly missing: number;
  readonly room: number;
  /** The list shows more incidents than can be named at once. */
  readonly isCut: boolean;
}

function useKeepQuestion(run: Command['run']) {
  const { verbs } = useBridge();
  /** What is to stay here that is much: an operator confirms it first. */
  const asking = shallowRef<KeepQuestion | null>(null);
  return {
    asking,
    /** Lets the evidence of several incidents, of one or of all stay here, once it is confirmed where that is much. */
    keepMany: async (of: WhatToKeep, isCut = false): Promise<void> => {
      const counted = await run(verbs.countContent({ of }));
      if (!counted.ok) return;
      const { count, missing, room } = counted.value;
      const isMuch = missing > mostUnasked || missing > room || isCut || count === 0;
      if (isMuch) asking.value = { of, count, missing, room, isCut };
      else await run(verbs.keepContent({ of, kept: true }));
    },
    /** What was asked for is wanted, or not. */
    answer: async (yes: boolean): Promise<void> => {
      const asked = asking.value;
      asking.value = null;
      if (yes && asked !== null) await run(verbs.keepContent({ of: asked.of, kept: true }));
    },
  };
}
