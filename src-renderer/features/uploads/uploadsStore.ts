import { defineStore } from 'pinia';
import { computed, onScopeDispose, shallowRef } from 'vue';
import type { Failure, Upload } from '../../../src-preload/contract/index.ts';
import { putFile } from '../../base/bridge/putFile.ts';
import { useCommand } from '../../base/command.ts';
import { pageFailure } from '../../base/failure.ts';
import type { UploadAction } from './uploadText.ts';
import { useBridge } from '../../base/stores/bridge.ts';
import { useMirror } from '../../base/stores/mirror.ts';

/** More would only share the one disk that they are copied from. */
const atOnce = 3;
/** A connection may break once without a fault of anybody's; a file that can't be read stays so. */
const attempts = 3;
const betweenAttemptsMs = 1_000;

const notCopied = pageFailure('file-refused', 'failures.notCopied', 'failures.notCopiedRemedy');
const folder = pageFailure('file-refused', 'failures.folder', 'failures.folderRemedy');

interface InLine {
  readonly key: number;
  readonly file: File;
  readonly incidentId: string | null;
  /** The row that it takes the place of. */
  readonly replaces: string | null;
  /** Its row in the outbox; null before it has one. */
  readonly uploadId: string | null;
}

/** A file that has its row. */
interface Announced extends InLine {
  readonly uploadId: string;
}

/** What the console does about an upload; a file is chosen by the page. */
type UploadCommand = Exclude<UploadAction, 'choose'>;

const isAnnounced = (one: InLine): one is Announced => one.uploadId !== null;

/** A file that was refused before the outbox had it. */
export interface Turned {
  readonly key: number;
  readonly fileName: string;
  readonly failure: Failure;
}

/**
 * What this page does about the outbox: files in line to be copied into it, and the commands on what is
 * in it. What the console knows is in the mirror; its rows are read page by page.
 */
