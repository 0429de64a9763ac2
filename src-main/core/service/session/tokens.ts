import type { Failure, Result } from '../../../../src-preload/contract/index.ts';
import type { Refused } from './refusalRest.ts';

/** A bearer token and its number: each token that a login brings has the next one. */
export interface Token {
  readonly value: string;
  readonly generation: number;
}

/**
 * What a 401 leads to: a token to repeat the request with, nothing more (it is surfaced), or why there
 * is no token, in place of the 401.
 */
export type AfterRefusal =
  | { readonly kind: 'token'; readonly token: Token }
  | { readonly kind: 'surfaced' }
  | { readonly kind: 'failed'; readonly failure: Failure };

/**
 * Where the authorization interceptor gets tokens from. Nothing else holds one of these: the link
 * (core/service/transport/link.ts) makes it and hands it to the transport only.
 */
export interface TokenSource {
  /**
   * A token fit for use, after a login when one is needed; any number of callers share one login.
   * Fails with `signed-out`, `session-rejected`, `session-waiting`, `tokens-refused` or, through
   * `signal`, `cancelled`.
   */
  fresh(signal: AbortSignal): Promise<Result<Token>>;
  /** The token there is, without any login; null when there is none that could be used. */
  present(): Token | null;
  /**
   * The service answered the token of `generation` with 401. Any number of them cost one login; when a
   * newer token is there already it is given at once: a late 401 of an old token costs no login.
   * `failed` with `tokens-refused` where no operation's token is accepted and no login helped.
   */
  refused(generation: number, refused: Refused, signal: AbortSignal): Promise<AfterRefusal>;
  /** The service answered `by` with the token of `generation` in a way that shows that it accepts it. */
  accepted(generation: number, by: string): void;
  /** The separate service token for uploads; fails with `upload-token-missing` or `upload-token-refused`. */
  upload(): Result<Token>;
  /** The service answered the upload token of `generation` with 401: it is not sent again. */
  uploadRefused(generation: number): void;
  /** The password and tokens that are held now: what the service echoes of them is not shown. */
  secrets(): readonly string[];
}
