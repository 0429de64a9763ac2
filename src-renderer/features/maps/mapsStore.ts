import { defineStore } from 'pinia';
import { computed, onScopeDispose, shallowRef } from 'vue';
import type { Failure, MapPackage } from '../../../src-preload/contract/index.ts';
import { putFile } from '../../base/bridge/putFile.ts';
import { useCommand } from '../../base/command.ts';
import { pageFailure } from '../../base/failure.ts';
import { useBridge } from '../../base/stores/bridge.ts';
import { useMirror } from '../../base/stores/mirror.ts';

/** A connection may break once without a fault of anybody's; a file that can't be read stays so. */
const attempts = 3;
const betweenAttemptsMs = 1_000;

const notSent = pageFailure('cancelled', 'failures.mapNotSent', 'failures.mapNotSentRemedy');

interface Queued {
  readonly key: number;
  readonly file: File;
}

/** A file that was refused before any of it was sent. */
interface Turned {
  readonly key: number;
  readonly fileName: string;
  readonly failure: Failure;
}

/**
 * What this page does about map packages: files in line to be sent, one after another, so that tiles
 * and verbs keep their share of the way to the console. What the console knows is in the mirror.
 */
export const useMaps = defineStore('maps', () => {
  const bridge = useBridge();
  const mirror = useMirror();
  const queue = shallowRef<readonly Queued[]>([]);
  const turnedAway = shallowRef<readonly Turned[]>([]);
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

  async function send({ key, file }: Queued): Promise<void> {
    const fileName = file.name.slice(0, 255) || 'unnamed';
    const begun = await bridge.verbs.beginMapImport({ fileName, bytes: file.size });
    if (!begun.ok) {
      turnedAway.value = [...turnedAway.value, { key, fileName, failure: begun.failure }];
      return;
    }
    const { importId } = begun.value;
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      if (await putFile(bridge, `spool/${importId}`, file)) return;
      await new Promise((resolve) => setTimeout(resolve, betweenAttemptsMs));
      // Cancelled by the operator, or refused: the list says so.
      if (!isAwaited(importId)) return;
    }
    // A file that can't be read (moved, unplugged) never reaches the console, which would wait for it.
    await bridge.verbs.cancelMapImport({ importId });
    turnedAway.value = [...turnedAway.value, { key, fileName, failure: notSent }];
  }

  // Files that one operator chose are not taken in the name of the next.
  onScopeDispose(() => {
    queue.value = [];
  });

  const isAwaited = (importId: string): boolean =>
    mirror.maps?.imports.some(({ id, state }) => id === importId && state !== 'refused') === true;

  return {
    packages: computed(() => mirror.maps?.packages ?? []),
    imports: computed(() => mirror.maps?.imports ?? []),
    missing: computed(() => mirror.maps?.missing ?? []),
    queue,
    turnedAway,
    failure,
    extentWish,
    importFiles,
    leaveQueue: (key: number) => {
      queue.value = queue.value.filter((queued) => queued.key !== key);
    },
    forgetTurned: (key: number) => {
      turnedAway.value = turnedAway.value.filter((turned) => turned.key !== key);
    },
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
