import { failed, ok } from '../../../src-preload/contract/index.ts';
import type { Failure, Result } from '../../../src-preload/contract/index.ts';
import { makeFailure } from '../domain/failure.ts';
import type { StationTime } from '../domain/stationTime.ts';
import type { Clock, Logger, Random } from '../ports.ts';
import type { VaultDoor } from '../vault/door.ts';
import { say } from '../words/say.ts';
import { isUsable, needsRenewal } from './heldToken.ts';
import type { HeldToken } from './heldToken.ts';
import { createKeeper } from './keeper.ts';
import type { Login, LoginOutcome } from './login.ts';
import { nextSession, sessionAtStart, sessionView, waitingFailure } from './session.ts';
import type { EndReason, SessionEvent } from './session.ts';
import type { Session } from './sessionPort.ts';
import { settledBefore } from './settledBefore.ts';
import type { Token, TokenSource } from './tokens.ts';
import { UploadToken } from './uploadToken.ts';

export interface SessionOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly door: VaultDoor;
  readonly stationTime: StationTime;
  readonly logger: Logger;
  readonly login: Login;
  /** Milliseconds after a lock at which credentials, token and verifier are dropped. */
  readonly forgetAfterMs: number;
}

const firstBackoffMs = 2_000;
const longestBackoffMs = 60_000;
const shortestBackoffMs = 500;
const keptFreshMs = 60_000;

interface Credentials {
  readonly username: string;
  readonly password: string;
}

/**
 * Runs the session, vault and lock machines. Credentials and token live in this closure and nowhere
 * else; `tokens` is for the authorization interceptor alone.
 */
