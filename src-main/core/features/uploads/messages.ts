import type { Failure, OutboxState, Phrase, Phrases } from '../../../../src-preload/contract/index.ts';
import { makeFailure, reworded } from '../../base/failure.ts';
import { StorageError } from '../../vault/storage.ts';
import { storageFailure } from '../../vault/storageFailure.ts';
import { phraseOf, say, type Said } from '../../base/messages/message.ts';

/** What an operator has to decide, and how. */
export interface Undecided {
  readonly why: string;
  readonly remedy: string;
  readonly phrases: Phrases;
}

const asks = (why: Said, remedy: Said): Undecided => ({
  why: why.text,
  remedy: remedy.text,
  phrases: { sentence: phraseOf(why), remedy: phraseOf(remedy) },
});

const checkOrSend = say('upload.checkOrSend');

export const undecided = {
  unproven: asks(say('upload.unproven'), checkOrSend),
  stopped: asks(say('upload.stopped'), checkOrSend),
  rebuilt: asks(say('upload.rebuilt'), checkOrSend),
  damaged: asks(say('upload.damaged'), say('upload.damagedRemedy')),
  notBound: asks(say('upload.notBound'), checkOrSend),
  notFound: asks(say('upload.notFound'), say('upload.notFoundRemedy')),
  listUnread: asks(say('upload.listUnread'), say('upload.listUnreadRemedy')),
} as const satisfies Record<string, Undecided>;

/** `sentAt` null: it was not sent yet. Times are server time. */
export const sameBytes = (fileName: string, sentAt: number | null): Undecided =>
  asks(
    sentAt === null
      ? say('upload.sameUnsent', { fileName })
      : say('upload.sameSent', { fileName, sentDate: sentAt }),
    say('upload.sameRemedy'),
  );

export const notes = {
  foundInList: say('upload.foundInList'),
  unreadable: say('upload.unreadable'),
} as const;

/** As an upload keeps it. */
export const noteOf = (note: Said): { readonly note: string; readonly notePhrase: Phrase | null } => ({
  note: note.text,
  notePhrase: phraseOf(note),
});

/** Why nothing is sent now, whichever file it is. */
export type Block = 'offline' | 'session-waiting' | 'session-ended' | 'token-missing' | 'token-refused';

export const blocks: Readonly<Record<Block, Undecided>> = {
  offline: asks(say('upload.offline'), say('upload.nothingToDo')),
  'session-waiting': asks(say('upload.sessionWaiting'), say('upload.nothingToDo')),
  'session-ended': asks(say('upload.sessionEnded'), say('upload.sessionEndedRemedy')),
  'token-missing': asks(
    say('failure.upload-token-missing.sentence'),
    say('failure.upload-token-missing.remedy'),
  ),
  'token-refused': asks(
    say('failure.upload-token-refused.sentence'),
    say('failure.upload-token-refused.remedy'),
  ),
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

const addAgain = say('upload.addAgain');

export const cancelled = (at: number): Failure =>
  makeFailure({
    code: 'cancelled',
    at,
    sentence: say('upload.cancelled'),
    remedy: say('upload.cancelledRemedy'),
  });

export const cancelledReceiving = (at: number): Failure =>
  makeFailure({
    code: 'cancelled',
    at,
    sentence: say('upload.cancelledReceiving'),
    remedy: addAgain,
  });

export const interruptedSending = (at: number): Failure =>
  makeFailure({
    code: 'outcome-unknown',
    at,
    sentence: say('upload.interrupted'),
    remedy: say('upload.interruptedRemedy'),
  });

/** The file was not read to its end, or was another one than was announced. */
export const refusedFile = (sentence: Said, at: number, remedy: Said = addAgain): Failure =>
  makeFailure({ code: 'file-refused', at, sentence, remedy });

export const copyCutOff = (at: number): Failure => makeFailure({ code: 'copy-cut-off', at });

export const damagedFile = (at: number): Failure => makeFailure({ code: 'file-damaged', at });

export const notGranted = (failure: Failure): Failure =>
  reworded(failure, {
    sentence: say('upload.notGranted'),
    remedy: say('upload.notGrantedRemedy'),
  });

export const unavailable = (at: number): Failure =>
  makeFailure({
    code: 'storage-failed',
    at,
    sentence: say('upload.unavailable'),
    remedy: say('upload.unavailableRemedy'),
  });

export const noSuchUpload = (at: number): Failure =>
  makeFailure({
    code: 'not-found',
    at,
    sentence: say('upload.gone'),
    remedy: null,
  });

/** What was asked for does not fit what the upload is now. */
export const notNow = (sentence: Said, at: number): Failure =>
  makeFailure({ code: 'conflict', at, sentence });

/** Of whatever a port rejected with. */
export function storeFailure(error: unknown, at: number): Failure {
  return storageFailure(error instanceof StorageError ? error.reason : 'broken', at);
}

/** For the operator, after rows were lost. */
export const rebuiltSentence = (rebuilt: number, uncertain: number): Said =>
  uncertain === 0
    ? say('upload.rebuiltNone', { n: rebuilt })
    : say('upload.rebuiltSome', { n: rebuilt, uncertain });
