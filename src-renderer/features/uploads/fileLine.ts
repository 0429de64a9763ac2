import { onScopeDispose, shallowRef, type ShallowRef } from 'vue';
import type { Failure } from '../../../src-preload/contract/index.ts';
import { putAwaitedFile } from '../../base/bridge/putFile.ts';
import { pageFailure } from '../../base/failure.ts';
import { useBridge } from '../../base/stores/bridge.ts';
import { useMirror } from '../../base/stores/mirror.ts';

/** More would only share the one disk that they are copied from. */
const atOnce = 3;

const notCopied = pageFailure('file-refused', 'failures.notCopied', 'failures.notCopiedRemedy');

interface InLine {
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

const isAnnounced = (one: InLine): one is Announced => one.uploadId !== null;

const nameOf = (file: File): string => file.name.slice(0, 1_024) || 'unnamed';

export interface FileLine {
  readonly line: ShallowRef<readonly InLine[]>;
  /** How many are being copied. */
  readonly copying: ShallowRef<number>;
  getInLine(file: File, incidentId: string | null, replaces: string | null): void;
  leaveLine(): void;
}

/**
 * The files of this page that the outbox does not have yet: in line for their row, then in line to be copied.
 *
 * @param reject what is said of a file that the outbox did not take.
 */
export function useFileLine(reject: (fileName: string, failure: Failure) => void): FileLine {
  const { verbs } = useBridge();
  const line = shallowRef<readonly InLine[]>([]);
  const { copying, copyOn } = useCopying(line, reject);
  let announcing = false;

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
    const { file, incidentId, replaces } = next;
    const begun = await verbs.beginUpload({ fileName: nameOf(file), bytes: file.size, incidentId });
    const stays = line.value.includes(next);
    if (!begun.ok) {
      line.value = line.value.filter((one) => one !== next);
      if (stays) reject(nameOf(file), begun.failure);
      return;
    }
    const { uploadId } = begun.value;
    if (!stays) {
      void withdraw(uploadId);
      return;
    }
    line.value = line.value.map((one) => (one === next ? { ...one, uploadId } : one));
    if (replaces !== null) void verbs.discardUpload({ id: replaces, state: 'failed' });
    copyOn();
  }

  /** Takes an announced file off the list of which no byte has come. */
  async function withdraw(uploadId: string): Promise<void> {
    const cancelled = await verbs.cancelUpload({ id: uploadId });
    if (cancelled.ok) await verbs.discardUpload({ id: uploadId, state: 'failed' });
  }

  // What one operator was about to add is not added to the next one's outbox.
  onScopeDispose(() => {
    line.value = [];
  });

  return {
    line,
    copying,
    getInLine: (file, incidentId, replaces) => {
      line.value = [...line.value, { file, incidentId, replaces, uploadId: null }];
      void announceAll();
    },
    leaveLine: () => {
      const left = line.value;
      line.value = [];
      for (const { uploadId } of left) if (uploadId !== null) void withdraw(uploadId);
    },
  };
}

/** Takes announced files out of the line and copies them, some at a time. */
function useCopying(
  line: ShallowRef<readonly InLine[]>,
  reject: (fileName: string, failure: Failure) => void,
): { readonly copying: ShallowRef<number>; copyOn(): void } {
  const bridge = useBridge();
  const mirror = useMirror();
  const copying = shallowRef(0);

  /** Copies one file after the other; as many of these run as files are copied at once. */
  async function copyAll(): Promise<void> {
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

  async function copy({ file, uploadId }: Announced): Promise<void> {
    const isAwaited = (): boolean =>
      mirror.outbox?.moving.some(({ id, direction }) => id === uploadId && direction === 'receiving') ===
      true;
    const copied = await putAwaitedFile(bridge, `spool/${uploadId}`, file, isAwaited);
    if (copied === 'sent') return;
    // The console would wait for a file that can't be read. In any other state than this one it was received,
    // cancelled or refused, and its row says so.
    const left = await bridge.verbs.discardUpload({ id: uploadId, state: 'receiving' });
    if (left.ok) reject(nameOf(file), notCopied);
  }

  return {
    copying,
    copyOn: () => {
      if (copying.value < atOnce) void copyAll();
    },
  };
}
