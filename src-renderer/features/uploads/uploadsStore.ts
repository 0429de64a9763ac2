import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import type { Result, Upload, Verbs } from '../../../src-preload/contract/index.ts';
import { useCommand } from '../../base/command.ts';
import { pageFailure } from '../../base/failure.ts';
import { useRejectedFiles } from '../../base/rejectedFiles.ts';
import { useFileLine } from './fileLine.ts';
import type { UploadAction } from './uploadText.ts';
import { useBridge } from '../../base/stores/bridge.ts';
import { useMirror } from '../../base/stores/mirror.ts';

const folder = pageFailure('file-refused', 'failures.folder', 'failures.folderRemedy');

/** What the console does about an upload; a file is chosen by the page. */
type UploadCommand = Exclude<UploadAction, 'choose'>;

/**
 * What this page does about the outbox: files in line to be copied into it, and the commands on what is
 * in it. What the console knows is in the mirror; its rows are read page by page.
 */
export const useOutbox = defineStore('outbox', () => {
  const { verbs } = useBridge();
  const mirror = useMirror();
  /** Why the last command was not carried out. */
  const { failure, run, clear } = useCommand();
  /** The incident that files added from now on are evidence of. */
  const attachedTo = shallowRef<string | null>(null);
  const { rejected, reject, forgetRejected } = useRejectedFiles();
  const { line, copying, getInLine, leaveLine } = useFileLine(reject);

  return {
    state: computed(() => mirror.outbox),
    line,
    copying,
    rejected,
    failure,
    attachedTo,
    addFiles: (files: Iterable<File>) => {
      const incidentId = mirror.outbox?.incidentField === true ? attachedTo.value : null;
      for (const file of files) getInLine(file, incidentId, null);
    },
    refuseFolders: (names: readonly string[]) => {
      for (const name of names) reject(name, folder);
    },
    /** Copies the file of a row whose copying was cut off once more; the row goes when the file has another. */
    chooseAgain: ({ id, incidentId }: Upload, file: File) => {
      getInLine(file, incidentId, id);
    },
    leaveLine,
    forgetRejected,
    /** @param at its place in the list, for what moves it. */
    act: async (action: UploadCommand, upload: Upload, at: number) => {
      const answer = give(verbs, action, upload, at);
      if (answer !== null) await run(answer);
    },
    pauseAll: (paused: boolean) => run(verbs.pauseUpload({ id: null, paused })),
    discardSent: () => run(verbs.discardSentUploads({})),
    giveToken: (token: string) => verbs.giveUploadToken({ token }),
    clear,
  };
});

/** Gives a command about an upload. @returns null where there is nothing to do. */
function give(
  verbs: Verbs,
  action: UploadCommand,
  { id, state }: Upload,
  at: number,
): Promise<Result<unknown>> | null {
  switch (action) {
    case 'pause':
    case 'resume':
      return verbs.pauseUpload({ id, paused: action === 'pause' });
    case 'postpone':
      return verbs.postponeUpload({ id });
    case 'top':
      return verbs.moveUpload({ id, to: 0 });
    case 'up':
      return at === 0 ? null : verbs.moveUpload({ id, to: at - 1 });
    case 'down':
      return verbs.moveUpload({ id, to: at + 1 });
    case 'retry':
      return verbs.retryUpload({ id });
    case 'check':
    case 'send':
    case 'erase':
      return verbs.decideUpload({ id, decision: action });
    case 'cancel':
      return verbs.cancelUpload({ id });
    case 'discard':
      return verbs.discardUpload({ id, state });
  }
}
