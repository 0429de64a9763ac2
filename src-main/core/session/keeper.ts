import { failed, ok } from '../../../src-preload/contract/index.ts';
import type { FailureCode, Result } from '../../../src-preload/contract/index.ts';
import { makeFailure } from '../domain/failure.ts';
import type { StationTime } from '../domain/stationTime.ts';
import type { Clock, Logger, PasswordHasher, Random } from '../ports.ts';
import { nextLock, unlocked } from './lock.ts';
import type { LockEvent } from './lock.ts';
import { createPasswordVerifier, nextVault } from './vault.ts';
import type { PasswordVerifier, VaultEvent, VaultState } from './vault.ts';

/** Keeps the vault and its lock. Holds a verifier, never a password. */
export interface Keeper {
  vault(): VaultState;
  /** `throttledUntil` is station time in Unix ms; null when a password may be tried now. */
  lockView(): { readonly locked: boolean; readonly throttledUntil: number | null };
  /** Opens the vault under `password`; an open one takes the new password instead of the old. */
  open(password: string): Promise<Result<null>>;
  /** Closes the vault, drops the verifier and takes the lock away. */
  close(): void;
  lock(): Result<null>;
  unlock(password: string): Promise<Result<null>>;
  /** Timers stop while a laptop sleeps; the policy does not. */
  forgetIfDue(): void;
}

export function createKeeper(options: {
  readonly clock: Clock;
  readonly random: Random;
  readonly hasher: PasswordHasher;
  readonly stationTime: StationTime;
  readonly logger: Logger;
  readonly forgetAfterMs: number;
  readonly onChange: () => void;
  readonly onForget: () => void;
}): Keeper {
  const { clock, random, hasher, stationTime, logger, forgetAfterMs, onChange, onForget } = options;
  let vault: VaultState = 'closed';
  let lock = unlocked;
  let throttledUntil: number | null = null;
  let verifier: PasswordVerifier | null = null;
  let checking = false;
  /** Counts closings: a derivation begun before one must not open or unlock anything after it. */
  let closings = 0;
  let cancelForget = (): void => undefined;
  let cancelThrottle = (): void => undefined;

  const fail = (code: FailureCode, retryAt: number | null = null): Result<never> =>
    failed(makeFailure({ code, at: stationTime.stationNow(), retryAt }));

  function stepVault(event: VaultEvent): void {
    const before = vault;
    vault = nextVault(vault, event);
    if (vault !== before) onChange();
  }

  function stepLock(event: LockEvent): void {
    lock = nextLock(lock, event);
    cancelThrottle();
    const wait = lock.throttledUntilElapsed - clock.elapsed();
    throttledUntil = lock.locked && wait > 0 ? stationTime.stationNow() + wait : null;
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

  return {
    vault: () => vault,
    lockView: () => ({ locked: lock.locked, throttledUntil }),

    async open(password) {
      const before = closings;
      stepVault('opening');
      try {
        const made = await createPasswordVerifier({ password, hasher, random });
        if (closings !== before) return fail('cancelled');
        verifier = made;
        stepVault('opened');
        return ok(null);
      } catch (error) {
        logger.error('vault.failed', { name: error instanceof Error ? error.name : typeof error });
        return fail('internal');
      }
    },

    close() {
      closings += 1;
      cancelForget();
      verifier = null;
      checking = false;
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
      if (verifier === null) return fail('signed-out');
      if (!lock.locked) return ok(null);
      // One check at a time: guesses side by side would all be made before the first one counts.
      if (checking || clock.elapsed() < lock.throttledUntilElapsed) return fail('throttled', throttledUntil);
      const before = closings;
      checking = true;
      try {
        const right = await verifier(password);
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
