import type { Clock } from '../../base/ports.ts';
import type { ServerTime } from '../../base/serverTime.ts';
import { Allowance } from './allowance.ts';
import type { LoginCause, LoginOutcome } from './loginOutcome.ts';
import { RefusalRest, type Refused } from './refusalRest.ts';
import type { Token } from './tokens.ts';

/** A token in the session. */
interface HeldToken {
  readonly token: Token;
  /**
   * Milliseconds of its life when its login was answered, by the `Date` of that answer. After that elapsed time counts:
   * another server's `Date` says nothing about this token's end.
   */
  readonly lifetimeMs: number;
  /** `Clock.elapsed()` when its login was answered. */
  readonly grantedAtElapsed: number;
  /** `ServerTime.disturbances()` when its login was sent. */
  readonly disturbances: number;
  readonly cause: LoginCause;
  /** The service answered it with 401, and a login replaces it. */
  readonly refused: boolean;
}

/** `Clock.elapsed()` and `ServerTime.disturbances()`. */
interface Moment {
  readonly elapsed: number;
  readonly disturbances: number;
}

/** Renew when fewer than 60 seconds remain (interface: Authentication, 4). */
const marginMs = 60_000;
/** `Date` counts whole seconds, so a lifetime of exactly the margin cannot be distinguished from a shorter one. */
const lifetimeBlurMs = 1_000;
/** A token from a renewal because of time is used at least this long, or for its whole life where that is shorter. */
const leastServiceMs = 60_000;

/**
 * Whether the token may still be sent. One that seemed expired on arrival is used until a 401: the estimate of the time
 * must be wrong then, and a renewal at every request would bring another one like it.
 */
function isUsable(held: HeldToken, elapsed: number): boolean {
  if (held.refused) return false;
  return held.lifetimeMs <= 0 || elapsed - held.grantedAtElapsed < held.lifetimeMs;
}

/**
 * Whether a login has to come before the next use. A token with a shorter life than the margin is used for its whole
 * life: with the margin it would be renewed at every request. After one such renewal, so is a token that lives little
 * longer: tokens of 62 s would be renewed every 2 s.
 */
function needsRenewal(held: HeldToken, { elapsed, disturbances }: Moment): boolean {
  if (held.refused) return true;
  const served = elapsed - held.grantedAtElapsed;
  const byTime = held.cause === 'time';
  // Otherwise a clock that jumps repeatedly would cost a login each time.
  if (held.disturbances !== disturbances && !(byTime && served < leastServiceMs)) return true;
  if (held.lifetimeMs <= 0) return false;
  const margin = held.lifetimeMs < marginMs + lifetimeBlurMs ? 0 : marginMs;
  const due = held.lifetimeMs - margin;
  return served >= (byTime ? Math.max(due, Math.min(held.lifetimeMs, leastServiceMs)) : due);
}

/**
 * Renewals because of time: so many at once, and then one a minute. Without a limit, a service whose tokens live for
 * seconds would get one login per request.
 */
const timeLogins = { most: 10, refillMs: 60_000 };

/** The token of the session, and whether the time or a 401 requires another one. */
export class TokenHolder {
  readonly #clock: Clock;
  readonly #serverTime: ServerTime;
  /** Never reused while the console runs: it identifies the token of a late answer. */
  #generation = 0;
  #held: HeldToken | null = null;
  #cause: LoginCause = 'sign-in';
  #refusalRest = new RefusalRest();
  #timeAllowance = new Allowance(timeLogins);

  constructor(options: { readonly clock: Clock; readonly serverTime: ServerTime }) {
    this.#clock = options.clock;
    this.#serverTime = options.serverTime;
  }

  /** The token while it may be sent; null when it has expired. */
  get usable(): Token | null {
    const held = this.#held;
    return held !== null && isUsable(held, this.#clock.elapsed()) ? held.token : null;
  }

  /** As `usable`, and after its end until the service answers it with 401. */
  get unrefused(): Token | null {
    return this.#held === null || this.#held.refused ? null : this.#held.token;
  }

  /** Milliseconds since the token came; 0 without one. */
  get ageMs(): number {
    return this.#held === null ? 0 : this.#clock.elapsed() - this.#held.grantedAtElapsed;
  }

  /** The session ended or begins: drops the last token. */
  reset(): void {
    this.drop();
    this.#cause = 'sign-in';
    this.#refusalRest = new RefusalRest();
    this.#timeAllowance = new Allowance(timeLogins);
  }

  drop(): void {
    this.#held = null;
  }

  /** `disturbances` is `ServerTime.disturbances()` when the login was sent. */
  take(granted: Extract<LoginOutcome, { kind: 'granted' }>, disturbances: number): void {
    this.#generation += 1;
    this.#held = {
      token: { value: granted.token, generation: this.#generation },
      lifetimeMs: granted.lifetimeMs,
      grantedAtElapsed: granted.atElapsed,
      disturbances,
      cause: this.#cause,
      refused: false,
    };
    this.#refusalRest.granted(this.#cause, this.#clock.elapsed());
  }

  isPresent(generation: number): boolean {
    return this.unrefused?.generation === generation;
  }

  /** Whether a login because of time is due and may be sent. If so, it is counted. */
  takeByTime(): boolean {
    const elapsed = this.#clock.elapsed();
    const disturbances = this.#serverTime.disturbances();
    const due = this.#held === null || needsRenewal(this.#held, { elapsed, disturbances });
    if (!due || !this.#timeAllowance.take(elapsed)) return false;
    this.#cause = 'time';
    return true;
  }

  /** Whether this 401 of the present token causes a login. If so, it is counted. */
  takeByRefusal(refused: Refused): boolean {
    return this.#refusalRest.refused(refused, this.#clock.elapsed());
  }

  /** Whether the rest after refused tokens is over. If so, a login is counted. */
  takeAfterRest(): boolean {
    return this.#refusalRest.take(this.#clock.elapsed());
  }

  /** Milliseconds until a 401 may cause a login again; 0 when it may. */
  get restMs(): number {
    return this.#refusalRest.waitMs(this.#clock.elapsed());
  }

  endRest(): void {
    this.#refusalRest.forget();
  }

  /** Whether the service refuses its own tokens, as far as known. */
  get isRefusedByAll(): boolean {
    return this.#refusalRest.refusesAll(this.#clock.elapsed());
  }

  accept(by: string): void {
    this.#refusalRest.accepted(by, this.#clock.elapsed());
  }

  /** Stops using the token: a login brings another one. */
  refuse(): void {
    this.#cause = 'refusal';
    if (this.#held !== null) this.#held = { ...this.#held, refused: true };
  }
}
