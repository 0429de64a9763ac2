import type { Clock } from './ports.ts';

/** A timer for one task: it can be set, moved and stopped. */
export class Timer {
  readonly #clock: Pick<Clock, 'schedule'>;
  readonly #run: () => void;
  #cancel: (() => void) | null = null;

  constructor(clock: Pick<Clock, 'schedule'>, run: () => void) {
    this.#clock = clock;
    this.#run = run;
  }

  get isSet(): boolean {
    return this.#cancel !== null;
  }

  /** Runs in `ms` milliseconds, in place of any earlier setting. */
  set(ms: number): void {
    this.stop();
    this.#cancel = this.#clock.schedule(ms, () => {
      this.#cancel = null;
      this.#run();
    });
  }

  /** Runs in `ms` milliseconds, unless the timer is set already: then the earlier time stays. */
  setOnce(ms: number): void {
    if (this.#cancel === null) this.set(ms);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }
}
