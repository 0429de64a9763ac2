import type { AlarmsState } from '../../../../src-preload/contract/index.ts';
import type { Clock } from '../../base/ports.ts';
import type { ServerTime } from '../../base/serverTime.ts';

/** How long an acknowledgement can be taken back, milliseconds. */
const undoMs = 8_000;

export interface AcknowledgementsOptions {
  readonly clock: Clock;
  readonly serverTime: Pick<ServerTime, 'serverNow'>;
  /** Nothing can be taken back any more. */
  readonly onOver: () => void;
}

/** What was acknowledged last, while that can be taken back. */
export class Acknowledgements {
  readonly #options: AcknowledgementsOptions;
  #last: { readonly ids: readonly string[]; readonly until: number } | null = null;
  #cancel: (() => void) | null = null;

  constructor(options: AcknowledgementsOptions) {
    this.#options = options;
  }

  /** What an undo would take back; null for nothing. */
  get undo(): AlarmsState['undo'] {
    return this.#last === null ? null : { count: this.#last.ids.length, until: this.#last.until };
  }

  note(ids: readonly string[]): void {
    const { clock, serverTime, onOver } = this.#options;
    this.forget();
    if (ids.length === 0) return;
    this.#last = { ids, until: serverTime.serverNow() + undoMs };
    this.#cancel = clock.schedule(undoMs, () => {
      this.forget();
      onOver();
    });
  }

  /** The alarms that are to wait again, once. */
  take(): readonly string[] {
    const ids = this.#last?.ids ?? [];
    this.forget();
    return ids;
  }

  forget(): void {
    this.#cancel?.();
    this.#cancel = this.#last = null;
  }
}