export const useOutbox = defineStore('outbox', () => {
  const bridge = useBridge();
  const mirror = useMirror();
  const { verbs } = bridge;
  const line = shallowRef<readonly InLine[]>([]);
  const copying = shallowRef(0);
  const turnedAway = shallowRef<readonly Turned[]>([]);
  /** Why the last command was not carried out. */
  const { failure, run, clear } = useCommand();
  /** The incident that files added from now on are evidence of. */
  const attachedTo = shallowRef<string | null>(null);
  let nextKey = 0;
  let announcing = false;

  const turnAway = (key: number, fileName: string, why: Failure): void => {
    turnedAway.value = [...turnedAway.value, { key, fileName, failure: why }];
  };

  function addFiles(files: Iterable<File>): void {
    const incidentId = mirror.outbox?.incidentField === true ? attachedTo.value : null;
    for (const file of files) getInLine(file, incidentId, null);
  }

  /** Copies the file of a row whose copying was cut off once more; the row goes when the file has another. */
  function chooseAgain({ id, incidentId }: Upload, file: File): void {
    getInLine(file, incidentId, id);
  }

  function getInLine(file: File, incidentId: string | null, replaces: string | null): void {
    nextKey += 1;
    line.value = [...line.value, { key: nextKey, file, incidentId, replaces, uploadId: null }];
    void announceAll();
  }

  /**
   * Gives every file in line its row at once, before the first of them is copied: a console that is killed
   * while three are copied would otherwise know nothing of the rest.
   */
  async function announceAll(): Promise<void> {
    if (announcing) return;
    announcing = true;
    try {
      for (;;) {
        const next = line.value.find(({ uploadId }) => uploadId === null);
        if (next === undefined) break;
        await announce(next);
      }
    } finally {
      announcing = false;
    }
  }

  async function announce(next: InLine): Promise<void> {
    const { key, file, incidentId, replaces } = next;
    const begun = await verbs.beginUpload({ fileName: nameOf(file), bytes: file.size, incidentId });
    const stays = line.value.includes(next);
    if (!begun.ok) {
      line.value = line.value.filter((one) => one !== next);
      if (stays) turnAway(key, nameOf(file), begun.failure);
      return;
    }
    const { uploadId } = begun.value;
    if (!stays) {
      void withdraw(uploadId);
      return;
    }
    line.value = line.value.map((one) => (one === next ? { ...one, uploadId } : one));
    if (replaces !== null) void verbs.discardUpload({ id: replaces, state: 'failed' });
    if (copying.value < atOnce) void copyOn();
  }

  const nameOf = (file: File): string => file.name.slice(0, 1_024) || 'unnamed';

  /** Takes an announced file off the list of which no byte has come. */
  async function withdraw(uploadId: string): Promise<void> {
    const cancelled = await verbs.cancelUpload({ id: uploadId });
    if (cancelled.ok) await verbs.discardUpload({ id: uploadId, state: 'failed' });
  }

  function leaveLine(): void {
    const left = line.value;
    line.value = [];
    for (const { uploadId } of left) if (uploadId !== null) void withdraw(uploadId);
  }

  /** Copies one file after the other; as many of these run as files are copied at once. */
  async function copyOn(): Promise<void> {
    copying.value += 1;
    try {
      for (let next = line.value.find(isAnnounced); next; next = line.value.find(isAnnounced)) {
        const taken = next;
        line.value = line.value.filter((one) => one !== taken);
        await copy(taken);
      }
    } finally {
      copying.value -= 1;
    }
  }

  async function copy({ key, file, uploadId }: Announced): Promise<void> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      if (await putFile(bridge, `spool/${uploadId}`, file)) return;
      await new Promise((resolve) => setTimeout(resolve, betweenAttemptsMs));
      if (!isAwaited(uploadId)) break;
    }
    // A file that can't be read (moved, unplugged) never reaches the console, which would wait for it. In
    // any other state than this one it was received, cancelled or refused, and its row says so.
    const left = await verbs.discardUpload({ id: uploadId, state: 'receiving' });
    if (left.ok) turnAway(key, nameOf(file), notCopied);
  }

  const isAwaited = (uploadId: string): boolean =>
    mirror.outbox?.moving.some(({ id, direction }) => id === uploadId && direction === 'receiving') === true;

  /** @param at its place in the list, for what moves it. */
  function act(action: UploadCommand, upload: Upload, at: number): Promise<unknown> {
    const { id } = upload;
    switch (action) {
      case 'pause':
        return run(verbs.pauseUpload({ id, paused: true }));
      case 'resume':
        return run(verbs.pauseUpload({ id, paused: false }));
      case 'top':
        return run(verbs.moveUpload({ id, to: 0 }));
      case 'up':
        return at === 0 ? Promise.resolve() : run(verbs.moveUpload({ id, to: at - 1 }));
      case 'down':
        return run(verbs.moveUpload({ id, to: at + 1 }));
      case 'retry':
        return run(verbs.retryUpload({ id }));
      case 'check':
      case 'send':
        return run(verbs.decideUpload({ id, decision: action }));
      case 'cancel':
        return run(verbs.cancelUpload({ id }));
      case 'discard':
        return run(verbs.discardUpload({ id, state: upload.state }));
    }
  }

  // What one operator was about to add is not added to the next one's outbox.
  onScopeDispose(() => {
    line.value = [];
  });

  return {
    state: computed(() => mirror.outbox),
    line,
    copying,
    turnedAway,
    failure,
    attachedTo,
    addFiles,
    refuseFolders: (names: readonly string[]) => {
      for (const name of names) {
        nextKey += 1;
        turnAway(nextKey, name, folder);
      }
    },
    chooseAgain,
    leaveLine,
    forgetTurned: (key: number | null) => {
      turnedAway.value = key === null ? [] : turnedAway.value.filter((turned) => turned.key !== key);
    },
    act,
    pauseAll: (paused: boolean) => run(verbs.pauseUpload({ id: null, paused })),
    discardSent: () => run(verbs.discardSentUploads({})),
    giveToken: (token: string) => verbs.giveUploadToken({ token }),
    clear,
  };
});
