import { Allowance } from './allowance.ts';
import type { LoginCause } from './loginOutcome.ts';

const firstRestMs = 5 * 60_000;
const longestRestMs = 30 * 60_000;
/** 4 at once and 6 an hour: tokens revoked now and then are replaced at once, and no mix of answers costs more. */
const refusalLogins = { most: 4, refillMs: 10 * 60_000 };
/** More operations are not remembered: every mission that is decided is one. */
const mostAccepted = 200;
/** What a token worked for within this time is asked again soon with the next one ... */
const recentMs = 60_000;
/** ... but not for ever: an open stream and a file that was sent are not asked again. */
const untriedMs = 30_000;

export interface Refused {
  /** The operation whose token was answered with 401. */
  readonly by: string;
  /** The operation has had its one login already (interface: Authentication, 4). */
  readonly repeated: boolean;
}

/**
 * Whether a 401 causes a login. One for the whole session: remembered per operation, every login of a
 * failing operation would end the rest of the others, and twelve operations would make a loop.
 *
 * A login is *futile* when its token is answered with 401 by the operation that caused the login, or
 * before any operation was answered with it. The session then rests: 5 minutes, doubling to 30. Until
 * the rest is over a 401 causes a login only where the token worked for the same operation before,
 * which shows that it was revoked meanwhile. That it works for another operation shows nothing: a
 * stream that is always refused beside lists that never are would log in at each of its attempts.
 *
 * Times are `Clock.elapsed()`.
 */
export class RefusalRest {
  readonly #allowance = new Allowance(refusalLogins);
  #cause: LoginCause = 'sign-in';
  #futile = false;
  /** Operations that the present token works for, as far as the last answer to each says, by the time of that answer. */
  readonly #accepted = new Map<string, number>();
  /** Operations that the token before worked for a moment ago, and that were not asked with this one yet. */
  #untried = new Set<string>();
  #grantedAt = 0;
  /** The present token was answered with 401, no login followed, and no operation was answered since. */
  #stands = false;
  #restMs = 0;
  #untilElapsed = Number.NEGATIVE_INFINITY;

  /**
   * Whether the service refuses its own tokens: a 401 stands, no operation works, and none is to ask
   * that worked a moment ago. One operation that is always refused, beside others that never are, shows
   * no such thing.
   */
  refusesAll(now: number): boolean {
    const mayWork = this.#untried.size > 0 && now - this.#grantedAt < untriedMs;
    return this.#stands && this.#accepted.size === 0 && !mayWork && this.waitMs(now) > 0;
  }

  /** A login brought another token. */
  granted(cause: LoginCause, now: number): void {
    this.#cause = cause;
    this.#futile = this.#stands = false;
    this.#grantedAt = now;
    const recent = [...this.#accepted].filter(([, since]) => now - since < recentMs);
    this.#untried = new Set(recent.map(([by]) => by));
    this.#accepted.clear();
  }

  /** The service answered `by` with the present token, and not with 401. */
  accepted(by: string, now: number): void {
    this.#untried.delete(by);
    this.#stands = false;
    if (this.#accepted.has(by) || this.#accepted.size < mostAccepted) this.#accepted.set(by, now);
  }

  /** Whether this 401 of the present token causes a login; if so, it is counted. */
  refused({ by, repeated }: Refused, now: number): boolean {
    this.#untried.delete(by);
    const worked = this.#accepted.delete(by);
    const unproven = repeated || this.#accepted.size === 0;
    if (this.#cause === 'refusal' && !this.#futile && unproven && !worked) {
      this.#futile = true;
      this.#rest(now);
    }
    const mayLogIn = !repeated && (worked || now >= this.#untilElapsed);
    this.#stands = !(mayLogIn && this.#allowance.take(now));
    return !this.#stands;
  }

  /** Counts a login that no request asks for, when a rest is over; false when it may not be sent yet. */
  take(now: number): boolean {
    return now >= this.#untilElapsed && this.#allowance.take(now);
  }

  /** Milliseconds until a 401 may cause a login again; 0 when it may. */
  waitMs(now: number): number {
    return Math.max(0, this.#untilElapsed - now, this.#allowance.waitMs(now));
  }

  /** The operator asks for a login: the next rest is the shortest again. */
  forget(): void {
    this.#untilElapsed = Number.NEGATIVE_INFINITY;
  }

  #rest(now: number): void {
    const calm = now - this.#untilElapsed > longestRestMs;
    this.#restMs = calm ? firstRestMs : Math.min(longestRestMs, this.#restMs * 2);
    this.#untilElapsed = now + this.#restMs;
  }
}
