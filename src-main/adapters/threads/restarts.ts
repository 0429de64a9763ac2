import type { Clock } from '../../core/base/ports.ts';

const windowMs = 5 * 60_000;
/** The wait before the first, the second and the third start within the window. */
const waitsMs = [0, 1_000, 5_000] as const;

/** Limits restarts: three times in five minutes, each time after a longer wait. */
export class Restarts {
  readonly #clock: Pick<Clock, 'elapsed' | 'schedule'>;
  readonly #onRefused: () => void;
  #starts: number[] = [];
  #givenUp = false;
  /** Ends the wait before a start. */
  #endWait = (): void => undefined;

  /** `onRefused` is called whenever a start is refused. */
  constructor(clock: Pick<Clock, 'elapsed' | 'schedule'>, onRefused: () => void) {
    this.#clock = clock;
    this.#onRefused = onRefused;
  }

  /** Counts a start. Returns the wait before it in milliseconds, or null when it is refused. */
  next(): number | null {
    const now = this.#clock.elapsed();
    this.#starts = this.#starts.filter((at) => now - at < windowMs);
    const waitMs = this.#givenUp ? undefined : waitsMs[this.#starts.length];
    if (waitMs === undefined) {
      this.#onRefused();
      return null;
    }
    this.#starts.push(now + waitMs);
    return waitMs;
  }

  /** Resolves after `ms` milliseconds, or when the wait is ended. */
  async wait(ms: number): Promise<void> {
    if (ms === 0) return;
    let cancel = (): void => undefined;
    await new Promise<void>((resolve) => {
      this.#endWait = resolve;
      cancel = this.#clock.schedule(ms, resolve);
    });
    cancel();
  }

  endWait(): void {
    this.#endWait();
  }

  /** Refuses all further starts. */
  giveUp(): void {
    this.#givenUp = true;
    this.#onRefused();
  }
}
