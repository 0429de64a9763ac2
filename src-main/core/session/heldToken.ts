import type { StationTime } from '../domain/stationTime.ts';
import type { Token } from './tokens.ts';

/** A token as the session holds it. Times are the service's, in Unix milliseconds. */
export interface HeldToken {
  readonly token: Token;
  readonly expiresAt: number;
  /** How long it had to live when it came, as the station estimates it. */
  readonly lifetimeMs: number;
  /** `StationTime.disturbances()` when its login was sent. */
  readonly disturbances: number;
  /** The service answered it with 401. */
  readonly refused: boolean;
}

/** Renew when fewer than 60 seconds remain (interface: Authentication, 4). */
const marginMs = 60_000;
/** `Date` counts whole seconds, so a lifetime of just the margin cannot be told from one below it. */
const lifetimeBlurMs = 1_000;

/**
 * Whether the token may still be sent. One that seemed expired on arrival is used until a 401 says
 * otherwise: the estimate of the time is what must be wrong, and renewing would bring another one
 * like it, at every request.
 */
export function isUsable(held: HeldToken, stationTime: StationTime): boolean {
  if (held.refused) return false;
  return held.lifetimeMs <= 0 || stationTime.stationNow() < held.expiresAt;
}

/**
 * Whether a login comes before the next use. A token that lives shorter than the margin is used for
 * all its life: with the margin it would be renewed at every request.
 */
export function needsRenewal(held: HeldToken, stationTime: StationTime): boolean {
  if (held.refused || held.disturbances !== stationTime.disturbances()) return true;
  if (held.lifetimeMs <= 0) return false;
  const margin = held.lifetimeMs < marginMs + lifetimeBlurMs ? 0 : marginMs;
  const remaining = held.expiresAt - stationTime.stationNow();
  return margin === 0 ? remaining <= 0 : remaining < margin;
}
