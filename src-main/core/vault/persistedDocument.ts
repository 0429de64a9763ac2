import type { Logger } from '../base/ports.ts';
import type { Account } from './account.ts';
import type { RecordRow, RecordTable } from './records.ts';
import { WriteBehind } from './writeBehind.ts';

/** What a document needs of the account. */
export type DocumentAccount = Pick<Account, 'scope' | 'records'> & { readonly logger: Logger };

/** The shortest time between two writes, milliseconds. */
const pauseMs = 1_000;

/**
 * One document of an open vault, written at once when it changes, then at most once a second. When the account ends,
 * the unsaved text is taken in that moment, before the store is emptied, and written before the vault closes.
 *
 * A change that must be safe at once, in a document that is too large to be written for it, is a row beside the
 * document. The next document says what the row says, and removes it.
 */
export class PersistedDocument {
  readonly #account: DocumentAccount;
  readonly #id: string;
  readonly #text: () => string;
  readonly #table: RecordTable | null;
  readonly #behind: WriteBehind<readonly RecordRow[], Error>;
  /** Those on the disk and in memory that the stored document does not cover yet, by id. */
  readonly #beside = new Map<string, RecordRow>();
  #reading: Promise<string | null> | null = null;

  /**
   * `id`: the document's name among the `documents` of a vault, and in the log. `text`: what is to be stored now.
   * `table`: of the rows beside the document; no other document may use it.
   */
  constructor(account: DocumentAccount, id: string, text: () => string, table: RecordTable | null = null) {
    this.#account = account;
    this.#id = id;
    this.#text = text;
    this.#table = table;
    this.#behind = new WriteBehind({
      clock: account.scope.clock,
      pauseMs,
      take: (keys) => this.#take(keys),
      put: (rows) => this.#put(rows),
    });
    account.scope.closing(() => Promise.all([this.#reading, this.#behind.finish()]));
  }

  /** The stored text, null for none. Never rejects: an unreadable one counts as none. */
  restore(): Promise<string | null> {
    this.#reading ??= this.#read();
    return this.#reading;
  }

  /** The rows that are newer than the stored document. */
  get beside(): readonly RecordRow[] {
    return [...this.#beside.values()];
  }

  /** There is an unsaved change. */
  note(): void {
    this.#behind.note([this.#id]);
  }

  /**
   * Writes rows beside the document now, or the whole document if it has other unsaved changes. Null when that is safe
   * from a power cut, else why not; then it is written later.
   */
  async write(rows: readonly RecordRow[]): Promise<Error | null> {
    if (rows.length === 0) return null;
    for (const row of rows) this.#beside.set(row.id, row);
    return this.#behind.flush(rows.map(({ id }) => id));
  }

  async #read(): Promise<string | null> {
    const { records, logger } = this.#account;
    const [id, table] = [this.#id, this.#table];
    try {
      const documents = await records?.store.rows('documents');
      if (table !== null) {
        const newer = await records?.store.rows(table);
        for (const row of newer?.rows ?? []) this.#beside.set(row.id, { ...row, table });
      }
      return documents?.rows.find((row) => row.id === id)?.text ?? null;
    } catch (error) {
      logger.warn('document-not-read', { document: id, error: error instanceof Error ? error.name : '' });
      return null;
    }
  }

  #take(keys: readonly string[]): readonly RecordRow[] {
    const id = this.#id;
    if (!keys.includes(id)) return keys.flatMap((key) => this.#beside.get(key) ?? []);
    const covered = this.beside.map((row) => ({ ...row, text: null }));
    return [{ table: 'documents', id, text: this.#text() }, ...covered];
  }

  async #put(rows: readonly RecordRow[]): Promise<Error | null> {
    const { records, logger } = this.#account;
    const before = new Map(this.#beside);
    try {
      await records?.store.write(rows);
    } catch (error) {
      const problem = error instanceof Error ? error : new Error(String(error));
      logger.warn('document-not-kept', { document: this.#id, error: problem.name });
      return problem;
    }
    for (const row of rows) {
      // Not one that was written again meanwhile.
      if (row.text === null && this.#beside.get(row.id) === before.get(row.id)) this.#beside.delete(row.id);
    }
    return null;
  }
}
