import type { LoginCause } from './loginOutcome.ts';
import type { Token } from './tokens.ts';

/** A token as the session holds it. */
export interface HeldToken {
  readonly token: Token;
  /**
   * Milliseconds it had to live when its login was answered, by the `Date` of that answer. What is left
   * is counted by elapsed time: another server's `Date` says nothing about this token's end.
   */
  readonly lifetimeMs: number;
  /** `Clock.elapsed()` when its login was answered. */
  readonly grantedAtElapsed: number;
  /** `ServerTime.disturbances()` when its login was sent. */
  readonly disturbances: number;
  readonly cause: LoginCause;
  /** The service answered it with 401, and another one takes its place. */
  readonly refused: boolean;
}

/** `Clock.elapsed()` and `ServerTime.disturbances()`. */
interface Moment {
  readonly elapsed: number;
  readonly disturbances: number;
}

/** Renew when fewer than 60 seconds remain (interface: Authentication, 4). */
const marginMs = 60_000;
/** `Date` counts whole seconds, so a lifetime of just the margin cannot be told from one below it. */
const lifetimeBlurMs = 1_000;
/** A token that was renewed because of time serves so long, or its whole life where that is shorter. */
const leastServiceMs = 60_000;

/**
 * Whether the token may still be sent. One that seemed expired on arrival is used until a 401 says
 * otherwise: the estimate of the time is what must be wrong, and renewing would bring another one
 * like it, at every request.
 */
export function isUsable(held: HeldToken, elapsed: number): boolean {
  if (held.refused) return false;
  return held.lifetimeMs <= 0 || elapsed - held.grantedAtElapsed < held.lifetimeMs;
}

/**
 * Whether a login comes before the next use. A token that lives shorter than the margin is used for
 * all its life: with the margin it would be renewed at every request. So is, after one such renewal,
 * one that lives little longer: tokens of 62 s would be renewed every 2 s.
 */
export function needsRenewal(held: HeldToken, { elapsed, disturbances }: Moment): boolean {
  if (held.refused) return true;
  const served = elapsed - held.grantedAtElapsed;
  const byTime = held.cause === 'time';
  // A clock that jumps again and again would otherwise cost a login each time.
  if (held.disturbances !== disturbances && !(byTime && served < leastServiceMs)) return true;
  if (held.lifetimeMs <= 0) return false;
  const margin = held.lifetimeMs < marginMs + lifetimeBlurMs ? 0 : marginMs;
  const due = held.lifetimeMs - margin;
  return served >= (byTime ? Math.max(due, Math.min(held.lifetimeMs, leastServiceMs)) : due);
}
