import type { Failure, Result } from '../../../../src-preload/contract/index.ts';

import type { AnswerBounds } from './answerBounds.ts';
import type { AnswerHold } from './largeAnswers.ts';

export type ApiName = 'infrastructure' | 'coordination';

/** One operation on one API. Attempts share it; what they must remember together is in `operation`. */
export interface ApiRequest {
  readonly api: ApiName;
  /** The operation's name in the specification, for the log and the memory of refusals. */
  readonly operation: string;
  /** What of the operation is asked, where a scope may be missing for one and granted for another. */
  readonly resource: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Appended to the API's base address; begins with a slash. */
  readonly path: string;
  readonly query: Readonly<Record<string, string | number | undefined>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Makes the body anew for every attempt; null for none. One in pieces needs a `content-length` header. */
  readonly body: (() => string | Uint8Array | AsyncIterable<Uint8Array>) | null;
  /**
   * `required`: a token is got, by a login if need be. `present`: the token that is there, if any,
   * and never a login. `none`: no token (login itself). `upload`: the separate service token for
   * uploads, which no login brings (interface: Authentication, 7).
   */
  readonly authorization: 'required' | 'present' | 'none' | 'upload';
  /**
   * `answer`: an attempt, and the operation, may take so long. `progress`: a body may take for ever as
   * long as it moves. `head`: the answer's body is a stream that may last for ever.
   */
  readonly backoff: 'answer' | 'progress' | 'head';
  /** Called when bytes of the request may have left the computer; null where nobody asks. */
  readonly onLeft: (() => void) | null;
  /** False for what is outside the general retry rule (login, approvals). */
  readonly retries: boolean;
  /** An operator is waiting: say when to try again rather than wait over 5 s. */
  readonly interactive: boolean;
  /** Lets one request through although the last one was refused for a missing scope. */
  readonly recheck: boolean;
  /** What the answer may hold. */
  readonly bounds: AnswerBounds;
  /** Held from where a large answer turns out to be large: by the caller until it is stored, else until it is parsed. */
  readonly hold: AnswerHold;
  /** Waits until no other hold has a large answer. Rejects as soon as the signal is aborted. */
  readonly enterLarge: (signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
  readonly memory: OperationMemory;
}

/** What the attempts of one operation share. */
export interface OperationMemory {
  attempts: number;
  renewed: boolean;
  /** `Clock.elapsed()` at which the total deadline strikes. */
  deadlineElapsed: number;
}

/** An answer of any status; `body` is unknown until a schema has read it. */
export interface Answer {
  readonly status: number;
  /** Lower-case names; a repeated header is joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The wire's bytes as a `Body`, null where they were too many, and outside of the JSON interceptor what they were parsed to. With the patience
   * for a `head`, a 2xx holds the stream itself.
   */
  readonly body: unknown;
  readonly requestId: string | null;
  /** `Clock.elapsed()` at sending and when the head had come. */
  readonly sentElapsed: number;
  readonly headElapsed: number;
  /** Milliseconds from sending to the last byte. */
  readonly responseMs: number;
}

export type Next = (request: ApiRequest) => Promise<Result<Answer>>;
export type Interceptor = (request: ApiRequest, next: Next) => Promise<Result<Answer>>;

/**
 * How one attempt ended, for the connection tracker. `answered`: the service answered sensibly
 * (also with 401, 403, 404). `troubled`: it answered 5xx, 429 or something unreadable.
 * `unreachable`: it did not answer. An attempt that was cancelled is not reported.
 */
export interface AttemptOutcome {
  readonly api: ApiName;
  readonly operation: string;
  readonly outcome: 'answered' | 'troubled' | 'unreachable';
  readonly failure: Failure | null;
  readonly ms: number;
  readonly requestId: string | null;
}
