import { failed, ok, type FailureCode, type Result } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { message } from '../../base/messages/message.ts';
import type { Clock, Logger } from '../../base/ports.ts';
import type { ServerTime } from '../../base/serverTime.ts';
import type { VaultPort } from '../../vault/vaultPort.ts';
import type { GuessLimit } from './guessLimit.ts';
import type { VaultGuesses } from './guesses.ts';
import { nextLock, unlocked, type LockEvent } from './lock.ts';
import { nextVault, type VaultEvent, type VaultState } from './vault.ts';

/** Keeps the vault and its lock. Never holds a password. */
export interface VaultLock {
  vault(): VaultState;
  /** `throttledUntil` is server time in Unix ms; null when a password may be tried now. */
  lockView(): { readonly locked: boolean; readonly throttledUntil: number | null };
  /** Server time before which no password is checked against the vault; null when one may be now. */
  guessesThrottledUntil(): number | null;
  /** Opens the vault with a password that the service accepted; it may turn out to be sealed. */
  open(username: string, password: string): Promise<Result<null>>;
  /**
   * Opens the vault with nothing but the password. False when nothing is kept for the account; the vault's own
   * failure when what is kept cannot be opened, whatever the password.
   */
  openOffline(username: string, password: string): Promise<Result<boolean>>;
  /** Opens a sealed vault with the password before the one that the service accepted. */
  openWithPrevious(username: string, previous: string, current: string): Promise<Result<null>>;
  /** Puts a sealed vault aside and opens a new one. */
  startNew(username: string, current: string): Promise<Result<null>>;
  /** Closes the vault and takes the lock away. */
  close(): void;
  lock(): Result<null>;
  unlock(password: string): Promise<Result<null>>;
  /** Timers stop while a laptop sleeps; the policy does not. */
  forgetIfDue(): void;
}

/** What came of a guess; `unchecked` where there was no password to hold it against. */
type Came = 'right' | 'wrong' | 'unchecked';

const offlineWords = {
  sentence: message('session.offlineRefused'),
  remedy: message('session.offlineRefusedRemedy'),
};
const previousWords = {
  sentence: message('session.previousRefused'),
  remedy: message('session.previousRefusedRemedy'),
};

