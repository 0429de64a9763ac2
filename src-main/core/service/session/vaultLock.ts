import { failed, ok, type FailureCode, type Result } from '../../../../src-preload/contract/index.ts';
import { nameOf } from '../../base/errors.ts';
import { message } from '../../base/messages/message.ts';
import type { Scope } from '../../base/scope.ts';
import { Timer } from '../../base/timer.ts';
import type { VaultPort } from '../../vault/vaultPort.ts';
import type { GuessLimit } from './guessLimit.ts';
import { nextLock, unlocked, type LockEvent } from './lock.ts';
import type { SessionContext } from './sessionContext.ts';
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

/** The vault of one sign-in attempt, and its lock. Both end with the attempt. Never holds a password. */
export class VaultLock {
  readonly #context: SessionContext;
  readonly #attempt: Scope;
  readonly #onChange: () => void;
  readonly #onForget: () => void;
  readonly #port: VaultPort;
  #vault: VaultState = 'closed';
  #lock = unlocked;
  #throttledUntil: number | null = null;
  /** A password is being checked. Only one at a time. */
  #checking = false;
  /** The guesses of the last account. */
  #guessLimit: GuessLimit | null = null;
  readonly #forgetting: Timer;
  readonly #throttle: Timer;

  /** `onForget` is called `forgetAfterMs` after a lock. */
  constructor(context: SessionContext, attempt: Scope, onChange: () => void, onForget: () => void) {
    this.#context = context;
    this.#attempt = attempt;
    this.#onChange = onChange;
    this.#onForget = onForget;
    this.#forgetting = new Timer(attempt.clock, onForget);
    this.#throttle = new Timer(attempt.clock, () => {
      this.#throttledUntil = null;
      onChange();
    });
    // What ends later finds the vault closed, and changes nothing.
    attempt.onEnd(() => {
      this.#vault = 'closed';
    });
    this.#port = context.vaultFor(attempt);
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
    return waitMs > 0 ? this.#context.serverNow() + waitMs : null;
  }

  /** Opens the vault with a password that the service accepted. The vault may be sealed with another one. */
  open(username: string, password: string): Promise<Result<null>> {
    return this.#entering(username, async () => {
      const entered = await this.#port.open(username, password);
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
      const entered = await this.#port.openOffline(username, password);
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
      const entered = await this.#port.openWithPrevious(username, previous, current);
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
    return this.#entering(username, async () => {
      await this.#port.startNew(username, current);
      return () => {
        this.#stepVault('opened');
        return ok(null);
      };
    });
  }

  lock(): Result<null> {
    if (this.#vault !== 'open') return this.#fail('signed-out');
    if (this.#lock.locked) return ok(null);
    this.#stepLock({ kind: 'lock', elapsed: this.#attempt.clock.elapsed() });
    this.#forgetting.set(this.#context.forgetAfterMs);
    return ok(null);
  }

  async unlock(password: string): Promise<Result<null>> {
    const { logger } = this.#context;
    const attempt = this.#attempt;
    this.forgetIfDue();
    if (this.#vault !== 'open') return this.#fail('signed-out');
    if (!this.#lock.locked) return ok(null);
    // One check at a time: parallel guesses would all be made before the first one counts.
    if (this.#checking || attempt.clock.elapsed() < this.#lock.throttledUntilElapsed) {
      return this.#fail('throttled', this.#throttledUntil);
    }
    this.#checking = true;
    try {
      const right = await this.#matches(password);
      if (attempt.isOver) return this.#fail('signed-out');
      if (right) {
        this.#forgetting.stop();
        this.#stepLock({ kind: 'unlock' });
        return ok(null);
      }
      this.#stepLock({ kind: 'wrong-password', elapsed: attempt.clock.elapsed() });
      logger.warn('lock.wrong-password', { wrong: this.#lock.wrong });
      return this.#fail('wrong-password', this.#throttledUntil);
    } catch (error) {
      logger.error('lock.failed', { name: nameOf(error) });
      return this.#fail('internal');
    } finally {
      this.#checking = false;
    }
  }

  /** Timers stop while a laptop sleeps, but the policy's time continues. */
  forgetIfDue(): void {
    const { locked, lockedAtElapsed } = this.#lock;
    const lockedMs = this.#attempt.clock.elapsed() - lockedAtElapsed;
    if (locked && lockedMs >= this.#context.forgetAfterMs) this.#onForget();
  }

  #stepVault(event: VaultEvent): void {
    const before = this.#vault;
    this.#vault = nextVault(before, event);
    if (this.#vault !== before) this.#onChange();
  }

  #stepLock(event: LockEvent): void {
    this.#lock = nextLock(this.#lock, event);
    this.#throttle.stop();
    const wait = this.#lock.throttledUntilElapsed - this.#attempt.clock.elapsed();
    this.#throttledUntil = this.#lock.locked && wait > 0 ? this.#context.serverNow() + wait : null;
    if (this.#throttledUntil !== null) this.#throttle.set(wait);
    this.#onChange();
  }

  /** Opens the vault, once those of earlier attempts are closed. The result counts only while the attempt lasts. */
  async #entering<T>(
    username: string,
    enter: (guesses: GuessLimit) => Promise<() => Result<T>>,
  ): Promise<Result<T>> {
    const { guesses, logger } = this.#context;
    const attempt = this.#attempt;
    if (this.#checking) return this.#fail('conflict');
    this.#checking = true;
    this.#stepVault('opening');
    try {
      await this.#port.ready;
      this.#guessLimit = await guesses.of(username);
      if (attempt.isOver) return this.#fail('cancelled');
      const take = await enter(this.#guessLimit);
      return attempt.isOver ? this.#fail('cancelled') : take();
    } catch (error) {
      logger.error('vault.failed', { name: nameOf(error) });
      this.#stopOpening();
      return this.#fail('internal');
    } finally {
      this.#checking = false;
    }
  }

  /** As `#entering`, for attempts where only the vault checks the password. */
  #guessing<T>(
    username: string,
    enter: () => Promise<{ readonly guess: GuessResult; readonly take: () => Result<T> }>,
  ): Promise<Result<T>> {
    const cancelled = { guess: 'unchecked', take: () => this.#fail('cancelled') } as const;
    return this.#entering(username, async (counted) => {
      if (counted.waitMs > 0) {
        return () => {
          this.#stopOpening();
          return this.#fail('throttled', this.guessesThrottledUntil);
        };
      }
      await counted.count();
      try {
        const { guess, take } = this.#attempt.isOver ? cancelled : await enter();
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
    this.#context.logger.warn('vault.wrong-password');
    if (this.#vault === 'opening') this.#stepVault('closed');
    else this.#onChange();
    return this.#context.refuse({
      code: 'wrong-password',
      retryAt: this.guessesThrottledUntil,
      ...words,
    });
  }

  /** Whether `password` is the vault's. The guess is counted on the disk, so that a restart gives no new guesses. */
  async #matches(password: string): Promise<boolean> {
    await this.#guessLimit?.count();
    const right = await this.#port.matches(password);
    if (right) await this.#guessLimit?.right();
    else this.#guessLimit?.wrong();
    return right;
  }

  /** An attempt failed. A vault that was open before stays open. */
  #stopOpening(): void {
    if (this.#vault === 'opening') this.#stepVault('closed');
  }

  #fail(code: FailureCode, retryAt: number | null = null): Result<never> {
    return this.#context.refuse({ code, retryAt });
  }
}
