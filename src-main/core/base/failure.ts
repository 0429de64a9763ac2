import {
  failed,
  type Failure,
  type FailureCode,
  type Message,
  type Result,
} from '../../../src-preload/contract/index.ts';
import texts from '../../../src-preload/contract/messages/en/core.json' with { type: 'json' };
import { message, type MessageId } from './messages/message.ts';

/** The operator's sentence and remedy of every code, in one place so that they read alike. */
const worded: Readonly<Record<FailureCode, { readonly sentence: string; readonly remedy?: string }>> =
  texts.failure;

/** The code's own remedy; null where the operator can do nothing. */
const remedyOf = (code: FailureCode): Message | null =>
  worded[code].remedy === undefined ? null : message(`failure.${code}.remedy` as MessageId);

export interface FailureParts {
  readonly code: FailureCode;
  /** Server time in Unix milliseconds. */
  readonly at: number;
  /** Replaces the code's own sentence or remedy where more is known. */
  readonly sentence?: Message | undefined;
  readonly remedy?: Message | null | undefined;
  /** The HTTP status, where an answer came. */
  readonly status?: number | null | undefined;
  /** `X-Request-Id` of the answer. */
  readonly requestId?: string | null | undefined;
  /** The service's own words, already cleaned by `cleanWords`. */
  readonly words?: string | null | undefined;
  /** Server time in Unix milliseconds before which another try is useless. */
  readonly retryAt?: number | null | undefined;
}

/** Makes a failure with the operator's sentence of its code. */
export function makeFailure(parts: FailureParts): Failure {
  return {
    code: parts.code,
    sentence: parts.sentence ?? message(`failure.${parts.code}.sentence`),
    remedy: parts.remedy === undefined ? remedyOf(parts.code) : parts.remedy,
    status: parts.status ?? null,
    requestId: parts.requestId ?? null,
    words: parts.words ?? null,
    at: parts.at,
    retryAt: parts.retryAt ?? null,
  };
}

/** A failure without its time. */
export type Refusal = Omit<FailureParts, 'at'>;

/** Server time, and failures at this moment. */
export interface Moments {
  /** Server time, Unix milliseconds; the computer's time while no deployment is open. */
  readonly serverNow: () => number;
  readonly fail: (refusal: Refusal) => Failure;
  readonly refuse: (refusal: Refusal) => Result<never>;
}

export function momentsOf(serverNow: () => number): Moments {
  const fail = (refusal: Refusal): Failure => makeFailure({ ...refusal, at: serverNow() });
  return { serverNow, fail, refuse: (refusal) => failed(fail(refusal)) };
}

/** The same failure with another sentence. Without `remedy` the present remedy stays. */
export const reworded = (
  failure: Failure,
  { sentence, remedy }: { readonly sentence: Message; readonly remedy?: Message | null | undefined },
): Failure => ({ ...failure, sentence, remedy: remedy === undefined ? failure.remedy : remedy });
