import type { Logger } from '../base/ports.ts';
import type { Account } from './account.ts';

export interface PersistedDocumentOptions extends Pick<Account, 'scope' | 'records'> {
  /** The document's name among the `documents` of a vault, and in the log. */
  readonly id: string;
  readonly logger: Logger;
  /** The text to be stored now. */
  readonly text: () => string;
}

/** The shortest time between two writes, and the wait after a failed one, milliseconds. */
const pauseMs = 1_000;
const retryMs = 30_000;

/**
 * One document of an open vault, written at once when it changes, then at most once a second. When the account ends,
 * the unsaved text is taken in that moment, before the store is emptied, and written before the vault closes.
 */
export class PersistedDocument {
  readonly #options: PersistedDocumentOptions;
  #dirty = false;
  #reading: Promise<string | null> | null = null;
  #writing: Promise<boolean> | null = null;
  #next: (() => void) | null = null;

  constructor(options: PersistedDocumentOptions) {
    const { scope, text } = options;
    this.#options = options;
    let last: string | null = null;
    scope.onEnd(() => {
      // Also the text of a running write, which may fail.
      last = this.#dirty || this.#writing ? text() : null;
    });
    scope.defer(() => this.#finish(last));
  }

  /** The stored text, null for none. Never rejects: an unreadable one counts as none. */
  restore(): Promise<string | null> {
    this.#reading ??= this.#read();
    return this.#reading;
  }

  /** There is an unsaved change. */
  note(): void {
    this.#dirty = true;
    if (!this.#next && !this.#writing) void this.#write();
  }

  async #read(): Promise<string | null> {
    const { records, logger, id } = this.#options;
    try {
      const rows = await records?.store.rows('documents');
      return rows?.rows.find((row) => row.id === id)?.text ?? null;
    } catch (error) {
      logger.warn('document-not-read', { document: id, error: error instanceof Error ? error.name : '' });
      return null;
    }
  }

  async #finish(last: string | null): Promise<void> {
    await this.#reading;
    const written = (await this.#writing) ?? false;
    if (last !== null && (this.#dirty || !written)) await this.#put(last);
  }

  async #write(): Promise<void> {
    const { scope, text } = this.#options;
    this.#dirty = false;
    this.#writing = this.#put(text());
    const written = await this.#writing;
    this.#writing = null;
    if (!written) this.#dirty = true;
    this.#next = scope.clock.schedule(written ? pauseMs : retryMs, () => {
      this.#next = null;
      if (this.#dirty) void this.#write();
    });
  }

  async #put(text: string): Promise<boolean> {
    const { records, logger, id } = this.#options;
    try {
      await records?.store.write([{ table: 'documents', id, text }]);
      return true;
    } catch (error) {
      logger.warn('document-not-kept', { document: id, error: error instanceof Error ? error.name : '' });
      return false;
    }
  }
}
