import type { Failure } from '../../../src-preload/contract/index.ts';

/**
 * How the session enters an account's vault. Functions reject only when a key cannot be derived;
 * the port says trouble with the disk, since a session must go on without one.
 */
export interface VaultPort {
  /**
   * After the service accepted the password. A vault that is missing is made; one that is open takes
   * the password, if it is a new one. `sealed`: there is one that another password seals.
   */
  enter(username: string, password: string): Promise<'opened' | 'sealed'>;
  /** Without the service: `none` when nothing is kept for the account; a failure when it cannot be opened. */
  enterOffline(username: string, password: string): Promise<'opened' | 'wrong-password' | 'none' | Failure>;
  /** Opens a sealed vault with the password before, and seals it with the one the service accepted. */
  enterWithPrevious(
    username: string,
    previous: string,
    current: string,
  ): Promise<'opened' | 'wrong-password'>;
  /** Puts a sealed vault aside unopened, and opens a new one. */
  startNew(username: string, current: string): Promise<void>;
  /** Whether `password` is the one that opens what is open now. */
  matches(password: string): Promise<boolean>;
  /** Leaves the vault; its keys are dropped once what waits to be written is written. */
  leave(): void;
}
