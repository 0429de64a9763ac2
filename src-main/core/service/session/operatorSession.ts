import {
  failed,
  ok,
  type Failure,
  type Result,
  type SessionState,
} from '../../../../src-preload/contract/index.ts';
import { momentsOf, type Moments } from '../../base/failure.ts';
import { message } from '../../base/messages/message.ts';
import { Scope } from '../../base/scope.ts';
import type { LoginOutcome } from './loginOutcome.ts';
import { Logins, type Credentials } from './logins.ts';
import { sessionView, type EndReason } from './session.ts';
import type { SessionContext } from './sessionContext.ts';
import { SessionTokens } from './sessionTokens.ts';
import type { TokenSource } from './tokens.ts';
import { UploadToken } from './uploadToken.ts';
import type { VaultState } from './vault.ts';
import { VaultLock } from './vaultLock.ts';

export type SessionOptions = Omit<SessionContext, keyof Moments>;

interface SessionSnapshot {
  readonly vault: VaultState;
  readonly session: SessionState;
  readonly username: string | null;
  /** `throttledUntil` is server time in Unix ms; null when a password may be tried now. */
  readonly lock: { readonly locked: boolean; readonly throttledUntil: number | null };
  /** Server time before which no password is checked against the vault; null when one may be now. */
  readonly guessesThrottledUntil: number | null;
  readonly uploadToken: 'missing' | 'present' | 'refused';
}

/** The session for the rest of the core, which cannot read a credential or a token from it. */
export type Session = Omit<OperatorSession, 'tokens'>;

/** One operator's session from sign-in to sign-out, with vault and lock. Each of the three has a state machine. */
export class OperatorSession {
  /** For the authorization interceptor only. */
  readonly tokens: TokenSource;
  readonly #context: SessionContext;
  readonly #logins: Logins;
  /** From one end of a session to the next. What ends after its attempt changes nothing for the next operator. */
  #attempt: Scope;
  #vaultLock: VaultLock;
  readonly #uploadToken = new UploadToken();
  readonly #listeners = new Set<() => void>();
  #username: string | null = null;