export function createSession(options: SessionOptions): { session: Session; tokens: TokenSource } {
  const { clock, random, stationTime, logger } = options;
  const listeners = new Set<() => void>();
  const uploadToken = new UploadToken();
  let machine = sessionAtStart;
  let username: string | null = null;
  let credentials: Credentials | null = null;
  let held: HeldToken | null = null;
  let generation = 0;
  let unansweredAtElapsed = 0;
  let grantedAtElapsed = 0;
  let flight: Promise<void> | null = null;
  let hangUp = new AbortController();
  /** Counts ends of sessions: what was begun in an earlier life must not touch the next one. */
  let life = 0;
  let cancelRetry = (): void => undefined;

  const fail = (code: Failure['code'], retryAt: number | null = null): Result<never> =>
    failed(makeFailure({ code, at: stationTime.stationNow(), retryAt }));

  function tell(): void {
    for (const listener of [...listeners]) listener();
  }

  const keeper = createKeeper({ ...options, onChange: tell, onForget: () => end('forgotten') });

  function step(event: SessionEvent): void {
    const before = machine;
    machine = nextSession(machine, event);
    if (machine === before) return;
    logger.info('session', { from: before.state, to: machine.state, event: event.kind });
    tell();
  }

  function end(ended: EndReason): void {
    life += 1;
    hangUp.abort();
    hangUp = new AbortController();
    flight = null;
    cancelRetry();
    credentials = null;
    held = null;
    username = null;
    uploadToken.forget();
    keeper.close();
    step({ kind: 'ended', ended });
  }

  /** One login, whose answer moves the machine. Never rejects. */
  async function runLogin(using: Credentials): Promise<LoginOutcome | null> {
    const thisLife = life;
    const disturbances = stationTime.disturbances();
    const outcome = await options.login(using.username, using.password, hangUp.signal);
    if (life !== thisLife) return null;
    switch (outcome.kind) {
      case 'granted':
        generation += 1;
        grantedAtElapsed = clock.elapsed();
        held = {
          token: { value: outcome.token, generation },
          expiresAt: outcome.expiresAt,
          lifetimeMs: outcome.expiresAt - stationTime.stationNow(),
          disturbances,
          refused: false,
        };
        step({ kind: 'granted', expiresAt: outcome.expiresAt });
        break;
      case 'rejected': {
        // Refused credentials serve nobody any more; the verifier stays, for the lock.
        credentials = null;
        held = null;
        const code = machine.state === 'renewing' ? 'session-rejected' : 'bad-credentials';
        step({
          kind: 'refused',
          failure: makeFailure({ ...outcome.failure, code, sentence: undefined, remedy: undefined }),
        });
        break;
      }
      case 'unanswered': {
        unansweredAtElapsed = clock.elapsed();
        // What becomes of a first login without an answer is for the vault to say.
        if (machine.state === 'signing-in') break;
        const wait = backoff(outcome.failure);
        const usable = held !== null && isUsable(held, stationTime);
        step({
          kind: 'unanswered',
          failure: outcome.failure,
          until: stationTime.stationNow() + wait,
          usable,
        });
        if (machine.state === 'waiting') cancelRetry = clock.schedule(wait, renewIfWaiting);
        break;
      }
    }
    return outcome;
  }

  /** Half of it fixed, half jitter, so that a hundred stations do not come back in step. */
  function backoff(failure: Failure): number {
    const failures = machine.state === 'renewing' ? machine.failures : 0;
    const bound = Math.min(longestBackoffMs, firstBackoffMs * 2 ** Math.min(failures, 16));
    const own = Math.max(shortestBackoffMs, bound / 2 + (random.fraction() * bound) / 2);
    const asked = failure.retryAt === null ? 0 : failure.retryAt - stationTime.stationNow();
    return asked > 0 ? asked + own : own;
  }

  /** The one login in flight: begun if there is none, else joined. */
  function renew(): Promise<void> {
    if (flight !== null) return flight;
    const using = credentials;
    const thisLife = life;
    cancelRetry();
    step({ kind: 'renew' });
    // A listener may have signed out on hearing of it.
    if (using === null || life !== thisLife) return Promise.resolve();
    const mine = runLogin(using).then(() => {
      if (flight === mine) flight = null;
    });
    flight = mine;
    return mine;
  }

  const nothingCame = (failure: Failure) => ({ failure, until: stationTime.stationNow(), usable: false });

  /** After a sign-in that came to nothing: nobody is at the console, unless a vault is still open. */
  function backToRest(): void {
    credentials = null;
    if (keeper.vault() !== 'closed') return;
    username = null;
    uploadToken.forget();
    tell();
  }

  /** The service gave no usable answer: the password may still open what is kept on this computer. */
  async function openOffline(using: Credentials, failure: Failure): Promise<Result<null>> {
    const thisLife = life;
    const opened = await keeper.openOffline(using.username, using.password);
    if (life !== thisLife) return fail('cancelled');
    if (opened.ok && opened.value) {
      const wait = backoff(failure);
      step({ kind: 'opened-offline', failure, until: stationTime.stationNow() + wait });
      cancelRetry = clock.schedule(wait, renewIfWaiting);
      return ok(null);
    }
    step({ kind: 'unanswered', ...nothingCame(failure) });
    backToRest();
    return opened.ok ? failed(failure) : opened;
  }

  function renewIfWaiting(): void {
    if (machine.state === 'waiting') void renew();
  }

  /** What a request gets without another login. */
  function settled(): Result<Token> {
    switch (machine.state) {
      case 'none':
      case 'signing-in':
        return fail('signed-out');
      case 'rejected':
        return failed(machine.failure);
      case 'active':
      case 'renewing':
      case 'waiting':
        if (held !== null && isUsable(held, stationTime)) return ok(held.token);
        if (machine.state !== 'waiting') return fail('session-waiting');
        return failed(waitingFailure(machine, stationTime.stationNow()));
    }
  }

  async function afterFlight(joined: Promise<void>, signal: AbortSignal): Promise<Result<Token>> {
    const thisLife = life;
    if (!(await settledBefore(joined, signal))) return fail('cancelled');
    return life === thisLife ? settled() : fail('signed-out');
  }

  const tokens: TokenSource = {
    async fresh(signal) {
      if (flight !== null) return afterFlight(flight, signal);
      if (machine.state === 'active' && (held === null || needsRenewal(held, stationTime))) {
        return afterFlight(renew(), signal);
      }
      return settled();
    },
    present: () => (held !== null && isUsable(held, stationTime) ? held.token : null),
    async after(refusedGeneration, signal) {
      if (held !== null && held.token.generation === refusedGeneration) {
        held = { ...held, refused: true };
        step({ kind: 'token-refused' });
        if (machine.state === 'active') return afterFlight(renew(), signal);
      }
      return flight === null ? settled() : afterFlight(flight, signal);
    },
    upload() {
      const { token, state } = uploadToken;
      if (token !== null) return ok(token);
      return fail(state === 'refused' ? 'upload-token-refused' : 'upload-token-missing');
    },
    uploadRefused(refusedGeneration) {
      if (uploadToken.refuse(refusedGeneration)) tell();
    },
  };

  const session: Session = {
    snapshot: () => ({
      vault: keeper.vault(),
      session: sessionView(machine),
      username,
      lock: keeper.lockView(),
      guessesThrottledUntil: keeper.guessesThrottledUntil(),
      uploadToken: uploadToken.state,
    }),

    async signIn(name, password, separate = null) {
      if (keeper.lockView().locked) return fail('locked');
      if (machine.state === 'signing-in' || keeper.vault() === 'opening') {
        return failed(
          makeFailure({
            code: 'conflict',
            at: stationTime.stationNow(),
            sentence: say('session.signInUnderWay'),
            remedy: say('session.signInUnderWayRemedy'),
          }),
        );
      }
      // Another operator's vault, and a session that still runs, end before a new one begins.
      const resting = machine.state === 'none' || machine.state === 'rejected';
      if (!resting || (keeper.vault() !== 'closed' && username !== name)) end('signed-out');
      const mine = { username: name, password };
      credentials = mine;
      username = name;
      if (separate !== null) uploadToken.give(separate);
      step({ kind: 'sign-in' });
      let outcome: LoginOutcome | null = null;
      const joined = runLogin(mine).then((came) => {
        outcome = came;
        if (flight === joined) flight = null;
      });
      flight = joined;
      await joined;
      const came = outcome as LoginOutcome | null;
      if (came === null) return fail('cancelled');
      if (came.kind === 'granted') {
        const thisLife = life;
        const opened = await keeper.open(name, password);
        if (!opened.ok && life === thisLife) end('signed-out');
        return opened;
      }
      if (came.kind === 'unanswered' && keeper.vault() === 'closed') return openOffline(mine, came.failure);
      if (came.kind === 'unanswered') step({ kind: 'unanswered', ...nothingCame(came.failure) });
      backToRest();
      return failed(
        came.kind === 'rejected' && machine.state === 'rejected' ? machine.failure : came.failure,
      );
    },

    async openWithPrevious(password) {
      if (credentials === null || username === null) return fail('signed-out');
      return keeper.openWithPrevious(username, password, credentials.password);
    },

    async startNewVault() {
      if (credentials === null || username === null) return fail('signed-out');
      return keeper.startNew(username, credentials.password);
    },

    signOut: (ended = 'signed-out') => end(ended),

    giveUploadToken(token) {
      if (keeper.vault() !== 'open') return fail('signed-out');
      uploadToken.give(token);
      tell();
      return ok(null);
    },

    lock: () => keeper.lock(),
    unlock: (password) => keeper.unlock(password),

    linkReturned() {
      if (machine.state !== 'waiting') return;
      const { code, retryAt } = machine.reason;
      if (retryAt !== null || (code !== 'unreachable' && code !== 'timed-out')) return;
      // Where only the login hangs, everything else that is answered must not set off one login each.
      if (clock.elapsed() - unansweredAtElapsed >= firstBackoffMs) renewIfWaiting();
    },

    keepFresh() {
      if (machine.state !== 'active' || flight !== null || held === null) return;
      if (clock.elapsed() - grantedAtElapsed < keptFreshMs || !needsRenewal(held, stationTime)) return;
      void renew();
    },

    wake() {
      keeper.forgetIfDue();
      if (machine.state === 'waiting' && machine.until <= stationTime.stationNow()) renewIfWaiting();
    },

    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    close() {
      listeners.clear();
      end('signed-out');
    },
  };

  return { session, tokens };
}
