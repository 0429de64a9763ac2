import type { Failure, OutboxState } from '../../../src-preload/contract/index.ts';
import { makeFailure } from '../domain/failure.ts';
import { StorageError } from '../vault/storage.ts';
import { storageFailure } from '../vault/storageFailure.ts';

/** What an operator has to decide, and how. */
export interface Undecided {
  readonly why: string;
  readonly remedy: string;
}

const checkOrSend =
  'Check the list of evidence. Sending it again without finding it there may make a second copy.';

export const undecided = {
  unproven: {
    why: 'It may have arrived, and it is not proven that it was first sent less than 23 hours ago, so the service may not recognise it as the same upload.',
    remedy: checkOrSend,
  },
  stopped: {
    why: 'Sending was cancelled after bytes of it had left, so it may have arrived.',
    remedy: checkOrSend,
  },
  rebuilt: {
    why: 'What was known of this upload was damaged. It may have arrived.',
    remedy: checkOrSend,
  },
  damaged: {
    why: 'It may have arrived, and the copy on this computer is damaged, so it cannot be sent again.',
    remedy: 'Check the list of evidence. If it is not there, discard this one and add the file again.',
  },
  notBound: {
    why: 'It was sent by another account, to another address or with other bytes, and it may have arrived.',
    remedy: checkOrSend,
  },
  notFound: {
    why: 'The list of evidence was read to its end and does not hold it. It is still unknown whether it arrived.',
    remedy: 'Check again later, or send it again: a second copy is possible.',
  },
  listUnread: {
    why: 'The list of evidence could not be read to its end, so it is still unknown whether it arrived.',
    remedy: 'Check again when the service is in reach. Sending it again may make a second copy.',
  },
} as const satisfies Record<string, Undecided>;

/** `14:02 UTC on 2026-11-21` */
const instantText = (at: number): string => {
  const text = new Date(at).toISOString();
  return `${text.slice(11, 16)} UTC on ${text.slice(0, 10)}`;
};

/** `sentAt` null: it was not sent yet. Times are station time. */
export const sameBytes = (fileName: string, sentAt: number | null): Undecided => ({
  why:
    sentAt === null
      ? `“${fileName}” in the outbox has the same content and is not sent yet.`
      : `“${fileName}” has the same content and was sent at ${instantText(sentAt)}.`,
  remedy: 'Send it all the same, or discard it.',
});

export const notes = {
  foundInList: 'It was found in the list of evidence.',
  unreadable: 'The service confirmed it with an answer that cannot be read, so its CID is not known.',
} as const;

/** Why nothing is sent now, whichever file it is. */
export type Block = 'offline' | 'session-waiting' | 'session-ended' | 'token-missing' | 'token-refused';

export const blocks: Readonly<Record<Block, { readonly why: string; readonly remedy: string | null }>> = {
  offline: {
    why: 'Offline: sent when the link is back.',
    remedy: 'Nothing needs to be done. The console tries again by itself.',
  },
  'session-waiting': {
    why: 'The session waits for the service: sent when it is live again.',
    remedy: 'Nothing needs to be done. The console tries again by itself.',
  },
  'session-ended': { why: 'The session has ended: sent after the next sign-in.', remedy: 'Sign in again.' },
  'token-missing': {
    why: 'Uploads to this deployment need a service token of their own.',
    remedy: 'Enter the upload token that an administrator issued.',
  },
  'token-refused': {
    why: 'The service did not accept the upload token.',
    remedy: 'Enter another one, or ask an administrator for it.',
  },
};

/** Null where nothing stands in the way of sending. A separate token does not need the session. */
export function blockOf(state: {
  readonly uploadToken: OutboxState['uploadToken'];
  readonly session: 'live' | 'waiting' | 'ended';
  readonly isOffline: boolean;
}): Block | null {
  switch (state.uploadToken) {
    case 'missing':
      return 'token-missing';
    case 'refused':
      return 'token-refused';
    case 'present':
      return state.isOffline ? 'offline' : null;
    case 'not-used':
      if (state.session === 'ended') return 'session-ended';
      if (state.isOffline) return 'offline';
      return state.session === 'waiting' ? 'session-waiting' : null;
  }
}

const addAgain = 'Add the file again.';

export const cancelled = (at: number): Failure =>
  makeFailure({
    code: 'cancelled',
    at,
    sentence: 'This was cancelled before anything of it was sent.',
    remedy: 'Retry it, or discard it.',
  });

export const cancelledReceiving = (at: number): Failure =>
  makeFailure({
    code: 'cancelled',
    at,
    sentence: 'This was cancelled while the file was copied.',
    remedy: addAgain,
  });

export const interruptedSending = (at: number): Failure =>
  makeFailure({
    code: 'outcome-unknown',
    at,
    sentence: 'Sending was interrupted, so it may or may not have arrived.',
    remedy: 'It is sent again under the same key, which the service does not act on twice.',
  });

/** The file was not read to its end, or was another one than was announced. */
export const refusedFile = (sentence: string, at: number, remedy: string = addAgain): Failure =>
  makeFailure({ code: 'file-refused', at, sentence, remedy });

export const notCopied = (at: number): Failure =>
  refusedFile('The file was not copied completely before the console stopped.', at);

export const damagedFile = (at: number): Failure => makeFailure({ code: 'file-damaged', at });

export const notGranted = (failure: Failure): Failure => ({
  ...failure,
  sentence: 'Your account does not have the scope for uploads, so the service did not take this file.',
  remedy: 'An administrator must grant the scope; then retry it.',
});

export const unavailable = (at: number): Failure =>
  makeFailure({
    code: 'storage-failed',
    at,
    sentence: 'Nothing can be kept on this computer, so no files are taken for sending.',
    remedy: 'Check the space and the permissions of the data folder, then sign in again.',
  });

export const noSuchUpload = (at: number): Failure =>
  makeFailure({
    code: 'not-found',
    at,
    sentence: 'This upload is not in the outbox any more.',
    remedy: null,
  });

/** What was asked for does not fit what the upload is now. */
export const notNow = (sentence: string, at: number): Failure =>
  makeFailure({ code: 'conflict', at, sentence });

/** Of whatever a port rejected with. */
export function storeFailure(error: unknown, at: number): Failure {
  return storageFailure(error instanceof StorageError ? error.reason : 'broken', at);
}

/** For the operator, after rows were lost. */
export function rebuiltSentence(rebuilt: number, uncertain: number): string {
  const what = rebuilt === 1 ? '1 upload was' : `${String(rebuilt)} uploads were`;
  const rest =
    uncertain === 0
      ? 'None of them had begun to be sent.'
      : `${String(uncertain)} of them may have been sent already and need a decision.`;
  return `The list of uploads was damaged: ${what} put together again from the files that wait. ${rest}`;
}
