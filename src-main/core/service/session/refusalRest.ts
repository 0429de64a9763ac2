import { Allowance } from './allowance.ts';
import type { LoginCause } from './loginOutcome.ts';

const firstRestMs = 5 * 60_000;
const longestRestMs = 30 * 60_000;
/**
 * 4 at once and 6 an hour: tokens that are revoked occasionally are replaced at once, and no mix of answers costs more.
 */
const refusalLogins = { most: 4, refillMs: 10 * 60_000 };
/** The most remembered operations: each decision on a mission adds one. */
const mostAccepted = 200;
/** An operation for which a token worked within this time will soon ask with the next token ... */
const recentMs = 60_000;
/** ... but the wait for it has this limit: an open stream and a finished upload do not ask again. */
const untriedMs = 30_000;

export interface Refused {
  /** The operation whose token was answered with 401. */
  readonly by: string;
  /** The operation has already used its one login (interface: Authentication, 4). */
  readonly repeated: boolean;
}

/**
 * Whether a 401 causes a login. One decision for the whole session: if it were per operation, each login of a failing
 * operation would end the rest of the others, and twelve operations would make a loop.
 *
 * A login is *futile* when its token is answered with 401 for the operation that caused the login, or before it has
 * worked for any operation. The session then rests: 5 minutes, doubling to 30. During the rest a 401 causes a login
 * only where the token worked for the same operation before, which shows that it was revoked meanwhile. That it works
 * for another operation shows nothing: a stream that is always refused, beside lists that never are, would log in at
 * each of its attempts.
 *
 * Times are `Clock.elapsed()`.
 */
export class RefusalRest {
  readonly #allowance = new Allowance(refusalLogins);
  #cause: LoginCause = 'sign-in';
  #futile = false;
  /** Operations for which the present token worked at their last answer, with the time of that answer. */
  readonly #accepted = new Map<string, number>();
  /** Operations for which the token before worked recently, and that have not used this one yet. */
  #untried = new Set<string>();
  #grantedAt = 0;
  /** The present token was answered with 401, no login followed, and it has worked for no operation since. */
  #isRefused = false;
  #restMs = 0;
  #untilElapsed = Number.NEGATIVE_INFINITY;

  /**
   * Whether the service refuses its own tokens: a 401 stands, the token works for no operation, and every operation
   * that worked recently has tried it. One operation that is always refused, beside others that never are, does not
   * show that.
   */
  refusesAll(now: number): boolean {
    const mayWork = this.#untried.size > 0 && now - this.#grantedAt < untriedMs;
    return this.#isRefused && this.#accepted.size === 0 && !mayWork && this.waitMs(now) > 0;
  }

  /** A login brought another token. */
  granted(cause: LoginCause, now: number): void {
    this.#cause = cause;
    this.#futile = this.#isRefused = false;
    this.#grantedAt = now;
    const recent = [...this.#accepted].filter(([, since]) => now - since < recentMs);
    this.#untried = new Set(recent.map(([by]) => by));
    this.#accepted.clear();
  }

  /** The service answered `by` with the present token, and not with 401. */
  accepted(by: string, now: number): void {
    this.#untried.delete(by);
    this.#isRefused = false;
    if (this.#accepted.has(by) || this.#accepted.size < mostAccepted) this.#accepted.set(by, now);
  }

  /** Whether this 401 of the present token causes a login. If so, the login is counted. */
  refused({ by, repeated }: Refused, now: number): boolean {
    this.#untried.delete(by);
    const worked = this.#accepted.delete(by);
    const unproven = repeated || this.#accepted.size === 0;
    if (this.#cause === 'refusal' && !this.#futile && unproven && !worked) {
      this.#futile = true;
      this.#rest(now);
    }
    const mayLogIn = !repeated && (worked || now >= this.#untilElapsed);
    this.#isRefused = !(mayLogIn && this.#allowance.take(now));
    return !this.#isRefused;
  }

  /** Counts a login without a request, after a rest; false when it may not be sent yet. */
  take(now: number): boolean {
    return now >= this.#untilElapsed && this.#allowance.take(now);
  }

  /** Milliseconds until a 401 may cause a login again; 0 when it may. */
  waitMs(now: number): number {
    return Math.max(0, this.#untilElapsed - now, this.#allowance.waitMs(now));
  }

  /** The operator asks for a login: the next rest is a short one again. */
  forget(): void {
    this.#untilElapsed = Number.NEGATIVE_INFINITY;
  }

  #rest(now: number): void {
    const calm = now - this.#untilElapsed > longestRestMs;
    this.#restMs = calm ? firstRestMs : Math.min(longestRestMs, this.#restMs * 2);
    this.#untilElapsed = now + this.#restMs;
  }
}
