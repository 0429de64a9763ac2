import type { Failure } from '../../../../src-preload/contract/index.ts';
import { isObject, ownValue } from '../../base/json.ts';
import type { ActionAnswer } from '../../service/api/coordination.ts';
import { guessCid } from '../evidence/index.ts';

/** What became of an attempt. */
export type Outcome =
  | { readonly kind: 'sent'; readonly cid: string | null; readonly requestId: string | null }
  /** A success that cannot be read: it had its effect, and asking again under its key tells which. */
  | { readonly kind: 'unreadable'; readonly failure: Failure }
  /** For good: the key's end. */
  | { readonly kind: 'refused'; readonly failure: Failure }
  | { readonly kind: 'not-left'; readonly failure: Failure }
  | { readonly kind: 'unknown'; readonly failure: Failure };

/** 4xx that say nothing about whether an earlier attempt was taken, or that pass. */
const passing: ReadonlySet<number> = new Set([401, 408, 409, 425, 429]);

/** Reads an answer (interface: Errors). Only the status decides, never the body's text. */
export function outcomeOf({ result, left }: ActionAnswer, cidField: string): Outcome {
  if (result.ok) {
    return { kind: 'sent', cid: cidOf(result.value.body, cidField), requestId: result.value.requestId };
  }
  const { failure } = result;
  const { status } = failure;
  // A network's sign-in page answers 200 as well; that it is a page is no confirmation.
  const isUnread = failure.code === 'unreadable-answer' || failure.code === 'answer-too-large';
  if (status !== null && status >= 200 && status < 300 && isUnread) return { kind: 'unreadable', failure };
  // Also what the memory of a missing scope kept back: the rest of the outbox waits for the next token.
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
  // In the order of the text; by hand, since an answer may be nested deeper than a stack.
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
