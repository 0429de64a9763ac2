import type { AlarmsState } from '../../../../src-preload/contract/index.ts';
import { Timer } from '../../base/timer.ts';
import type { LocalAccount } from '../context.ts';

/** How long an acknowledgement can be undone, milliseconds. */
const undoMs = 8_000;

/** The last acknowledgement, while it can be undone. */
export class Acknowledgements {
  readonly #account: LocalAccount;
  #last: { readonly ids: readonly string[]; readonly until: number } | null = null;
  readonly #timer: Timer;

  /** `onOver`: the time for an undo is over. */
  constructor(account: LocalAccount, onOver: () => void) {
    this.#account = account;
    this.#timer = new Timer(account.clock, () => {
      this.forget();
      onOver();
    });
  }

  /** What an undo would restore; null for nothing. */
  get undo(): AlarmsState['undo'] {
    return this.#last === null ? null : { count: this.#last.ids.length, until: this.#last.until };
  }

  note(ids: readonly string[]): void {
    this.forget();
    if (ids.length === 0) return;
    this.#last = { ids, until: this.#account.serverNow() + undoMs };
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
