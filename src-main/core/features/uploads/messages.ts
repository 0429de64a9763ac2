import type { Failure, OutboxState } from '../../../../src-preload/contract/index.ts';
import { makeFailure, reworded } from '../../base/failure.ts';
import { message, type Message } from '../../base/messages/message.ts';
import type { UploadItem } from './item.ts';

/** What an operator has to decide, and how. */
export interface Undecided {
  readonly why: Message;
  readonly remedy: Message;
}

const asks = (why: Message, remedy: Message): Undecided => ({ why, remedy });

const checkOrSend = message('upload.checkOrSend');

export const undecided = {
  unproven: asks(message('upload.unproven'), checkOrSend),
  stopped: asks(message('upload.stopped'), checkOrSend),
  rebuilt: asks(message('upload.rebuilt'), checkOrSend),
  damaged: asks(message('upload.damaged'), message('upload.damagedRemedy')),
  notBound: asks(message('upload.notBound'), checkOrSend),
  notFound: asks(message('upload.notFound'), message('upload.notFoundRemedy')),
  otherBytes: asks(message('upload.otherBytes'), message('upload.otherBytesRemedy')),
  listUnread: asks(message('upload.listUnread'), message('upload.listUnreadRemedy')),
} as const satisfies Record<string, Undecided>;

/** `sentAt` null: it was not sent yet. Times are server time. */
export const sameBytes = (fileName: string, sentAt: number | null): Undecided =>
  asks(
    sentAt === null
      ? message('upload.sameUnsent', { fileName })
      : message('upload.sameSent', { fileName, sentDate: sentAt }),
    message('upload.sameRemedy'),
  );

export const notes = {
  foundInList: message('upload.foundInList'),
  erased: message('upload.erased'),
} as const;

/** Why the copy of an upload that was answered with success stays here. */
export const unproven = {
  noCid: message('upload.kept.noCid'),
  later: message('upload.kept.later'),
  denied: message('upload.kept.denied'),
  notVerifiable: message('upload.kept.notVerifiable'),
  unreadable: message('upload.unreadable'),
} as const;
export const unprovenSaid = (words: string): Message => message('upload.kept.said', { words });
export const unprovenRemedy = message('upload.kept.remedy');

/** Why no file can be sent now. */
export type Block = 'offline' | 'session-waiting' | 'session-ended' | 'token-missing' | 'token-refused';

export const blocks: Readonly<Record<Block, Undecided>> = {
  offline: asks(message('upload.offline'), message('upload.nothingToDo')),
  'session-waiting': asks(message('upload.sessionWaiting'), message('upload.nothingToDo')),
  'session-ended': asks(message('upload.sessionEnded'), message('upload.sessionEndedRemedy')),
  'token-missing': asks(
    message('failure.upload-token-missing.sentence'),
    message('failure.upload-token-missing.remedy'),
  ),
  'token-refused': asks(
    message('failure.upload-token-refused.sentence'),
    message('failure.upload-token-refused.remedy'),
  ),
};

/** Why one waits while others may be sent. */
export type LineWait = 'slow-link' | 'data-used-up';

export const lineWaits: Readonly<Record<LineWait, Undecided>> = {
  'slow-link': asks(message('upload.slowLink'), message('upload.slowLinkRemedy')),
  'data-used-up': asks(message('upload.dataUsedUp'), message('upload.dataUsedUpRemedy')),
};

/** `room`: how many bytes may be sent now. A larger file would be cut, and begin again. */
export const lineWaitOf = (
  { paused, bytes }: Pick<UploadItem, 'paused' | 'bytes'>,
  room: number,
): LineWait | null => (paused === 'slow-link' ? paused : bytes > room ? 'data-used-up' : null);

/** Null where files can be sent. A separate token does not need the session. */
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

const addAgain = message('upload.addAgain');

export const cancelled = (at: number): Failure =>
  makeFailure({
    code: 'cancelled',
    at,
    sentence: message('upload.cancelled'),
    remedy: message('upload.cancelledRemedy'),
  });

export const cancelledReceiving = (at: number): Failure =>
  makeFailure({
    code: 'cancelled',
    at,
    sentence: message('upload.cancelledReceiving'),
    remedy: addAgain,
  });

export const interruptedSending = (at: number): Failure =>
  makeFailure({
    code: 'outcome-unknown',
    at,
    sentence: message('upload.interrupted'),
    remedy: message('upload.interruptedRemedy'),
  });

/** The file did not come completely, or differs from its announcement. */
export const refusedFile = (sentence: Message, at: number, remedy: Message = addAgain): Failure =>
  makeFailure({ code: 'file-refused', at, sentence, remedy });

export const copyCutOff = (at: number): Failure => makeFailure({ code: 'copy-cut-off', at });

export const damagedFile = (at: number): Failure => makeFailure({ code: 'file-damaged', at });

export const notGranted = (failure: Failure): Failure =>
  reworded(failure, {
    sentence: message('upload.notGranted'),
    remedy: message('upload.notGrantedRemedy'),
  });

export const unavailable = (at: number): Failure =>
  makeFailure({
    code: 'storage-failed',
    at,
    sentence: message('upload.unavailable'),
    remedy: message('upload.unavailableRemedy'),
  });

export const noSuchUpload = (at: number): Failure =>
  makeFailure({
    code: 'not-found',
    at,
    sentence: message('upload.gone'),
    remedy: null,
  });

/** The upload's present state does not allow the request. */
export const notNow = (sentence: Message, at: number): Failure =>
  makeFailure({ code: 'conflict', at, sentence });

/** The sentence for the operator after rows were lost. */
export const rebuiltSentence = (rebuilt: number, uncertain: number): Message =>
  uncertain === 0
    ? message('upload.rebuiltNone', { n: rebuilt })
    : message('upload.rebuiltSome', { n: rebuilt, uncertain });
