import { ok, type Failure } from '../../../../src-preload/contract/index.ts';
import type { Clock, Logger } from '../../base/ports.ts';
import type { RecordRow, RecordStore } from '../../vault/records.ts';
import { storing } from '../../vault/storageFailure.ts';

export interface WatchRowsOptions {
  /** Null where nothing can be kept. */
  readonly store: RecordStore | null;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Server time, Unix milliseconds. */
  readonly now: () => number;
  /** Some time has passed since something could not be read or written. */
  readonly onRetry: () => void;
}

const retryMs = 30_000;

/** Rows on their way to the disk: those that an operator waits for, and those of the log, which may wait. */
export class WatchRows {
  readonly #options: WatchRowsOptions;
  readonly #unwritten = new Map<string, RecordRow>();
  #failure: Failure | null = null;
  #cancelRetry: (() => void) | null = null;

  constructor(options: WatchRowsOptions) {
    this.#options = options;
  }

  /** Why rows of the log wait; null when none do. */
  get failure(): Failure | null {
    return this.#failure;
  }

  get areWaiting(): boolean {
    return this.#unwritten.size > 0;
  }

  /** All of them durable, after those that wait, or why not: then nothing of it was written. */
  async put(rows: readonly RecordRow[]): Promise<Failure | null> {
    const { store, logger, now } = this.#options;
    if (store === null) return null;
    const written = await storing({ what: 'watch', logger, now }, async () => {
      await store.write([...this.#unwritten.values(), ...rows]);
      return ok(null);
    });
    if (!written.ok) return written.failure;
    this.#unwritten.clear();
    this.#failure = null;
    return null;
  }

  /** Rows that are in memory already: what cannot be written now is written with the next ones. */
  async putLater(rows: readonly RecordRow[]): Promise<void> {
    const failure = await this.put(rows);
    if (failure === null) return;
    for (const row of rows) this.#unwritten.set(row.id, row);
    this.#failure = failure;
    this.retryLater();
  }

  retryLater(): void {
    this.#cancelRetry ??= this.#options.clock.schedule(retryMs, () => {
      this.#cancelRetry = null;
      this.#options.onRetry();
    });
  }

  stop(): void {
    this.#cancelRetry?.();
  }
}
