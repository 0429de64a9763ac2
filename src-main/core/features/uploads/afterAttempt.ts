import type { Failure } from '../../../../src-preload/contract/index.ts';
import { isObject, ownValue } from '../../base/json.ts';
import type { Message } from '../../base/messages/message.ts';
import { deniesSuccess, objectsIn, plainWord, saysLater, stateTexts } from '../../service/api/answerBody.ts';
import type { ActionAnswer, ActionTaken } from '../../service/api/coordination.ts';
import { readWords } from '../../service/transport/messages.ts';
import { guessCid, verdictOf } from '../evidence/index.ts';
import type { SendReport, StopReason } from './attempt.ts';
import type { Confirmation, UploadItem } from './item.ts';
import type { UploadEvent } from './machine.ts';
import { cancelled, interruptedSending, notGranted, unproven, unprovenSaid } from './messages.ts';

/** After this many successes with an unreadable answer the upload is not sent again. */
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
  const outcome = outcomeOf(answer);
  if (fileFailure !== null && (outcome.kind === 'not-left' || outcome.kind === 'unknown')) {
    if (fileFailure.code === 'file-damaged') return { kind: 'damaged', failure: fileFailure };
    return unanswered(fileFailure, false);
  }
  switch (outcome.kind) {
    case 'taken':
      return eventOfTaken(item, outcome.taken, cidField, now);
    case 'unreadable': {
      const times = (item.key?.unreadable ?? 0) + 1;
      if (times < mostUnreadable) return unanswered(outcome.failure, true);
      const { requestId } = outcome.failure;
      return { kind: 'unproven', ...confirmation(item, null, requestId, now), note: unproven.unreadable };
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

/**
 * What a 2xx answer proves. Only the CID of these bytes proves that the service has them; a body may lower that, and
 * never raises it (design rules 2 and 9).
 */
function eventOfTaken(item: UploadItem, taken: ActionTaken, cidField: string, now: number): UploadEvent {
  const { body, status, requestId } = taken;
  const said = confirmation(item, cidOf(body, cidField), requestId, now);
  const objects = objectsIn(body);
  const keep = (note: Message): UploadEvent => ({ kind: 'unproven', ...said, note });
  if (objects.some((object) => deniesSuccess(object) || stateTexts(object).some(isRefusal))) {
    const words = readWords(body);
    return keep(words === null ? unproven.denied : unprovenSaid(words));
  }
  if (status === 202 || objects.some(saysLater)) return keep(unproven.later);
  switch (said.verdict) {
    case 'match':
      return { kind: 'sent', ...said };
    case 'differs':
      return { kind: 'other-bytes', ...said };
    case 'not-verifiable':
      return keep(unproven.notVerifiable);
    case null:
      return keep(unproven.noCid);
  }
}

const refusals: ReadonlySet<string> = new Set(
  'rejected refused denied declined deleted removed discarded dropped cancelled canceled aborted expired'.split(
    ' ',
  ),
);
const isRefusal = (text: string): boolean => refusals.has(plainWord(text));

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
  | { readonly kind: 'taken'; readonly taken: ActionTaken }
  /** A success with an unreadable answer: the file arrived. A repetition with the same key may give the CID. */
  | { readonly kind: 'unreadable'; readonly failure: Failure }
  /** The service refused it: its key must not be used again. */
  | { readonly kind: 'refused'; readonly failure: Failure }
  | { readonly kind: 'not-left'; readonly failure: Failure }
  | { readonly kind: 'unknown'; readonly failure: Failure };

/** 4xx statuses that are temporary, or that say nothing about an earlier attempt. */
const passing: ReadonlySet<number> = new Set([401, 408, 409, 425, 429]);

/** The outcome of an answer (interface: Errors). Only the status decides whether there is another attempt. */
export function outcomeOf({ result, left }: ActionAnswer): Outcome {
  if (result.ok) return { kind: 'taken', taken: result.value };
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
