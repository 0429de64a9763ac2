import type { Failure } from '../../../../src-preload/contract/index.ts';
import { doubled } from '../../base/backoff.ts';
import type { Clock, Logger } from '../../base/ports.ts';
import type { KeyedQueue } from '../../base/queues.ts';
import type { RecordRow, RecordStore, Spool } from '../../vault/records.ts';
import type { UploadItem } from './item.ts';
import { writeItem } from './itemText.ts';
import { storeFailure } from './messages.ts';

export interface UploadWriterOptions {
  readonly store: RecordStore;
  readonly spool: Spool;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly queues: KeyedQueue;
  /** Server time, Unix milliseconds. */
  readonly now: () => number;
  /** The item as it is now; null when it was discarded. */
  readonly current: (id: string) => UploadItem | null;
  /** A write failed, or, with null, all is written. */
  readonly onProblem: (problem: Failure | null) => void;
}

const retryMs = 5_000;
const longestRetryMs = 300_000;
const serverTimeId = 'latest-server-time';
const settingsId = 'outbox';
/** Rows of one write: more would hold the others up. */
const batch = 500;

/**
 * Writes items down: the sidecar first, then the row, so that whatever a kill leaves, one of the two
 * knows of the attempt. What could not be written is tried again until it is; until then it is in memory.
 */
export class UploadWriter {
  readonly #options: UploadWriterOptions;
  /** What waits to be written, and whether a sidecar is among it. */
  readonly #unwritten = new Map<string, boolean>();
  #cancelRetry: (() => void) | null = null;
  #retries = 0;
  #latest: number | null = null;
  #isFinishing = false;

  constructor(options: UploadWriterOptions) {
    this.#options = options;
  }

  /** The latest that the service's time was ever seen to be, Unix milliseconds. */
  get latestServerTime(): number | null {
    return this.#latest;
  }

  /** `time` is the service's, where it is verified; it is written with the next row. */
  noteServerTime(time: number): void {
    this.#latest = Math.max(this.#latest ?? time, time);
  }

  async readDocuments(): Promise<{ readonly paused: boolean }> {
    const { rows } = await this.#options.store.rows('documents');
    const text = (id: string): string | null => rows.find((row) => row.id === id)?.text ?? null;
    const latest = Number(text(serverTimeId) ?? Number.NaN);
    if (Number.isFinite(latest)) this.noteServerTime(latest);
    return { paused: text(settingsId) === '{"paused":true}' };
  }

  writeSettings(settings: { readonly paused: boolean }): Promise<Failure | null> {
    return this.#write([{ table: 'documents', id: settingsId, text: JSON.stringify(settings) }]);
  }

  /** Writes the first row of an item whose file has not come; a failure leaves no obligation. */
  writeNew(item: UploadItem): Promise<Failure | null> {
    return this.#write([rowOf(item)]);
  }

  /** Writes an item before anything else is done with it; a failure leaves no obligation. */
  async writeFirst(item: UploadItem): Promise<Failure | null> {
    const failure = await this.#writeSidecar(item);
    return failure ?? this.#write([rowOf(item)]);
  }

  /** Writes what the item is now, in the queue of its id. What fails is tried again. */
  async save(id: string, sidecar: boolean): Promise<Failure | null> {
    const item = this.#options.current(id);
    const alsoSidecar = (sidecar || this.#unwritten.get(id) === true) && item !== null;
    const beside = alsoSidecar ? await this.#writeSidecar(item) : null;
    const failure = await this.#write([item === null ? { table: 'uploads', id, text: null } : rowOf(item)]);
    if (failure !== null) {
      this.#unwritten.set(id, alsoSidecar);
      this.#fail(failure);
      return failure;
    }
    // Its row says so: from here on nothing of it is needed but the row.
    if (item?.phase.state === 'sent') {
      await this.#removeBytes(id);
    } else if (beside !== null) {
      this.#unwritten.set(id, true);
      this.#fail(beside);
      return beside;
    }
    this.#unwritten.delete(id);
    this.#settle();
    return null;
  }

  /** Writes many rows, as few at a time as it takes not to hold up others; `text` null removes one. */
  async saveAll(
    rows: readonly { readonly id: string; readonly item: UploadItem | null }[],
  ): Promise<Failure | null> {
    let problem: Failure | null = null;
    for (let at = 0; at < rows.length; at += batch) {
      const part = rows.slice(at, at + batch);
      const failure = await this.#write(
        part.map(({ id, item }) => (item === null ? { table: 'uploads', id, text: null } : rowOf(item))),
      );
      if (failure === null) continue;
      problem = failure;
      for (const { id } of part) this.#unwritten.set(id, this.#unwritten.get(id) ?? false);
      this.#fail(failure);
    }
    return problem;
  }

  /** Destroys the spooled bytes and the sidecar. */
  async removeBytes(id: string): Promise<Failure | null> {
    try {
      await this.#options.spool.remove(id);
      return null;
    } catch (error) {
      return this.#failureOf('spool-remove', error);
    }
  }

  /** Tries once more what was not written. */
  async finish(): Promise<void> {
    this.#isFinishing = true;
    this.#stopRetry();
    for (const [id, sidecar] of [...this.#unwritten]) {
      await this.#options.queues.run(id, () => this.save(id, sidecar));
    }
  }

  async #removeBytes(id: string): Promise<void> {
    // What stays is swept at the next start.
    await this.removeBytes(id);
  }

  async #writeSidecar(item: UploadItem): Promise<Failure | null> {
    try {
      await this.#options.spool.writeSidecar(item.id, writeItem(item));
      return null;
    } catch (error) {
      return this.#failureOf('sidecar', error);
    }
  }

  async #write(rows: readonly RecordRow[]): Promise<Failure | null> {
    const latest = this.#latest;
    const times: RecordRow[] =
      latest === null ? [] : [{ table: 'documents', id: serverTimeId, text: String(latest) }];
    try {
      await this.#options.store.write([...rows, ...times]);
      return null;
    } catch (error) {
      return this.#failureOf('row', error);
    }
  }

  #failureOf(what: string, error: unknown): Failure {
    const { logger, now } = this.#options;
    const failure = storeFailure(error, now());
    const detail = error instanceof Error ? error.message : String(error);
    logger.warn('outbox.storage-failed', { what, code: failure.code, detail });
    return failure;
  }

  #fail(failure: Failure): void {
    this.#options.onProblem(failure);
    if (this.#isFinishing) return;
    const ms = doubled(retryMs, this.#retries, longestRetryMs);
    this.#cancelRetry ??= this.#options.clock.schedule(ms, () => {
      this.#cancelRetry = null;
      this.#retries += 1;
      for (const [id, sidecar] of [...this.#unwritten]) {
        void this.#options.queues.run(id, () => this.save(id, sidecar));
      }
    });
  }

  #settle(): void {
    if (this.#unwritten.size > 0) return;
    this.#retries = 0;
    this.#stopRetry();
    this.#options.onProblem(null);
  }

  #stopRetry(): void {
    this.#cancelRetry?.();
    this.#cancelRetry = null;
  }
}

const rowOf = (item: UploadItem): RecordRow => ({
  table: 'uploads',
  id: item.id,
  text: writeItem(item),
});