export function createVaultLock(options: {
  readonly clock: Clock;
  readonly vaultPort: VaultPort;
  readonly guesses: VaultGuesses;
  readonly serverTime: ServerTime;
  readonly logger: Logger;
  readonly forgetAfterMs: number;
  readonly onChange: () => void;
  readonly onForget: () => void;
}): VaultLock {
  const { clock, vaultPort, guesses, serverTime, logger, forgetAfterMs, onChange, onForget } = options;
  let vault: VaultState = 'closed';
  let lock = unlocked;
  let throttledUntil: number | null = null;
  let checking = false;
  /** Of the account that was entered last. */
  let book: GuessLimit | null = null;
  /** Counts closings: a derivation begun before one must not open or unlock anything after it. */
  let closings = 0;
  let cancelForget = (): void => undefined;
  let cancelThrottle = (): void => undefined;

  const fail = (code: FailureCode, retryAt: number | null = null): Result<never> =>
    failed(makeFailure({ code, at: serverTime.serverNow(), retryAt }));

  function stepVault(event: VaultEvent): void {
    const before = vault;
    vault = nextVault(vault, event);
    if (vault !== before) onChange();
  }

  function stepLock(event: LockEvent): void {
    lock = nextLock(lock, event);
    cancelThrottle();
    const wait = lock.throttledUntilElapsed - clock.elapsed();
    throttledUntil = lock.locked && wait > 0 ? serverTime.serverNow() + wait : null;
    if (throttledUntil !== null) {
      cancelThrottle = clock.schedule(wait, () => {
        throttledUntil = null;
        onChange();
      });
    }
    onChange();
  }

  function forgetIfDue(): void {
    if (lock.locked && clock.elapsed() - lock.lockedAtElapsed >= forgetAfterMs) onForget();
  }

  /**
   * Runs one entry into the vault; what it found is taken only if the vault was not left meanwhile. `left` says so
   * within: a vault that is opened after its leaving would stay open, for the next operator too.
   */
  async function entering<T>(enter: (left: () => boolean) => Promise<() => Result<T>>): Promise<Result<T>> {
    if (checking) return fail('conflict');
    const before = closings;
    checking = true;
    stepVault('opening');
    try {
      const take = await enter(() => closings !== before);
      return closings === before ? take() : fail('cancelled');
    } catch (error) {
      logger.error('vault.failed', { name: error instanceof Error ? error.name : typeof error });
      if (closings === before && vault === 'opening') stepVault('closed');
      return fail('internal');
    } finally {
      if (closings === before) checking = false;
    }
  }

  /** As `entering`, where it is the vault alone that judges the password. */
  function guessing<T>(
    username: string,
    enter: () => Promise<{ readonly came: Came; readonly take: () => Result<T> }>,
  ): Promise<Result<T>> {
    return entering(async (left) => {
      const counted = await guesses.of(username);
      book = counted;
      if (counted.waitMs > 0) {
        return () => {
          if (vault === 'opening') stepVault('closed');
          return fail('throttled', throttledGuesses());
        };
      }
      await counted.count();
      try {
        const { came, take } = left() ? cancelled : await enter();
        if (came === 'wrong') counted.wrong();
        else await counted[came]();
        return take;
      } catch (error) {
        await counted.unchecked();
        throw error;
      }
    });
  }

  const cancelled = { came: 'unchecked', take: () => fail('cancelled') } as const;

  function wrongGuess(words: typeof offlineWords): Result<never> {
    logger.warn('vault.wrong-password');
    if (vault === 'opening') stepVault('closed');
    else onChange();
    const at = serverTime.serverNow();
    return failed(makeFailure({ code: 'wrong-password', at, retryAt: throttledGuesses(), ...words }));
  }

  const throttledGuesses = (): number | null =>
    book !== null && book.waitMs > 0 ? serverTime.serverNow() + book.waitMs : null;

  return {
    vault: () => vault,
    lockView: () => ({ locked: lock.locked, throttledUntil }),
    guessesThrottledUntil: throttledGuesses,

    open: (username, password) =>
      entering(async (left) => {
        book = await guesses.of(username);
        if (left()) return () => fail('cancelled');
        const entered = await vaultPort.enter(username, password);
        return () => {
          stepVault(entered);
          return ok(null);
        };
      }),

    openOffline: (username, password) =>
      guessing(username, async () => {
        const entered = await vaultPort.enterOffline(username, password);
        const take = (): Result<boolean> => {
          if (entered === 'wrong-password') return wrongGuess(offlineWords);
          if (typeof entered === 'object') {
            stepVault('closed');
            return failed(entered);
          }
          if (entered === 'none') stepVault('closed');
          else stepVault('opened');
          return ok(entered === 'opened');
        };
        const came = entered === 'opened' ? 'right' : entered === 'wrong-password' ? 'wrong' : 'unchecked';
        return { came, take };
      }),

    openWithPrevious(username, previous, current) {
      if (vault !== 'sealed') return Promise.resolve(fail('conflict'));
      return guessing(username, async () => {
        const entered = await vaultPort.enterWithPrevious(username, previous, current);
        const take = (): Result<null> => {
          if (entered === 'wrong-password') return wrongGuess(previousWords);
          stepVault('opened');
          return ok(null);
        };
        return { came: entered === 'opened' ? 'right' : 'wrong', take };
      });
    },

    startNew(username, current) {
      if (vault !== 'sealed') return Promise.resolve(fail('conflict'));
      return entering(async () => {
        await vaultPort.startNew(username, current);
        return () => {
          stepVault('opened');
          return ok(null);
        };
      });
    },

    close() {
      closings += 1;
      cancelForget();
      checking = false;
      vaultPort.leave();
      if (lock.locked) stepLock({ kind: 'unlock' });
      stepVault('closed');
    },

    lock() {
      if (vault !== 'open') return fail('signed-out');
      if (lock.locked) return ok(null);
      stepLock({ kind: 'lock', elapsed: clock.elapsed() });
      cancelForget = clock.schedule(forgetAfterMs, onForget);
      return ok(null);
    },

    async unlock(password) {
      forgetIfDue();
      if (vault !== 'open') return fail('signed-out');
      if (!lock.locked) return ok(null);
      // One check at a time: guesses side by side would all be made before the first one counts.
      if (checking || clock.elapsed() < lock.throttledUntilElapsed) return fail('throttled', throttledUntil);
      const before = closings;
      checking = true;
      try {
        // Counted on the disk too, so that a restart gives no new guesses at the same password.
        await book?.count();
        const right = await vaultPort.matches(password);
        if (right) await book?.right();
        else book?.wrong();
        if (closings !== before) return fail('signed-out');
        if (right) {
          cancelForget();
          stepLock({ kind: 'unlock' });
          return ok(null);
        }
        stepLock({ kind: 'wrong-password', elapsed: clock.elapsed() });
        logger.warn('lock.wrong-password', { wrong: lock.wrong });
        return fail('wrong-password', throttledUntil);
      } catch (error) {
        logger.error('lock.failed', { name: error instanceof Error ? error.name : typeof error });
        return fail('internal');
      } finally {
        if (closings === before) checking = false;
      }
    },

    forgetIfDue,
  };
}
