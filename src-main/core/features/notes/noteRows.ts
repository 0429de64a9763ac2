import { ok, type Failure } from '../../../../src-preload/contract/index.ts';
import type { Clock, Logger } from '../../base/ports.ts';
import { Timer } from '../../base/timer.ts';
import type { RecordRow, RecordStore } from '../../vault/records.ts';
import { storing } from '../../vault/storageFailure.ts';

export interface WatchRowsOptions {
  /** Null where nothing can be stored. */
  readonly store: RecordStore | null;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Unix milliseconds. */
  readonly serverNow: () => number;
  /** Called some time after a read or write failed. */
  readonly onRetry: () => void;
}

const retryMs = 30_000;

/** Writes rows to the disk: those that an operator waits for, and those of the log, which may wait. */
export class WatchRows {
  readonly #options: WatchRowsOptions;
  readonly #unwritten = new Map<string, RecordRow>();
  #failure: Failure | null = null;
  readonly #retry: Timer;

  constructor(options: WatchRowsOptions) {
    this.#options = options;
    this.#retry = new Timer(options.clock, () => options.onRetry());
  }

  /** Why rows of the log wait; null when none do. */
  get failure(): Failure | null {
    return this.#failure;
  }

  get areWaiting(): boolean {
    return this.#unwritten.size > 0;
  }

  /**
   * Writes the waiting rows and then all of these. Null when they are safe from a power cut; a failure when none of
   * these was written.
   */
  async put(rows: readonly RecordRow[]): Promise<Failure | null> {
    const { store, logger, serverNow } = this.#options;
    if (store === null) return null;
    const written = await storing({ what: 'watch', logger, now: serverNow }, async () => {
      await store.write([...this.#unwritten.values(), ...rows]);
      return ok(null);
    });
    if (!written.ok) return written.failure;
    this.#unwritten.clear();
    this.#failure = null;
    return null;
  }

  /** Takes rows that are in memory already. Those that cannot be written now are written with the next ones. */
  async putLater(rows: readonly RecordRow[]): Promise<void> {
    const failure = await this.put(rows);
    if (failure === null) return;
    for (const row of rows) this.#unwritten.set(row.id, row);
    this.#failure = failure;
    this.retryLater();
  }

  retryLater(): void {
    this.#retry.setOnce(retryMs);
  }

  stop(): void {
    this.#retry.stop();
  }
}
