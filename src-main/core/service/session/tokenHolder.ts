import type { Clock } from '../../base/ports.ts';
import type { ServerTime } from '../../base/serverTime.ts';
import { Allowance } from './allowance.ts';
import { isUsable, needsRenewal, type HeldToken } from './heldToken.ts';
import type { LoginCause, LoginOutcome } from './loginOutcome.ts';
import { RefusalRest, type Refused } from './refusalRest.ts';
import type { Token } from './tokens.ts';

/**
 * Renewals because of time: so many at once, and then one a minute. A service that says that its tokens
 * live for seconds would otherwise have one login per request.
 */
const timeLogins = { most: 10, refillMs: 60_000 };

/** The token of the session, and whether the time or a 401 is reason enough for another one. */
export class TokenHolder {
  readonly #clock: Clock;
  readonly #serverTime: ServerTime;
  /** Never the same twice in the life of the console: an answer to an earlier session's token is known by it. */
  #generation = 0;
  #held: HeldToken | null = null;
  #cause: LoginCause = 'sign-in';
  #refusalRest = new RefusalRest();
  #timeAllowance = new Allowance(timeLogins);

  constructor(options: { readonly clock: Clock; readonly serverTime: ServerTime }) {
    this.#clock = options.clock;
    this.#serverTime = options.serverTime;
  }

  /** The token as long as it may be sent, expired ones not. */
  get usable(): Token | null {
    const held = this.#held;
    return held !== null && isUsable(held, this.#clock.elapsed()) ? held.token : null;
  }

  /** As `usable`, and past its end until the service answers it with 401. */
  get unrefused(): Token | null {
    return this.#held === null || this.#held.refused ? null : this.#held.token;
  }

  /** Milliseconds since the token came; 0 without one. */
  get ageMs(): number {
    return this.#held === null ? 0 : this.#clock.elapsed() - this.#held.grantedAtElapsed;
  }

  /** The session ended or begins: nothing that is remembered of the last one counts. */
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

  /** Whether a login because of time is due and may be sent; if so, it is counted. */
  takeByTime(): boolean {
    const elapsed = this.#clock.elapsed();
    const disturbances = this.#serverTime.disturbances();
    const due = this.#held === null || needsRenewal(this.#held, { elapsed, disturbances });
    if (!due || !this.#timeAllowance.take(elapsed)) return false;
    this.#cause = 'time';
    return true;
  }

  /** Whether this 401 of the present token causes a login; if so, it is counted. */
  takeByRefusal(refused: Refused): boolean {
    return this.#refusalRest.refused(refused, this.#clock.elapsed());
  }

  /** Whether the rest after refused tokens is over; if so, a login is counted. */
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

  /** Whether the service refuses its own tokens, as far as is known. */
  get isRefusedByAll(): boolean {
    return this.#refusalRest.refusesAll(this.#clock.elapsed());
  }

  accept(by: string): void {
    this.#refusalRest.accepted(by, this.#clock.elapsed());
  }

  /** The token is not sent any more: a login brings another one. */
  refuse(): void {
    this.#cause = 'refusal';
    if (this.#held !== null) this.#held = { ...this.#held, refused: true };
  }
}
