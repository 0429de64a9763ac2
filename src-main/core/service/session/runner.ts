import { failed, ok, type Failure, type Result } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { message } from '../../base/messages/message.ts';
import type { Clock, Logger, Random } from '../../base/ports.ts';
import type { ServerTime } from '../../base/serverTime.ts';
import type { VaultPort } from '../../vault/vaultPort.ts';
import type { VaultGuesses } from './guesses.ts';
import { LinkReturn } from './linkReturn.ts';
import { loginBackoffMs } from './loginBackoff.ts';
import type { Login, LoginOutcome } from './loginOutcome.ts';
import {
  nextSession,
  sessionAtStart,
  sessionView,
  waitingFailure,
  type EndReason,
  type SessionEvent,
} from './session.ts';
import type { Session } from './sessionPort.ts';
import { settledBefore } from './settledBefore.ts';
import { TokenHolder } from './tokenHolder.ts';
import type { AfterRefusal, Token, TokenSource } from './tokens.ts';
import { UploadToken } from './uploadToken.ts';
import { createVaultLock } from './vaultLock.ts';

export interface SessionOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly vaultPort: VaultPort;
  readonly guesses: VaultGuesses;
  readonly serverTime: ServerTime;
  readonly logger: Logger;
  readonly login: Login;
  /** Milliseconds after a lock at which credentials, token and verifier are dropped. */
  readonly forgetAfterMs: number;
}

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
  const { clock, random, serverTime, logger } = options;
  const listeners = new Set<() => void>();
  const uploadToken = new UploadToken();
  let machine = sessionAtStart;
  let username: string | null = null;
  let credentials: Credentials | null = null;
  const holder = new TokenHolder(options);
  const linkReturn = new LinkReturn();
  let flight: Promise<void> | null = null;
  let hangUp = new AbortController();
  /** Counts ends of sessions: what was begun in an earlier life must not touch the next one. */
  let life = 0;
  let cancelRetry = (): void => undefined;

  const fail = (code: Failure['code'], retryAt: number | null = null): Result<never> =>
    failed(makeFailure({ code, at: serverTime.serverNow(), retryAt }));

  function tell(): void {
    for (const listener of [...listeners]) listener();
  }

  const vaultLock = createVaultLock({ ...options, onChange: tell, onForget: () => end('forgotten') });

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
    holder.reset();
    username = null;
    uploadToken.forget();
    vaultLock.close();
    step({ kind: 'ended', ended });
  }

  /** One login, whose answer moves the machine. Never rejects. */
  async function runLogin(using: Credentials): Promise<LoginOutcome | null> {
    const thisLife = life;
    const disturbances = serverTime.disturbances();
    const outcome = await options.login(using.username, using.password, hangUp.signal);
    if (life !== thisLife) return null;
    switch (outcome.kind) {
      case 'granted':
        holder.take(outcome, disturbances);
        linkReturn.succeeded();
        step({ kind: 'granted', expiresAt: outcome.expiresAt });
        break;
      case 'rejected': {
        // Refused credentials serve nobody any more; the verifier stays, for the lock.
        credentials = null;
        holder.drop();
        const code = machine.state === 'renewing' ? 'session-rejected' : 'bad-credentials';
        step({
          kind: 'refused',
          failure: makeFailure({ ...outcome.failure, code, sentence: undefined, remedy: undefined }),
        });
        break;
      }
      case 'unanswered': {
        linkReturn.failed(outcome.failure, clock.elapsed());
        // What becomes of a first login without an answer is for the vault to say.
        if (machine.state === 'signing-in') break;
        const wait = backoff(outcome.failure);
        const until = serverTime.serverNow() + wait;
        step({ kind: 'unanswered', failure: outcome.failure, until, usable: holder.usable !== null });
        if (machine.state === 'waiting') retryIn(wait);
        break;
      }
    }
    return outcome;
  }

  const backoff = (failure: Failure): number =>
    loginBackoffMs({
      failures: machine.state === 'renewing' ? machine.failures : 0,
      askedMs: failure.retryAt === null ? 0 : failure.retryAt - serverTime.serverNow(),
      random,
    });

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

  const nothingCame = (failure: Failure) => ({ failure, until: serverTime.serverNow(), usable: false });

  /** After a sign-in that came to nothing: nobody is at the console, unless a vault is still open. */
  function backToRest(): void {
    credentials = null;
    if (vaultLock.vault() !== 'closed') return;
    username = null;
    uploadToken.forget();
    tell();
  }

  /** The service gave no usable answer: the password may still open what is kept on this computer. */
  async function openOffline(using: Credentials, failure: Failure): Promise<Result<null>> {
    const thisLife = life;
    const opened = await vaultLock.openOffline(using.username, using.password);
    if (life !== thisLife) return fail('cancelled');
    if (opened.ok && opened.value) {
      const wait = backoff(failure);
      step({ kind: 'opened-offline', failure, until: serverTime.serverNow() + wait });
      retryIn(wait);
      return ok(null);
    }
    step({ kind: 'unanswered', ...nothingCame(failure) });
    backToRest();
    return opened.ok ? failed(failure) : opened;
  }

  /** In place of the time that was waited for before: one that stays would outlive the session. */
  function retryIn(wait: number): void {
    cancelRetry();
    cancelRetry = clock.schedule(wait, retry);
  }

  /** The time that a session waits for has come. */
  function retry(): void {
    if (machine.state === 'waiting') {
      linkReturn.tried();
      void renew();
    }
    if (machine.state !== 'tokens-refused') return;
    if (holder.takeAfterRest()) void replaceToken();
    else tellTokensRefused();
  }

  /** A login in place of a token that the service answered with 401. */
  function replaceToken(): Promise<void> {
    holder.refuse();
    return renew();
  }

  /** No operation's token is accepted: says so, until the next login. */
  function tellTokensRefused(): void {
    const wait = holder.restMs;
    const at = serverTime.serverNow();
    const failure = makeFailure({ code: 'tokens-refused', at, status: 401, retryAt: at + wait });
    step({ kind: 'tokens-refused', failure, until: at + wait });
    retryIn(wait);
  }

  function reviewToken(): void {
    if (machine.state === 'active' && holder.isRefusedByAll) tellTokensRefused();
  }

  /** What a request gets without another login. */
  function settled(): Result<Token> {
    switch (machine.state) {
      case 'none':
      case 'signing-in':
        return fail('signed-out');
      case 'rejected':
        return failed(machine.failure);
      case 'tokens-refused':
        return holder.usable === null ? failed(machine.failure) : ok(holder.usable);
      case 'active':
        // Past its end, where the next login may not be sent yet, a 401 says whether it serves no longer.
        return holder.unrefused === null ? fail('session-waiting') : ok(holder.unrefused);
      case 'renewing':
      case 'waiting':
        if (holder.usable !== null) return ok(holder.usable);
        if (machine.state !== 'waiting') return fail('session-waiting');
        return failed(waitingFailure(machine, serverTime.serverNow()));
    }
  }

  async function afterFlight(joined: Promise<void>, signal: AbortSignal): Promise<Result<Token>> {
    const thisLife = life;
    if (!(await settledBefore(joined, signal))) return fail('cancelled');
    return life === thisLife ? settled() : fail('signed-out');
  }

  /** The 401 of the present token stands: no login follows it. */
  function surfaced(): AfterRefusal {
    reviewToken();
    return machine.state === 'tokens-refused'
      ? { kind: 'failed', failure: machine.failure }
      : { kind: 'surfaced' };
  }

  const tokens: TokenSource = {
    async fresh(signal) {
      if (flight !== null) return afterFlight(flight, signal);
      if (machine.state === 'active' && holder.takeByTime()) return afterFlight(renew(), signal);
      return settled();
    },
    present: () => holder.usable,
    async refused(generation, refused, signal) {
      if (holder.isPresent(generation)) {
        if (machine.state === 'active' || machine.state === 'tokens-refused') {
          if (!holder.takeByRefusal(refused)) return surfaced();
          void replaceToken();
        } else {
          // A login is under way or waited for already: it replaces this token, and needs no other one.
          holder.refuse();
          step({ kind: 'token-refused' });
        }
      }
      if (refused.repeated) return { kind: 'surfaced' };
      const next = flight === null ? settled() : await afterFlight(flight, signal);
      return next.ok ? { kind: 'token', token: next.value } : { kind: 'failed', failure: next.failure };
    },
    accepted(generation, by) {
      if (!holder.isPresent(generation)) return;
      holder.accept(by);
      if (machine.state !== 'tokens-refused') return;
      cancelRetry();
      step({ kind: 'tokens-accepted' });
    },
    upload() {
      const { token, state } = uploadToken;
      if (token !== null) return ok(token);
      return fail(state === 'refused' ? 'upload-token-refused' : 'upload-token-missing');
    },
    uploadRefused(refusedGeneration) {
      if (uploadToken.refuse(refusedGeneration)) tell();
    },
    secrets: () =>
      [credentials?.password, holder.unrefused?.value, uploadToken.token?.value].filter(
        (secret) => secret !== undefined,
      ),
  };

  const session: Session = {
    snapshot: () => ({
      vault: vaultLock.vault(),
      session: sessionView(machine),
      username,
      lock: vaultLock.lockView(),
      guessesThrottledUntil: vaultLock.guessesThrottledUntil(),
      uploadToken: uploadToken.state,
    }),

    async signIn(name, password, separate = null) {
      if (vaultLock.lockView().locked) return fail('locked');
      if (machine.state === 'signing-in' || vaultLock.vault() === 'opening') {
        return failed(
          makeFailure({
            code: 'conflict',
            at: serverTime.serverNow(),
            sentence: message('session.signInUnderWay'),
            remedy: message('session.signInUnderWayRemedy'),
          }),
        );
      }
      // Another operator's vault, and a session that still runs, end before a new one begins.
      const resting = machine.state === 'none' || machine.state === 'rejected';
      if (!resting || (vaultLock.vault() !== 'closed' && username !== name)) end('signed-out');
      holder.reset();
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
        const opened = await vaultLock.open(name, password);
        if (!opened.ok && life === thisLife) end('signed-out');
        return opened;
      }
      if (came.kind === 'unanswered' && vaultLock.vault() === 'closed')
        return openOffline(mine, came.failure);
      if (came.kind === 'unanswered') step({ kind: 'unanswered', ...nothingCame(came.failure) });
      backToRest();
      return failed(
        came.kind === 'rejected' && machine.state === 'rejected' ? machine.failure : came.failure,
      );
    },

    async openWithPrevious(password) {
      if (credentials === null || username === null) return fail('signed-out');
      return vaultLock.openWithPrevious(username, password, credentials.password);
    },

    async startNewVault() {
      if (credentials === null || username === null) return fail('signed-out');
      return vaultLock.startNew(username, credentials.password);
    },

    signOut: (ended = 'signed-out') => end(ended),

    giveUploadToken(token) {
      if (vaultLock.vault() !== 'open') return fail('signed-out');
      uploadToken.give(token);
      tell();
      return ok(null);
    },

    lock: () => vaultLock.lock(),
    unlock: (password) => vaultLock.unlock(password),

    renewNow() {
      if (machine.state !== 'tokens-refused') return fail('conflict');
      holder.endRest();
      void replaceToken();
      return ok(null);
    },

    linkLost: () => linkReturn.lost(),

    linkReturned() {
      const reason = machine.state === 'waiting' ? machine.reason : null;
      if (linkReturn.returned(reason, clock.elapsed())) void renew();
    },

    keepFresh() {
      reviewToken();
      if (machine.state !== 'active' || flight !== null || holder.ageMs < keptFreshMs) return;
      if (holder.takeByTime()) void renew();
    },

    wake() {
      vaultLock.forgetIfDue();
      if (machine.state !== 'waiting' && machine.state !== 'tokens-refused') return;
      if (machine.until <= serverTime.serverNow()) retry();
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
