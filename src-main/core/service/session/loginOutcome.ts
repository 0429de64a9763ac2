import type { Failure } from '../../../../src-preload/contract/index.ts';

/**
 * What a login came to.
 *
 * - `granted`: a token and its `expires_at`, here in Unix milliseconds of the service's time. At
 *   `atElapsed` (`Clock.elapsed()`) it had `lifetimeMs` to live, by the `Date` of the same answer.
 * - `rejected`: the service judged the credentials (400, 401, 403, 422): trying again is useless.
 * - `unanswered`: no usable answer (network, 5xx, 429, unreadable, no `expires_at`).
 */
export type LoginOutcome =
  | {
      readonly kind: 'granted';
      readonly token: string;
      readonly expiresAt: number;
      readonly lifetimeMs: number;
      readonly atElapsed: number;
    }
  | { readonly kind: 'rejected'; readonly failure: Failure }
  | { readonly kind: 'unanswered'; readonly failure: Failure };

/** Sends one login. Never rejects. */
export type Login = (username: string, password: string, signal: AbortSignal) => Promise<LoginOutcome>;

/**
 * Why a login is sent: a password was entered, time passed (or cannot be trusted after sleep), or a token was answered
 * with 401.
 */
export type LoginCause = 'sign-in' | 'time' | 'refusal';
