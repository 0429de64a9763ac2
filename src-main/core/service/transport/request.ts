import type { Failure, Result } from '../../../../src-preload/contract/index.ts';

import type { AnswerBounds } from './answerBounds.ts';
import type { LargeAnswerPermit } from './largeAnswers.ts';

export type ApiName = 'infrastructure' | 'coordination';

/** One operation on one API. Its attempts share this object, and their common state is in `operation`. */
export interface ApiRequest {
  readonly api: ApiName;
  /** The operation's name in the specification, for the log and the memory of refusals. */
  readonly operation: string;
  /**
   * The part of the operation's data that the request reads, where a scope may be missing for one part and not for
   * another.
   */
  readonly resource: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Appended to the API's base address; begins with a slash. */
  readonly path: string;
  readonly query: Readonly<Record<string, string | number | undefined>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Makes the body for each attempt; null for none. A body in pieces needs a `content-length` header. */
  readonly body: (() => string | Uint8Array | AsyncIterable<Uint8Array>) | null;
  /**
   * `required`: a token, after a login if needed. `present`: the present token, if any, and never a login. `none`: no
   * token (the login itself). `upload`: the separate service token for uploads, which no login brings (interface:
   * Authentication, 7).
   */
  readonly authorization: 'required' | 'present' | 'none' | 'upload';
  /**
   * `answer`: the silence in an attempt, and the operation until an answer begins, have time limits. `progress`: a body
   * may take any time while it makes progress. `head`: the answer's body is a stream without a time limit.
   */
  readonly backoff: 'answer' | 'progress' | 'head';
  /** An answer that is cut is read as far as its whole records came. */
  readonly keepsCut: boolean;
  /** Called with the bytes of the body that have left, from 0 at each attempt; null where no caller needs it. */
  readonly onProgress: ((bytes: number) => void) | null;
  /** Called with the number of bytes of the answer's body that came, 0 for its head. Set by the limit of the attempt. */
  readonly onReceived?: (bytes: number) => void;
  /** Called when bytes of the request may have been sent; null where no caller needs it. */
  readonly onSent: (() => void) | null;
  /** Called with the body of an answer that is not 2xx; null where no caller needs it. */
  readonly onRefusal: ((body: unknown) => void) | null;
  /** A decision or a sign-in: it waits for nothing, and bulk waits for it. */
  readonly isUrgent: boolean;
  /** False for requests outside the general retry rule (login, approvals). */
  readonly retries: boolean;
  /** An operator waits: instead of a wait over 5 s, the answer says when to try again. */
  readonly interactive: boolean;
  /** Sends one request although the last one was refused for a missing scope. */
  readonly recheck: boolean;
  /** The limits of the answer. */
  readonly bounds: AnswerBounds;
  /** Holds a large answer, from when it turns out to be large until it is parsed, or until the caller has stored it. */
  readonly permit: LargeAnswerPermit;
  /** Waits until no other permit has a large answer. Rejects as soon as the signal is aborted. */
  readonly enterLarge: (signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
  readonly memory: OperationMemory;
}

/** The common state of one operation's attempts. */
export interface OperationMemory {
  attempts: number;
  renewed: boolean;
  /** An attempt's answer has begun, and has not ended. */
  isAnswering: boolean;
  /** `Clock.elapsed()` at the total deadline. */
  deadlineElapsed: number;
}

/** An answer of any status; `body` is unknown until a schema has read it. */
export interface Answer {
  readonly status: number;
  /** Lower-case names; a repeated header is joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Inside of the JSON interceptor the bytes as a `Body`, null where they were too many; outside of it the parsed
   * value. With `head`, a 2xx answer has the stream itself.
   */
  readonly body: unknown;
  /** Why the body ends before its end, with `keepsCut`: it has the records that came whole. */
  readonly cut: Failure | null;
  /** The service says that its answer is as it was: 304 to a request that asked for that. */
  readonly isUnchanged: boolean;
  /** Bytes of the body as they came. */
  readonly bytes: number;
  readonly requestId: string | null;
  /** `Clock.elapsed()` at sending, and when the head came. */
  readonly sentElapsed: number;
  readonly headElapsed: number;
  /** Milliseconds from sending to the last byte. */
  readonly responseMs: number;
}

export type Next = (request: ApiRequest) => Promise<Result<Answer>>;
export type Interceptor = (request: ApiRequest, next: Next) => Promise<Result<Answer>>;

/**
 * The outcome of one attempt, for the connection's state. `answered`: a sensible answer (also 401, 403, 404).
 * `troubled`: a 5xx, a 429 or something unreadable. `unreachable`: no answer. A cancelled attempt is not reported.
 */
export interface AttemptOutcome {
  readonly api: ApiName;
  readonly operation: string;
  readonly outcome: 'answered' | 'troubled' | 'unreachable';
  readonly failure: Failure | null;
  readonly ms: number;
  readonly requestId: string | null;
}
