import { failed, ok, type FailureCode, type Result } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { message } from '../../base/messages/message.ts';
import type { Clock, Logger } from '../../base/ports.ts';
import type { ServerTime } from '../../base/serverTime.ts';
import { Timer } from '../../base/timer.ts';
import type { VaultPort } from '../../vault/vaultPort.ts';
import type { VaultGuesses } from './guesses.ts';
import type { GuessLimit } from './guessLimit.ts';
import { nextLock, unlocked, type LockEvent } from './lock.ts';
import { nextVault, type VaultEvent, type VaultState } from './vault.ts';

/** The result of a guess. `unchecked`: there was no password to compare with. */
type GuessResult = 'right' | 'wrong' | 'unchecked';

const offlineWords = {
  sentence: message('session.offlineRefused'),
  remedy: message('session.offlineRefusedRemedy'),
};
const previousWords = {
  sentence: message('session.previousRefused'),
  remedy: message('session.previousRefusedRemedy'),
};

interface VaultLockOptions {
  readonly clock: Clock;
  readonly vaultPort: VaultPort;
  readonly guesses: VaultGuesses;
  readonly serverTime: ServerTime;
  readonly logger: Logger;
  /** Milliseconds after a lock until `onForget` is called. */
  readonly forgetAfterMs: number;
  readonly onChange: () => void;
  readonly onForget: () => void;
}

/** The vault and its lock. Never holds a password. */
export class VaultLock {
  readonly #options: VaultLockOptions;
  #vault: VaultState = 'closed';
  #lock = unlocked;
  #throttledUntil: number | null = null;
  /** A password is being checked. Only one at a time. */
  #checking = false;
  /** The guesses of the last account. */
  #guessLimit: GuessLimit | null = null;
  /** Counts closings: a derivation from before one must not open or unlock anything after it. */
  #closings = 0;
  readonly #forgetting: Timer;
  readonly #throttle: Timer;

