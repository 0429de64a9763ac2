import type { Clock } from '../../core/base/ports.ts';

/** How often a page that owes an answer is looked at, and after how many looks it counts as silent. */
const lookEveryMs = 5_000;
const looks = 4;

export interface Heartbeat {
  /** A push went to the page. */
  sent(): void;
  /** The page answered. */
  answered(): void;
  /** There is another page, or none: nothing is owed. */
  reset(): void;
}

/**
 * Notices a page that does not answer what it is told. The console tells every page of the time at
 * least every 10 s, also a locked one, and a page answers each push; so pushes are the heartbeat.
 *
 * Looks are counted instead of time: after a sleep of the computer, or while this process itself was
 * held up, the page gets the time that it did not have.
 */
export function createHeartbeat(options: {
  readonly clock: Clock;
  readonly onSilent: () => void;
  readonly onAnswer: () => void;
}): Heartbeat {
  const { clock, onSilent, onAnswer } = options;
  let looked = 0;
  let cancel: (() => void) | null = null;

  const reset = (): void => {
    cancel?.();
    cancel = null;
    looked = 0;
  };
  const look = (): void => {
    looked += 1;
    if (looked < looks) {
      cancel = clock.schedule(lookEveryMs, look);
      return;
    }
    reset();
    onSilent();
  };
  return {
    sent: () => {
      cancel ??= clock.schedule(lookEveryMs, look);
    },
    answered: () => {
      reset();
      onAnswer();
    },
    reset,
  };
}
