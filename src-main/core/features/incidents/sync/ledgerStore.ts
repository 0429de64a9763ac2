import type { Clock } from '../../../base/ports.ts';

export interface LedgerStoreOptions {
  readonly clock: Clock;
  readonly text: () => string;
  readonly onLedger: ((text: string) => void) | undefined;
}

const gatherMs = 5_000;

/** Gives the ledger away to be kept: once in a few seconds at most, as it is written whole. */
export class LedgerStore {
  readonly #options: LedgerStoreOptions;
  #cancel: (() => void) | null = null;

  constructor(options: LedgerStoreOptions) {
    this.#options = options;
  }

  /** The ledger changed. */
  note(): void {
    const { clock, onLedger } = this.#options;
    if (!onLedger) return;
    this.#cancel ??= clock.schedule(gatherMs, () => {
      this.flush();
    });
  }

  /** Gives away at once what waits. */
  flush(): void {
    if (!this.#cancel) return;
    this.#cancel();
    this.#cancel = null;
    this.#options.onLedger?.(this.#options.text());
  }
}
