import type { Failure } from '../../../../src-preload/contract/index.ts';
import type { KeyedQueue } from '../../base/queues.ts';
import type { RecordRow, VaultRecords } from '../../vault/records.ts';
import { storeFailure } from '../../vault/storageFailure.ts';
import { WriteBehind } from '../../vault/writeBehind.ts';
import type { LocalAccount } from '../context.ts';
import type { UploadItem } from './item.ts';
import { writeItem } from './itemText.ts';
import type { UploadList } from './uploadList.ts';

/** The wait before an item that could not be written is written for the first time again, milliseconds. */
const firstRetryMs = 5_000;
const serverTimeId = 'latest-server-time';
const settingsId = 'outbox';
/** The most rows of one write: more would block other writes. */
const batch = 500;

/**
 * Writes items: the sidecar first, then the row, so that after a kill at least one of the two has the attempt. A failed
 * write is repeated until it succeeds; until then the item is in memory.
 */
export class UploadWriter {
  readonly #account: LocalAccount;
  readonly #records: VaultRecords;
  readonly #list: UploadList;
  readonly #queues: KeyedQueue;
  readonly #onProblem: (problem: Failure | null) => void;
  /** Items that have to be written, each with whether its sidecar has to be. */
  readonly #unwritten = new Map<string, boolean>();
  readonly #behind: WriteBehind<readonly string[]>;
  #latest: number | null = null;

  /** `onProblem`: a write failed; with null, all is written. */
  constructor(
    account: LocalAccount,
    records: VaultRecords,
    list: UploadList,
    queues: KeyedQueue,
    onProblem: (problem: Failure | null) => void,
  ) {
    this.#account = account;
    this.#records = records;
    this.#list = list;
    this.#queues = queues;
    this.#onProblem = onProblem;
    this.#behind = new WriteBehind({
      clock: account.clock,
      gatherMs: firstRetryMs,
      take: (ids) => ids,
      put: (ids) => this.#saveUnwritten(ids),
    });
  }

  /** The latest known time of the service, Unix milliseconds. */
  get latestServerTime(): number | null {
    return this.#latest;
  }

  /** Takes the service's verified time, which is written with the next row. */
  noteServerTime(time: number): void {
    this.#latest = Math.max(this.#latest ?? time, time);
  }

  async readDocuments(): Promise<{ readonly paused: boolean }> {
    const { rows } = await this.#records.store.rows('documents');
    const text = (id: string): string | null => rows.find((row) => row.id === id)?.text ?? null;
    const latest = Number(text(serverTimeId) ?? Number.NaN);
    if (Number.isFinite(latest)) this.noteServerTime(latest);
    return { paused: text(settingsId) === '{"paused":true}' };
  }

  writeSettings(settings: { readonly paused: boolean }): Promise<Failure | null> {
    return this.#write([{ table: 'documents', id: settingsId, text: JSON.stringify(settings) }]);
  }

  /** Writes the first row of an item whose file has not arrived. A failure is not repeated. */
  writeNew(item: UploadItem): Promise<Failure | null> {
    return this.#write([rowOf(item)]);
  }

  /** Writes an item before anything else happens to it. A failure is not repeated. */
  async writeFirst(item: UploadItem): Promise<Failure | null> {
    const failure = await this.#writeSidecar(item);
    return failure ?? this.#write([rowOf(item)]);
  }

  /** Writes the present item, in the queue of its id. A failure is repeated. */
  async save(id: string, sidecar: boolean): Promise<Failure | null> {
    const item = this.#list.entry(id)?.item ?? null;
    const alsoSidecar = (sidecar || this.#unwritten.get(id) === true) && item !== null;
    const beside = alsoSidecar ? await this.#writeSidecar(item) : null;
    const failure = await this.#write([item === null ? { table: 'uploads', id, text: null } : rowOf(item)]);
    if (failure !== null) return this.#later(failure, [[id, alsoSidecar]]);
    // The service is proven to have a sent one, or an operator erased the copy: it needs only its row.
    if (item?.phase.state === 'sent') {
      await this.#removeBytes(id);
    } else if (beside !== null) {
      return this.#later(beside, [[id, true]]);
    }
    this.#unwritten.delete(id);
    if (this.#unwritten.size === 0) this.#onProblem(null);
    return null;
  }

  /** Writes many rows, in batches that do not block others. `text` null removes a row. */
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
      problem = this.#later(
        failure,
        part.map(({ id }) => [id, this.#unwritten.get(id) ?? false]),
      );
    }
    return problem;
  }

  /** Destroys the spooled bytes and the sidecar. */
  async removeBytes(id: string): Promise<Failure | null> {
    try {
      await this.#records.spool.remove(id);
      return null;
    } catch (error) {
      return this.#failureOf('spool-remove', error);
    }
  }

  /** Tries once more to write what is not written. */
  finish(): Promise<void> {
    return this.#behind.finish();
  }

  async #saveUnwritten(ids: readonly string[]): Promise<Failure | null> {
    const failures = ids
      .filter((id) => this.#unwritten.has(id))
      .map((id) => this.#queues.run(id, () => this.save(id, false)));
    return (await Promise.all(failures)).findLast((failure) => failure !== null) ?? null;
  }

  async #removeBytes(id: string): Promise<void> {
    // The next start removes what stays.
    await this.removeBytes(id);
  }

  async #writeSidecar(item: UploadItem): Promise<Failure | null> {
    try {
      await this.#records.spool.writeSidecar(item.id, writeItem(item));
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
      await this.#records.store.write([...rows, ...times]);
      return null;
    } catch (error) {
      return this.#failureOf('row', error);
    }
  }

  #failureOf(what: string, error: unknown): Failure {
    const { logger, serverNow } = this.#account;
    const failure = storeFailure(error, serverNow());
    const detail = error instanceof Error ? error.message : String(error);
    logger.warn('outbox.storage-failed', { what, code: failure.code, detail });
    return failure;
  }

  /** These items, each with whether its sidecar has to be written, are written later. */
  #later(failure: Failure, items: readonly (readonly [id: string, sidecar: boolean])[]): Failure {
    for (const [id, sidecar] of items) this.#unwritten.set(id, sidecar);
    this.#behind.note(items.map(([id]) => id));
    this.#onProblem(failure);
    return failure;
  }
}

const rowOf = (item: UploadItem): RecordRow => ({
  table: 'uploads',
  id: item.id,
  text: writeItem(item),
});
