import type { AlarmsState } from '../../../../src-preload/contract/index.ts';
import type { Clock } from '../../base/ports.ts';
import { Timer } from '../../base/timer.ts';

/** How long an acknowledgement can be undone, milliseconds. */
const undoMs = 8_000;

export interface AcknowledgementsOptions {
  readonly clock: Clock;
  readonly serverNow: () => number;
  /** The time for an undo is over. */
  readonly onOver: () => void;
}

/** The last acknowledgement, while it can be undone. */
export class Acknowledgements {
  readonly #options: AcknowledgementsOptions;
  #last: { readonly ids: readonly string[]; readonly until: number } | null = null;
  readonly #timer: Timer;

  constructor(options: AcknowledgementsOptions) {
    this.#options = options;
    this.#timer = new Timer(options.clock, () => {
      this.forget();
      options.onOver();
    });
  }

  /** What an undo would restore; null for nothing. */
  get undo(): AlarmsState['undo'] {
    return this.#last === null ? null : { count: this.#last.ids.length, until: this.#last.until };
  }

  note(ids: readonly string[]): void {
    this.forget();
    if (ids.length === 0) return;
    this.#last = { ids, until: this.#options.serverNow() + undoMs };
    this.#timer.set(undoMs);
  }

  /** The alarms to restore. The second call gives none. */
  take(): readonly string[] {
    const ids = this.#last?.ids ?? [];
    this.forget();
    return ids;
  }

  forget(): void {
    this.#timer.stop();
    this.#last = null;
  }
}
