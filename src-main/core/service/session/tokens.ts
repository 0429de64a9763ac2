import type { Failure, Result } from '../../../../src-preload/contract/index.ts';
import type { Refused } from './refusalRest.ts';

/** A bearer token and its number, which grows with each login. */
export interface Token {
  readonly value: string;
  readonly generation: number;
}

/**
 * What follows a 401: a token to repeat the request with, nothing (the 401 is the result), or why there is no token.
 */
export type AfterRefusal =
  | { readonly kind: 'token'; readonly token: Token }
  | { readonly kind: 'surfaced' }
  | { readonly kind: 'failed'; readonly failure: Failure };

/**
 * The source of tokens for the authorization interceptor. The link (core/service/transport/link.ts) makes it and gives
 * it only to the transport.
 */
export interface TokenSource {
  /**
   * A usable token, after a login if one is needed. Any number of callers share one login. Fails with `signed-out`,
   * `session-rejected`, `session-waiting`, `tokens-refused` or, through `signal`, `cancelled`.
   */
  fresh(signal: AbortSignal): Promise<Result<Token>>;
  /** The present token, without a login; null when there is no usable one. */
  present(): Token | null;
  /**
   * The service answered the token of `generation` with 401. Any number of such answers cost one login. If there is a
   * newer token already, it is returned at once: a late 401 of an old token costs no login. `failed` with
   * `tokens-refused` where the token works for no operation and no login helped.
   */
  refused(generation: number, refused: Refused, signal: AbortSignal): Promise<AfterRefusal>;
  /** The service's answer for `by` shows that it accepts the token of `generation`. */
  accepted(generation: number, by: string): void;
  /** The separate service token for uploads; fails with `upload-token-missing` or `upload-token-refused`. */
  upload(): Result<Token>;
  /** The service answered the upload token of `generation` with 401: it is not sent again. */
  uploadRefused(generation: number): void;
  /** The present password and tokens: when the service repeats them, they are not shown. */
  secrets(): readonly string[];
}
