import type { Failure } from '../../../src-preload/contract/index.ts';
import type { Scope } from '../base/scope.ts';

/**
 * One sign-in attempt's access to an account's vault. When the attempt ends, the vault is closed: its keys are erased
 * after the pending writes. Functions reject only when a key cannot be derived. The port itself reports disk errors,
 * since a session must continue without a disk.
 */
export interface VaultPort {
  /** Resolves when the vaults of earlier attempts are closed. No vault may be opened before. */
  readonly ready: Promise<void>;
  /**
   * Called after the service accepted the password. Makes a missing vault; an open one takes the password if it is new.
   * `sealed`: the vault has another password.
   */
  open(username: string, password: string): Promise<'opened' | 'sealed'>;
  /** Opens without the service: `none` when the account has no vault; a failure when it cannot be opened. */
  openOffline(username: string, password: string): Promise<'opened' | 'wrong-password' | 'none' | Failure>;
  /** Opens a sealed vault with the previous password, and seals it with the one that the service accepted. */
  openWithPrevious(username: string, previous: string, current: string): Promise<'opened' | 'wrong-password'>;
  /** Sets a sealed vault aside unopened, and opens a new one. */
  startNew(username: string, current: string): Promise<void>;
  /** Whether `password` is the one of the open vault. */
  matches(password: string): Promise<boolean>;
}

/** Called at the start of each attempt, which is when the one before has just ended. */
export type VaultFor = (attempt: Scope) => VaultPort;