  constructor(options: VaultLockOptions) {
    this.#options = options;
    const { clock, onForget, onChange } = options;
    this.#forgetting = new Timer(clock, onForget);
    this.#throttle = new Timer(clock, () => {
      this.#throttledUntil = null;
      onChange();
    });
  }

  get vault(): VaultState {
    return this.#vault;
  }

  /** `throttledUntil` is server time in Unix milliseconds; null when a password may be tried now. */
  get lockView(): { readonly locked: boolean; readonly throttledUntil: number | null } {
    return { locked: this.#lock.locked, throttledUntil: this.#throttledUntil };
  }

  /** Server time before which no password is checked against the vault; null when one may be checked now. */
  get guessesThrottledUntil(): number | null {
    const waitMs = this.#guessLimit?.waitMs ?? 0;
    return waitMs > 0 ? this.#options.serverTime.serverNow() + waitMs : null;
  }

  /** Opens the vault with a password that the service accepted. The vault may be sealed with another one. */
  open(username: string, password: string): Promise<Result<null>> {
    const { guesses, vaultPort } = this.#options;
    return this.#entering(async (left) => {
      this.#guessLimit = await guesses.of(username);
      if (left()) return () => this.#fail('cancelled');
      const entered = await vaultPort.open(username, password);
      return () => {
        this.#stepVault(entered);
        return ok(null);
      };
    });
  }

  /**
   * Opens the vault with only the password. False when nothing is stored for the account; the vault's failure when the
   * stored data cannot be opened with any password.
   */
  openOffline(username: string, password: string): Promise<Result<boolean>> {
    return this.#guessing(username, async () => {
      const entered = await this.#options.vaultPort.openOffline(username, password);
      const take = (): Result<boolean> => {
        if (entered === 'wrong-password') return this.#wrongGuess(offlineWords);
        if (typeof entered === 'object') {
          this.#stepVault('closed');
          return failed(entered);
        }
        this.#stepVault(entered === 'none' ? 'closed' : 'opened');
        return ok(entered === 'opened');
      };
      const guess = entered === 'opened' ? 'right' : entered === 'wrong-password' ? 'wrong' : 'unchecked';
      return { guess, take };
    });
  }

  /** Opens a sealed vault with the password from before the one that the service accepted. */
  openWithPrevious(username: string, previous: string, current: string): Promise<Result<null>> {
    if (this.#vault !== 'sealed') return Promise.resolve(this.#fail('conflict'));
    return this.#guessing(username, async () => {
      const entered = await this.#options.vaultPort.openWithPrevious(username, previous, current);
      const take = (): Result<null> => {
        if (entered === 'wrong-password') return this.#wrongGuess(previousWords);
        this.#stepVault('opened');
        return ok(null);
      };
      return { guess: entered === 'opened' ? 'right' : 'wrong', take };
    });
  }

  /** Sets a sealed vault aside and opens a new one. */
  startNew(username: string, current: string): Promise<Result<null>> {
    if (this.#vault !== 'sealed') return Promise.resolve(this.#fail('conflict'));
    return this.#entering(async () => {
      await this.#options.vaultPort.startNew(username, current);
      return () => {
        this.#stepVault('opened');
        return ok(null);
      };
    });
  }

  /** Closes the vault and removes the lock. */
  close(): void {
    this.#closings += 1;
    this.#forgetting.stop();
    this.#checking = false;
    this.#options.vaultPort.leave();
    if (this.#lock.locked) this.#stepLock({ kind: 'unlock' });
    this.#stepVault('closed');
  }

  lock(): Result<null> {
    const { clock, forgetAfterMs } = this.#options;
    if (this.#vault !== 'open') return this.#fail('signed-out');
    if (this.#lock.locked) return ok(null);
    this.#stepLock({ kind: 'lock', elapsed: clock.elapsed() });
    this.#forgetting.set(forgetAfterMs);
    return ok(null);
  }

  async unlock(password: string): Promise<Result<null>> {
    const { clock, logger } = this.#options;
    this.forgetIfDue();
    if (this.#vault !== 'open') return this.#fail('signed-out');
    if (!this.#lock.locked) return ok(null);
    // One check at a time: parallel guesses would all be made before the first one counts.
    if (this.#checking || clock.elapsed() < this.#lock.throttledUntilElapsed) {
      return this.#fail('throttled', this.#throttledUntil);
    }
    const before = this.#closings;
    this.#checking = true;
    try {
      const right = await this.#matches(password);
      if (this.#closings !== before) return this.#fail('signed-out');
      if (right) {
        this.#forgetting.stop();
        this.#stepLock({ kind: 'unlock' });
        return ok(null);
      }
      this.#stepLock({ kind: 'wrong-password', elapsed: clock.elapsed() });
      logger.warn('lock.wrong-password', { wrong: this.#lock.wrong });
      return this.#fail('wrong-password', this.#throttledUntil);
    } catch (error) {
      logger.error('lock.failed', { name: nameOf(error) });
      return this.#fail('internal');
    } finally {
      if (this.#closings === before) this.#checking = false;
    }
  }

  /** Timers stop while a laptop sleeps, but the policy's time continues. */
  forgetIfDue(): void {
    const { clock, forgetAfterMs, onForget } = this.#options;
    const { locked, lockedAtElapsed } = this.#lock;
    if (locked && clock.elapsed() - lockedAtElapsed >= forgetAfterMs) onForget();
  }

  #stepVault(event: VaultEvent): void {
    const before = this.#vault;
    this.#vault = nextVault(before, event);
    if (this.#vault !== before) this.#options.onChange();
  }

  #stepLock(event: LockEvent): void {
    const { clock, serverTime, onChange } = this.#options;
    this.#lock = nextLock(this.#lock, event);
    this.#throttle.stop();
    const wait = this.#lock.throttledUntilElapsed - clock.elapsed();
    this.#throttledUntil = this.#lock.locked && wait > 0 ? serverTime.serverNow() + wait : null;
    if (this.#throttledUntil !== null) this.#throttle.set(wait);
    onChange();
  }

  /**
   * Runs one attempt to open the vault. Its result counts only if the vault was not closed meanwhile; `left` tells the
   * attempt. Otherwise a vault opened after its closing would stay open, also for the next operator.
   */
  async #entering<T>(enter: (left: () => boolean) => Promise<() => Result<T>>): Promise<Result<T>> {
    if (this.#checking) return this.#fail('conflict');
    const before = this.#closings;
    const left = (): boolean => this.#closings !== before;
    this.#checking = true;
    this.#stepVault('opening');
    try {
      const take = await enter(left);
      return left() ? this.#fail('cancelled') : take();
    } catch (error) {
      this.#options.logger.error('vault.failed', { name: nameOf(error) });
      if (!left()) this.#stopOpening();
      return this.#fail('internal');
    } finally {
      if (!left()) this.#checking = false;
    }
  }

  /** As `#entering`, for attempts where only the vault checks the password. */
  #guessing<T>(
    username: string,
    enter: () => Promise<{ readonly guess: GuessResult; readonly take: () => Result<T> }>,
  ): Promise<Result<T>> {
    const cancelled = { guess: 'unchecked', take: () => this.#fail('cancelled') } as const;
    return this.#entering(async (left) => {
      const counted = await this.#options.guesses.of(username);
      this.#guessLimit = counted;
      if (counted.waitMs > 0) {
        return () => {
          this.#stopOpening();
          return this.#fail('throttled', this.guessesThrottledUntil);
        };
      }
      await counted.count();
      try {
        const { guess, take } = left() ? cancelled : await enter();
        if (guess === 'wrong') counted.wrong();
        else await counted[guess]();
        return take;
      } catch (error) {
        await counted.unchecked();
        throw error;
      }
    });
  }

  #wrongGuess(words: typeof offlineWords): Result<never> {
    const { logger, onChange, serverTime } = this.#options;
    logger.warn('vault.wrong-password');
    if (this.#vault === 'opening') this.#stepVault('closed');
    else onChange();
    const at = serverTime.serverNow();
    const retryAt = this.guessesThrottledUntil;
    return failed(makeFailure({ code: 'wrong-password', at, retryAt, ...words }));
  }

  /** Whether `password` is the vault's. The guess is counted on the disk, so that a restart gives no new guesses. */
  async #matches(password: string): Promise<boolean> {
    await this.#guessLimit?.count();
    const right = await this.#options.vaultPort.matches(password);
    if (right) await this.#guessLimit?.right();
    else this.#guessLimit?.wrong();
    return right;
  }

  /** An attempt failed. A vault that was open before stays open. */
  #stopOpening(): void {
    if (this.#vault === 'opening') this.#stepVault('closed');
  }

  #fail(code: FailureCode, retryAt: number | null = null): Result<never> {
    return failed(makeFailure({ code, at: this.#options.serverTime.serverNow(), retryAt }));
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
