import type { Result, SessionState } from '../../../../src-preload/contract/index.ts';
import type { EndReason } from './session.ts';
import type { VaultState } from './vault.ts';

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

/** The session as the rest of the core sees it: no credential and no token can be read from it. */
export interface Session {
  snapshot(): SessionSnapshot;
  /**
   * Answers when the service granted the token and the vault is open or sealed, or when there was no
   * usable answer and the password opened the vault. Fails with `locked`, `conflict` while another
   * sign-in is under way, `bad-credentials`, `wrong-password` or `throttled` from the vault, or why
   * there was no answer. `uploadToken` is the separate service token, where one was asked for.
   */
  signIn(username: string, password: string, uploadToken?: string | null): Promise<Result<null>>;
  /** Fails with `wrong-password` or `throttled`, or `conflict` when no vault is sealed. */
  openWithPrevious(password: string): Promise<Result<null>>;
  /** Puts the sealed vault aside; fails with `conflict` when none is sealed. */
  startNewVault(): Promise<Result<null>>;
  /** Drops credentials and token, and leaves the vault. `ended` is what the sign-in page says about it. */
  signOut(ended?: Extract<EndReason, 'signed-out' | 'deployment-changed'>): void;
  /** Takes the separate service token for uploads; fails with `signed-out` while the vault is closed. */
  giveUploadToken(token: string): Result<null>;
  /** Fails with `signed-out` while the vault is closed. */
  lock(): Result<null>;
  /** Fails with `wrong-password` or, before the throttle's time, `throttled`, both with `retryAt`. */
  unlock(password: string): Promise<Result<null>>;
  /**
   * The operator asks for a login where the service refuses its own tokens; fails with `conflict` in any
   * other state.
   */
  renewNow(): Result<null>;
  /** A request other than a login did not reach the Infrastructure API. */
  linkLost(): void;
  /** The Infrastructure API answered a request other than a login: a session that waits for the link tries now. */
  linkReturned(): void;
  /**
   * Renews a token that is due although no request asks for one, once a minute at most. A collection
   * whose scope is missing is asked for again with the next token, which would otherwise never come.
   * Says that the service refuses its tokens, where no operation that worked before has shown otherwise.
   */
  keepFresh(): void;
  /** After a sleep: does what fell due meanwhile. Call it after `ServerTime.wake()`. */
  wake(): void;
  /** Runs `listener` after every change of the snapshot; the returned function stops it. */
  onChange(listener: () => void): () => void;
  /** Drops every secret and stops every timer. */
  close(): void;
}
