import { doubled } from '../../base/backoff.ts';

/**
 * The state machine of the lock, which hides the console and slows down guesses at its password.
 *
 *   unlocked ──lock──► locked ──right password──► unlocked
 *                       │  ▲
 *                       └──┘ wrong password: the next is checked after 0, 0, 1, 2, 4 ... 60 s
 *
 * Times are `Clock.elapsed()`: changing the computer's clock does not shorten the wait.
 */
export interface LockMachine {
  readonly locked: boolean;
  readonly lockedAtElapsed: number;
  /** Wrong passwords since the lock. */
  readonly wrong: number;
  readonly throttledUntilElapsed: number;
}

export type LockEvent =
  | { readonly kind: 'lock'; readonly elapsed: number }
  | { readonly kind: 'wrong-password'; readonly elapsed: number }
  | { readonly kind: 'unlock' };

export const unlocked: LockMachine = {
  locked: false,
  lockedAtElapsed: 0,
  wrong: 0,
  throttledUntilElapsed: 0,
};

const longestThrottleMs = 60_000;

export function nextLock(machine: LockMachine, event: LockEvent): LockMachine {
  switch (event.kind) {
    case 'lock':
      return machine.locked ? machine : { ...unlocked, locked: true, lockedAtElapsed: event.elapsed };
    case 'wrong-password': {
      if (!machine.locked) return machine;
      const wrong = machine.wrong + 1;
      return { ...machine, wrong, throttledUntilElapsed: event.elapsed + throttleMs(wrong) };
    }
    case 'unlock':
      return unlocked;
  }
}

/** The wait after `wrong` wrong passwords in a row, milliseconds. */
export const throttleMs = (wrong: number): number =>
  wrong < 3 ? 0 : doubled(1_000, wrong - 3, longestThrottleMs);
