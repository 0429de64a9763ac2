import type { Failure } from '../../../../src-preload/contract/index.ts';
import { isObject, ownValue } from '../../base/json.ts';
import type { ActionAnswer } from '../../service/api/coordination.ts';
import { guessCid, verdictOf } from '../evidence/index.ts';
import type { SendReport, StopReason } from './attempt.ts';
import type { Confirmation, UploadItem } from './item.ts';
import type { UploadEvent } from './machine.ts';
import { cancelled, interruptedSending, notes, notGranted } from './messages.ts';

/** After this many successes with an unreadable answer the upload counts as sent, without a CID. */
const mostUnreadable = 3;

export interface AfterAttempt {
  /** The item when it was sent. */
  readonly item: UploadItem;
  /** Null: it was stopped before the request. */
  readonly report: SendReport | null;
  readonly stopped: StopReason | null;
  readonly cidField: string;
  /** Server time, Unix milliseconds. */
  readonly now: number;
  /** Delays the item after a failure. Returns until when, in server time. */
  readonly rest: (failure: Failure) => number;
}

/** The event of an attempt for its item. */
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

/** The outcome of an attempt. */
export type Outcome =
  | { readonly kind: 'sent'; readonly cid: string | null; readonly requestId: string | null }
  /** A success with an unreadable answer: the file arrived. A repetition with the same key may give the CID. */
  | { readonly kind: 'unreadable'; readonly failure: Failure }
  /** The service refused it: its key must not be used again. */
  | { readonly kind: 'refused'; readonly failure: Failure }
  | { readonly kind: 'not-left'; readonly failure: Failure }
  | { readonly kind: 'unknown'; readonly failure: Failure };

/** 4xx statuses that are temporary, or that say nothing about an earlier attempt. */
const passing: ReadonlySet<number> = new Set([401, 408, 409, 425, 429]);

/** The outcome of an answer (interface: Errors). Only the status decides, never the body's text. */
export function outcomeOf({ result, left }: ActionAnswer, cidField: string): Outcome {
  if (result.ok) {
    return { kind: 'sent', cid: cidOf(result.value.body, cidField), requestId: result.value.requestId };
  }
  const { failure } = result;
  const { status } = failure;
  // A network's sign-in page answers with 200 too, so a page confirms nothing.
  const isUnread = failure.code === 'unreadable-answer' || failure.code === 'answer-too-large';
  if (status !== null && status >= 200 && status < 300 && isUnread) return { kind: 'unreadable', failure };
  // The same holds after a missing scope: the rest of the outbox waits for the next token.
  if (!left) return { kind: 'not-left', failure };
  const isDefinite = status !== null && status >= 400 && status < 500 && !passing.has(status);
  return { kind: isDefinite ? 'refused' : 'unknown', failure };
}

const longestCid = 256;
const mostLooked = 2_000;

/** The member that the deployment names, as it came; else the first text in the answer that is a CID. */
export function cidOf(body: unknown, cidField: string): string | null {
  const named = isObject(body) ? ownValue(body, cidField) : undefined;
  if (typeof named === 'string' && named.trim() !== '')
    return named.trim().slice(0, longestCid).toWellFormed();
  // In the order of the text. Without recursion, since an answer may be nested too deep for the stack.
  const ahead: unknown[] = [body];
  for (let looked = 0; ahead.length > 0 && looked < mostLooked; looked += 1) {
    const value = ahead.pop();
    if (typeof value === 'string') {
      if (guessCid(value) !== null) return value;
    } else if (Array.isArray(value)) {
      for (let at = Math.min(value.length, mostLooked) - 1; at >= 0; at -= 1) ahead.push(value[at]);
    } else if (isObject(value)) {
      const names = Object.keys(value).slice(0, mostLooked);
      for (const name of names.toReversed()) ahead.push(ownValue(value, name));
    }
  }
  return null;
}