  constructor(options: SessionOptions) {
    const onChange = (): void => this.#tell();
    this.#context = { ...options, ...momentsOf(() => options.serverTime.serverNow()) };
    this.#attempt = new Scope(options);
    this.#vaultLock = this.#createLock();
    this.#logins = new Logins(this.#context, () => this.#attempt, onChange);
    this.tokens = new SessionTokens(this.#context, this.#logins, this.#uploadToken, onChange);
  }

  snapshot(): SessionSnapshot {
    return {
      vault: this.#vaultLock.vault,
      session: sessionView(this.#logins.machine),
      username: this.#username,
      lock: this.#vaultLock.lockView,
      guessesThrottledUntil: this.#vaultLock.guessesThrottledUntil,
      uploadToken: this.#uploadToken.state,
    };
  }

  /**
   * Resolves when the service granted the token and the vault is open or sealed, or when there was no usable answer and
   * the password opened the vault. Fails with `locked`, `conflict` during another sign-in, `bad-credentials`,
   * `wrong-password` or `throttled` from the vault, or why there was no answer. `uploadToken` is the separate service
   * token, if one was asked for.
   */
  async signIn(username: string, password: string, uploadToken: string | null = null): Promise<Result<null>> {
    if (this.#vaultLock.lockView.locked) return this.#fail('locked');
    if (this.#logins.machine.state === 'signing-in' || this.#vaultLock.vault === 'opening') {
      return this.#signInUnderWay();
    }
    this.#endEarlier(username);
    this.#username = username;
    if (uploadToken !== null) this.#uploadToken.give(uploadToken);
    const credentials = { username, password };
    const attempt = this.#attempt;
    const outcome = await this.#logins.signIn(credentials);
    if (attempt.isOver) return this.#fail('cancelled');
    if (outcome.kind !== 'granted') return this.#notGranted(credentials, outcome);
    // The service accepted the password. It opens the vault, unless that is sealed with another password.
    const opened = await this.#vaultLock.open(username, password);
    if (!opened.ok && !attempt.isOver) this.#end('signed-out');
    return opened;
  }

  /** Fails with `wrong-password` or `throttled`, or `conflict` when no vault is sealed. */
  async openWithPrevious(previous: string): Promise<Result<null>> {
    const { credentials } = this.#logins;
    if (credentials === null || this.#username === null) return this.#fail('signed-out');
    return this.#vaultLock.openWithPrevious(this.#username, previous, credentials.password);
  }

  /** Sets the sealed vault aside; fails with `conflict` when none is sealed. */
  async startNewVault(): Promise<Result<null>> {
    const { credentials } = this.#logins;
    if (credentials === null || this.#username === null) return this.#fail('signed-out');
    return this.#vaultLock.startNew(this.#username, credentials.password);
  }

  /** Drops credentials and token, and closes the vault. `ended` is the reason for the sign-in page. */
  signOut(ended: Extract<EndReason, 'signed-out' | 'deployment-changed'> = 'signed-out'): void {
    this.#end(ended);
  }

  /** Takes the separate service token for uploads; fails with `signed-out` while the vault is closed. */
  giveUploadToken(token: string): Result<null> {
    if (this.#vaultLock.vault !== 'open') return this.#fail('signed-out');
    this.#uploadToken.give(token);
    this.#tell();
    return ok(null);
  }

  /** Fails with `signed-out` while the vault is closed. */
  lock(): Result<null> {
    return this.#vaultLock.lock();
  }

  /** Fails with `wrong-password` or, before the throttle's time, `throttled`, both with `retryAt`. */
  unlock(password: string): Promise<Result<null>> {
    return this.#vaultLock.unlock(password);
  }

  /**
   * The operator asks for a login where one waits, or where the service refuses its own tokens. Fails with `conflict` in
   * any other state, and with the reason of the wait where the service said until when.
   */
  renewNow(): Result<null> {
    const { machine } = this.#logins;
    if (machine.state === 'waiting') {
      if (machine.reason.retryAt !== null) return failed(machine.reason);
      void this.#logins.renew();
      return ok(null);
    }
    if (machine.state !== 'tokens-refused') return this.#fail('conflict');
    this.#logins.holder.endRest();
    void this.#logins.replaceToken();
    return ok(null);
  }

  /** A request other than a login did not reach the Infrastructure API. */
  linkLost(): void {
    this.#logins.linkLost();
  }

  /**
   * The Infrastructure API answered a request other than a login: a session that waits for the connection tries now.
   */
  linkReturned(): void {
    this.#logins.linkReturned();
  }

  /**
   * Renews a token that is due while no request needs one, at most once a minute. Without that, a collection whose
   * scope is missing, which waits for the next token, would wait without end. Also shows that the service refuses its
   * tokens, unless an operation that worked before may show the contrary.
   */
  keepFresh(): void {
    this.#logins.keepFresh();
  }

  /** After sleep: does what was due meanwhile. Call it after `ServerTime.wake()`. */
  wake(): void {
    this.#vaultLock.forgetIfDue();
    this.#logins.wake();
  }

  /** Runs `listener` after every change of the snapshot; the returned function stops it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Erases every secret and stops every timer. */
  close(): void {
    this.#listeners.clear();
    this.#end('signed-out');
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  #end(ended: EndReason): void {
    this.#logins.drop();
    this.#username = null;
    this.#uploadToken.forget();
    void this.#attempt[Symbol.asyncDispose]();
    this.#attempt = new Scope(this.#context);
    this.#vaultLock = this.#createLock();
    this.#logins.step({ kind: 'ended', ended });
  }

  #createLock(): VaultLock {
    const onChange = (): void => this.#tell();
    return new VaultLock(this.#context, this.#attempt, onChange, () => this.#end('forgotten'));
  }

  /** Closes another operator's vault, and ends a session that still runs, before a new one begins. */
  #endEarlier(username: string): void {
    const { state } = this.#logins.machine;
    const isResting = state === 'none' || state === 'rejected';
    const isAnothers = this.#vaultLock.vault !== 'closed' && this.#username !== username;
    if (!isResting || isAnothers) this.#end('signed-out');
  }

  async #notGranted(
    credentials: Credentials,
    outcome: Exclude<LoginOutcome, { kind: 'granted' }>,
  ): Promise<Result<null>> {
    if (outcome.kind === 'unanswered' && this.#vaultLock.vault === 'closed') {
      return this.#openOffline(credentials, outcome.failure);
    }
    if (outcome.kind === 'unanswered') this.#logins.cameToNothing(outcome.failure);
    this.#backToRest();
    const { machine } = this.#logins;
    return failed(
      outcome.kind === 'rejected' && machine.state === 'rejected' ? machine.failure : outcome.failure,
    );
  }

  /** The service gave no usable answer. The password may still open the data on this computer. */
  async #openOffline({ username, password }: Credentials, failure: Failure): Promise<Result<null>> {
    const attempt = this.#attempt;
    const opened = await this.#vaultLock.openOffline(username, password);
    if (attempt.isOver) return this.#fail('cancelled');
    if (opened.ok && opened.value) {
      this.#logins.openedOffline(failure);
      return ok(null);
    }
    this.#logins.cameToNothing(failure);
    this.#backToRest();
    return opened.ok ? failed(failure) : opened;
  }

  /** After an unsuccessful sign-in: no operator is signed in, unless a vault is still open. */
  #backToRest(): void {
    this.#logins.forgetCredentials();
    if (this.#vaultLock.vault !== 'closed') return;
    this.#username = null;
    this.#uploadToken.forget();
    this.#tell();
  }

  #signInUnderWay(): Result<never> {
    return this.#context.refuse({
      code: 'conflict',
      sentence: message('session.signInUnderWay'),
      remedy: message('session.signInUnderWayRemedy'),
    });
  }

  #fail(code: Failure['code']): Result<never> {
    return this.#context.refuse({ code });
  }
}
