import type { Failure } from '../../../../src-preload/contract/index.ts';
import { verdictOf } from '../evidence/index.ts';
import { outcomeOf } from './answer.ts';
import type { SendReport, StopReason } from './attempt.ts';
import type { Confirmation, UploadItem } from './item.ts';
import type { UploadEvent } from './machine.ts';
import { cancelled, interruptedSending, notes, notGranted } from './messages.ts';

/** A success that cannot be read this often is a success whose CID is not known. */
const mostUnreadable = 3;

export interface AfterAttempt {
  /** As it was sent. */
  readonly item: UploadItem;
  /** Null: it was stopped before it began. */
  readonly report: SendReport | null;
  readonly stopped: StopReason | null;
  readonly cidField: string;
  /** Server time, Unix milliseconds. */
  readonly now: number;
  /** Lets the item rest after a failure; answers until when, in server time. */
  readonly rest: (failure: Failure) => number;
}

/** What an attempt did to its item (design rule 9). */
export function eventAfter({ item, report, stopped, cidField, now, rest }: AfterAttempt): UploadEvent {
  const ended = (left: boolean): UploadEvent =>
    stopped === 'cancel'
      ? { kind: 'stopped', failure: cancelled(now), left }
      : { kind: 'interrupted', failure: interruptedSending(now), left };
  const unanswered = (failure: Failure, unreadable: boolean): UploadEvent => ({
    kind: 'unanswered',
    failure,
    until: rest(failure),
    unreadable,
  });

  if (report === null) return ended(false);
  const { answer, fileFailure } = report;
  const outcome = outcomeOf(answer, cidField);
  if (fileFailure !== null && (outcome.kind === 'not-left' || outcome.kind === 'unknown')) {
    if (fileFailure.code === 'file-damaged') return { kind: 'damaged', failure: fileFailure };
    return unanswered(fileFailure, false);
  }
  switch (outcome.kind) {
    case 'sent':
      return { kind: 'sent', ...confirmation(item, outcome.cid, outcome.requestId, now) };
    case 'unreadable': {
      const times = (item.key?.unreadable ?? 0) + 1;
      if (times < mostUnreadable) return unanswered(outcome.failure, true);
      const { requestId } = outcome.failure;
      return { kind: 'sent', ...confirmation(item, null, requestId, now), note: notes.unreadable };
    }
    case 'refused': {
      const { failure } = outcome;
      return { kind: 'refused', failure: failure.code === 'not-granted' ? notGranted(failure) : failure };
    }
    case 'not-left': {
      const { failure } = outcome;
      if (stopped === 'cancel' || failure.code === 'cancelled') return ended(false);
      return { kind: 'not-left', failure, until: rest(failure) };
    }
    case 'unknown': {
      const { failure } = outcome;
      if (stopped === 'cancel' || failure.code === 'cancelled') return ended(true);
      return unanswered(failure, false);
    }
  }
}

function confirmation(
  { bytes, sha256, computed }: UploadItem,
  cid: string | null,
  requestId: string | null,
  at: number,
): Confirmation {
  const held =
    cid === null || sha256 === null
      ? { verdict: null, profile: null }
      : verdictOf({ claimed: cid, computed, sha256, bytes });
  return { at, cid, ...held, requestId, note: null };
}
