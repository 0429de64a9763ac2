import type { Failure } from '../../../../src-preload/contract/index.ts';
import { doubled } from '../../base/backoff.ts';
import { makeFailure } from '../../base/failure.ts';
import type { Scope } from '../../base/scope.ts';
import { Timer } from '../../base/timer.ts';
import { LinkReturn } from './linkReturn.ts';
import type { LoginOutcome } from './loginOutcome.ts';
import { nextSession, sessionAtStart, type SessionEvent, type SessionMachine } from './session.ts';
import type { SessionContext } from './sessionContext.ts';
import { TokenHolder } from './tokenHolder.ts';

/** A token that is due while no request needs one is renewed at least this long after it came, milliseconds. */
const keptFreshMs = 60_000;

/** Between logins without a usable answer, milliseconds: the first wait, which doubles, the longest and the shortest. */
const backoff = { firstMs: 2_000, longestMs: 60_000, shortestMs: 500 };

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/**
 * Runs the session machine (session.ts): sends logins, at most one at a time, and plans the next one. The only part
 * that holds the password and the token.
 */
export class Logins {
  readonly holder: TokenHolder;
  readonly #context: SessionContext;
  readonly #attempt: () => Scope;
  readonly #onChange: () => void;
  readonly #linkReturn = new LinkReturn();
  #machine = sessionAtStart;
  #credentials: Credentials | null = null;
  #flight: Promise<LoginOutcome> | null = null;
  readonly #retrying: Timer;

  /**
   * A login in flight ends with its `attempt`, which is the present sign-in attempt. `onChange`: the state of the
   * session machine changed.
   */
  constructor(context: SessionContext, attempt: () => Scope, onChange: () => void) {
    this.#context = context;
    this.#attempt = attempt;
    this.#onChange = onChange;
    this.#retrying = new Timer(context.clock, () => this.#retry());
    this.holder = new TokenHolder(context);
  }

  get machine(): SessionMachine {
    return this.#machine;
  }

  get credentials(): Credentials | null {
    return this.#credentials;
  }

  /** The running login, or null. It never rejects. */
  get flight(): Promise<unknown> | null {
    return this.#flight;
  }

  get attempt(): Scope {
    return this.#attempt();
  }

  /** Sends the first login of a session. Never rejects. */
  signIn(using: Credentials): Promise<LoginOutcome> {
    this.holder.reset();
    this.#credentials = using;
    this.step({ kind: 'sign-in' });
    this.#flight = this.#logIn(using);
    return this.#flight;
  }

