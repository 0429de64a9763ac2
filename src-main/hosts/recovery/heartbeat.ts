import type { Clock } from '../../core/base/ports.ts';
import { Timer } from '../../core/base/timer.ts';

/** How often a page with an unanswered push is checked, and after how many checks it counts as silent. */
const lookEveryMs = 5_000;
const looks = 4;

export interface Heartbeat {
  /** A push was sent to the page. */
  sent(): void;
  /** The page answered. */
  answered(): void;
  /** There is another page, or none: no answer is expected. */
  reset(): void;
}

/**
 * Notices a page that does not answer its messages. The console sends the time to every page at least every 10 s, also
 * while locked, and a page acknowledges each push: so pushes are the heartbeat.
 *
 * Counts checks instead of time: after a sleep of the computer, or a delay of this process, the page still gets its
 * whole time.
 */
export function createHeartbeat(options: {
  readonly clock: Clock;
  readonly onSilent: () => void;
  readonly onAnswer: () => void;
}): Heartbeat {
  const { clock, onSilent, onAnswer } = options;
  let looked = 0;
  const look = new Timer(clock, () => {
    looked += 1;
    if (looked < looks) {
      look.set(lookEveryMs);
      return;
    }
    reset();
    onSilent();
  });
  const reset = (): void => {
    look.stop();
    looked = 0;
  };
  return {
    sent: () => look.setOnce(lookEveryMs),
    answered: () => {
      reset();
      onAnswer();
    },
    reset,
  };
}
