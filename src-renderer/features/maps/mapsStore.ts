import { defineStore } from 'pinia';
import { computed, onScopeDispose, shallowRef } from 'vue';
import type { MapPackage } from '../../../src-preload/contract/index.ts';
import { putAwaitedFile } from '../../base/bridge/putFile.ts';
import { useCommand } from '../../base/command.ts';
import { pageFailure } from '../../base/failure.ts';
import { useRejectedFiles } from '../../base/rejectedFiles.ts';
import { useBridge } from '../../base/stores/bridge.ts';
import { useMirror } from '../../base/stores/mirror.ts';

const notSent = pageFailure('cancelled', 'failures.mapNotSent', 'failures.mapNotSentRemedy');

interface Queued {
  readonly key: number;
  readonly file: File;
}

/**
 * What this page does about map packages: files in line to be sent, one after another, so that tiles
 * and verbs keep their share of the way to the console. What the console knows is in the mirror.
 */
export const useMaps = defineStore('maps', () => {
  const bridge = useBridge();
  const mirror = useMirror();
  const queue = shallowRef<readonly Queued[]>([]);
  const { rejected, reject, forgetRejected } = useRejectedFiles();
  /** Why the last change of the list was not made. */
  const { failure, run, clear } = useCommand();
  /** A wish to see an extent; another object for each. */
  const extentWish = shallowRef<{ readonly bounds: MapPackage['bounds'] } | null>(null);
  let nextKey = 0;
  let sending = false;

  async function importFiles(files: Iterable<File>): Promise<void> {
    const added: Queued[] = [];
    for (const file of files) {
      nextKey += 1;
      added.push({ key: nextKey, file });
    }
    queue.value = [...queue.value, ...added];
    if (sending) return;
    sending = true;
    try {
      for (let next = queue.value[0]; next; next = queue.value[0]) {
        queue.value = queue.value.slice(1);
        await send(next);
      }
    } finally {
      sending = false;
    }
  }

  async function send({ file }: Queued): Promise<void> {
    const fileName = file.name.slice(0, 255) || 'unnamed';
    const begun = await bridge.verbs.beginMapImport({ fileName, bytes: file.size });
    if (!begun.ok) {
      reject(fileName, begun.failure);
      return;
    }
    const { importId } = begun.value;
    const isAwaited = (): boolean =>
      mirror.maps?.imports.some(({ id, state }) => id === importId && state !== 'refused') === true;
    // Where it is over, the list says so.
    if ((await putAwaitedFile(bridge, `spool/${importId}`, file, isAwaited)) !== 'unreadable') return;
    await bridge.verbs.cancelMapImport({ importId });
    reject(fileName, notSent);
  }

  // Files that one operator chose are not taken in the name of the next.
  onScopeDispose(() => {
    queue.value = [];
  });

  return {
    packages: computed(() => mirror.maps?.packages ?? []),
    imports: computed(() => mirror.maps?.imports ?? []),
    missing: computed(() => mirror.maps?.missing ?? []),
    queue,
    rejected,
    failure,
    extentWish,
    importFiles,
    leaveQueue: (key: number) => {
      queue.value = queue.value.filter((queued) => queued.key !== key);
    },
    forgetRejected,
    cancel: (importId: string) => run(bridge.verbs.cancelMapImport({ importId })),
    dismiss: (importId: string) => run(bridge.verbs.dismissMapImport({ importId })),
    setVisible: (id: string, visible: boolean) => run(bridge.verbs.setMapPackage({ id, visible })),
    move: (id: string, to: number) => run(bridge.verbs.moveMapPackage({ id, to })),
    remove: (id: string) => run(bridge.verbs.removeMapPackage({ id })),
    showExtent: (bounds: MapPackage['bounds']) => {
      extentWish.value = { bounds };
    },
    clear,
  };
});
