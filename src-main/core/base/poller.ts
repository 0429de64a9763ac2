import type { Clock } from './ports.ts';
import { Timer } from './timer.ts';

export interface PollerOptions<Asked, Answer> {
  readonly clock: Pick<Clock, 'schedule'>;
  /** The argument of a run that only the timer started. */
  readonly byItself: Asked;
  /** Does the work once. Must not reject. */
  readonly run: (asked: Asked) => Promise<Answer>;
  /** Called after each run. Answers in how many milliseconds the next one follows; null for no next run. */
  readonly after: () => number | null;
}

/**
 * Repeats one piece of work, one run at a time. Callers during a run share its result. The pause until the next run
 * begins when the run ends, so that slow work still rests.
 */
export class Poller<Asked, Answer> {
  readonly #options: PollerOptions<Asked, Answer>;
  readonly #timer: Timer;
  #present: Promise<Answer> | null = null;

  constructor(options: PollerOptions<Asked, Answer>) {
    this.#options = options;
    this.#timer = new Timer(options.clock, () => void this.now());
  }

  /** The current run; null between runs. */
  get present(): Promise<Answer> | null {
    return this.#present;
  }

  /** Runs at once, or shares the current run. */
  now(asked: Asked = this.#options.byItself): Promise<Answer> {
    this.#present ??= this.#do(asked);
    return this.#present;
  }

  /** Sets the next run to `ms` milliseconds from now, in place of its planned time. */
  in(ms: number): void {
    this.#timer.set(ms);
  }

  /** Cancels the planned run. The next one starts when a caller asks for it. */
  stop(): void {
    this.#timer.stop();
  }

  async #do(asked: Asked): Promise<Answer> {
    this.#timer.stop();
    const { run, after } = this.#options;
    const answer = await run(asked);
    this.#present = null;
    const ms = after();
    // A caller that awaited this run may have started the next one.
    if (ms !== null && this.present === null) this.#timer.set(ms);
    return answer;
  }
}