  /** Joins the running login, or sends one. Never rejects. */
  renew(): Promise<unknown> {
    if (this.#flight !== null) return this.#flight;
    const using = this.#credentials;
    const { attempt } = this;
    this.#retrying.stop();
    this.step({ kind: 'renew' });
    // A listener of the change may have signed out.
    if (using === null || attempt.isOver) return Promise.resolve();
    this.#flight = this.#logIn(using);
    return this.#flight;
  }

  /** Sends a login to replace a token that the service answered with 401. */
  replaceToken(): Promise<unknown> {
    this.holder.refuse();
    return this.renew();
  }

  /** A sign-in had no usable answer, but the password opened the vault: another login follows. */
  openedOffline(failure: Failure): void {
    const wait = this.#backoff(failure);
    this.step({ kind: 'opened-offline', failure, until: this.#context.serverNow() + wait });
    this.#retrying.set(wait);
  }

  /** A sign-in had no usable answer, and no vault was opened: returns to the state before. */
  cameToNothing(failure: Failure): void {
    this.step({ kind: 'unanswered', failure, until: this.#context.serverNow(), usable: false });
  }

  forgetCredentials(): void {
    this.#credentials = null;
  }

  /** The attempt ends: drops timer and secrets. A separate `step` tells the machine. */
  drop(): void {
    this.#flight = null;
    this.#retrying.stop();
    this.#credentials = null;
    this.holder.reset();
  }

  step(event: SessionEvent): void {
    const before = this.#machine;
    this.#machine = nextSession(before, event);
    if (this.#machine === before) return;
    const { state } = this.#machine;
    this.#context.logger.info('session', { from: before.state, to: state, event: event.kind });
    this.#onChange();
  }

  /** Shows that the service refuses its tokens, unless an operation that worked before may show the contrary. */
  reviewToken(): void {
    if (this.#machine.state === 'active' && this.holder.isRefusedByAll) this.#tokensRefused();
  }

  /** The service accepted the token for an operation after all. */
  tokensAccepted(): void {
    if (this.#machine.state !== 'tokens-refused') return;
    this.#retrying.stop();
    this.step({ kind: 'tokens-accepted' });
  }

  keepFresh(): void {
    this.reviewToken();
    const isDue =
      this.#machine.state === 'active' && this.#flight === null && this.holder.ageMs >= keptFreshMs;
    if (isDue && this.holder.takeByTime()) void this.renew();
  }

  linkLost(): void {
    this.#linkReturn.lost();
  }

  linkReturned(): void {
    const reason = this.#machine.state === 'waiting' ? this.#machine.reason : null;
    if (this.#linkReturn.returned(reason, this.#context.clock.elapsed())) void this.renew();
  }

  wake(): void {
    const machine = this.#machine;
    if (machine.state !== 'waiting' && machine.state !== 'tokens-refused') return;
    if (machine.until <= this.#context.serverNow()) this.#retry();
  }

  /** Sends one login. Its answer changes the machine's state, unless the attempt is over. Never rejects. */
  async #logIn({ username, password }: Credentials): Promise<LoginOutcome> {
    const { serverTime, login } = this.#context;
    const { attempt } = this;
    const disturbances = serverTime.disturbances();
    const outcome = await login(username, password, attempt.signal);
    if (attempt.isOver) return outcome;
    switch (outcome.kind) {
      case 'granted':
        this.holder.take(outcome, disturbances);
        this.#linkReturn.succeeded();
        this.step({ kind: 'granted', expiresAt: outcome.expiresAt });
        break;
      case 'rejected':
        this.#rejected(outcome.failure);
        break;
      case 'unanswered':
        this.#unanswered(outcome.failure);
        break;
    }
    // A listener of the change may have ended the attempt: the next one has another login.
    if (!attempt.isOver) this.#flight = null;
    return outcome;
  }

  #rejected(failure: Failure): void {
    // Refused credentials are of no use. The verifier stays, for the lock.
    this.#credentials = null;
    this.holder.drop();
    const code = this.#machine.state === 'renewing' ? 'session-rejected' : 'bad-credentials';
    this.step({
      kind: 'refused',
      failure: makeFailure({ ...failure, code, sentence: undefined, remedy: undefined }),
    });
  }

  #unanswered(failure: Failure): void {
    this.#linkReturn.failed(failure, this.#context.clock.elapsed());
    // After a first login without an answer, the vault decides.
    if (this.#machine.state === 'signing-in') return;
    const wait = this.#backoff(failure);
    const until = this.#context.serverNow() + wait;
    this.step({ kind: 'unanswered', failure, until, usable: this.holder.usable !== null });
    if (this.#machine.state === 'waiting') this.#retrying.set(wait);
  }

  /** The service refuses the token for every operation: shown until the next login. */
  #tokensRefused(): void {
    const wait = this.holder.restMs;
    const until = this.#context.serverNow() + wait;
    const failure = this.#context.fail({ code: 'tokens-refused', status: 401, retryAt: until });
    this.step({ kind: 'tokens-refused', failure, until });
    this.#retrying.set(wait);
  }

  /** The time for which the session waits has come. */
  #retry(): void {
    if (this.#machine.state === 'waiting') {
      this.#linkReturn.tried();
      void this.renew();
    }
    if (this.#machine.state !== 'tokens-refused') return;
    if (this.holder.takeAfterRest()) void this.replaceToken();
    else this.#tokensRefused();
  }

  /**
   * Milliseconds before the next login: half of it fixed, half jitter, so that a hundred consoles do not return at the
   * same moment. The time for which the service asked comes first.
   */
  #backoff(failure: Failure): number {
    const failures = this.#machine.state === 'renewing' ? this.#machine.failures : 0;
    const bound = doubled(backoff.firstMs, failures, backoff.longestMs);
    const jitter = (this.#context.random.fraction() * bound) / 2;
    const waitMs = Math.max(backoff.shortestMs, bound / 2 + jitter);
    const askedMs = failure.retryAt === null ? 0 : failure.retryAt - this.#context.serverNow();
    return Math.max(0, askedMs) + waitMs;
  }
}
