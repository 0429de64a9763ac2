import type { Result } from '../../../src-preload/contract/index.ts';

/** A bearer token and its number: each token that a login brings has the next one. */
export interface Token {
  readonly value: string;
  readonly generation: number;
}

/**
 * Where the authorization interceptor gets tokens from. Nothing else holds one of these: the link
 * (core/api/link.ts) makes it and hands it to the transport only.
 */
export interface TokenSource {
  /**
   * A token fit for use, after a login when one is needed; any number of callers share one login.
   * Fails with `signed-out`, `session-rejected`, `session-waiting` or, through `signal`, `cancelled`.
   */
  fresh(signal: AbortSignal): Promise<Result<Token>>;
  /** The token there is, without any login; null when there is none that could be used. */
  present(): Token | null;
  /**
   * Another token than the one of `generation`, which the service answered with 401. When a newer
   * one is there already it is given at once: a late 401 of an old token costs no login.
   */
  after(generation: number, signal: AbortSignal): Promise<Result<Token>>;
  /** The separate service token for uploads; fails with `upload-token-missing` or `upload-token-refused`. */
  upload(): Result<Token>;
  /** The service answered the upload token of `generation` with 401: it is not sent again. */
  uploadRefused(generation: number): void;
}
