import type { Clock, Logger } from '../base/ports.ts';
import type { RecordStore } from './records.ts';

export interface PersistedDocumentOptions {
  /** The document's name among the `documents` of a vault, and in the log. */
  readonly id: string;
  /** Null where nothing can be kept. */
  readonly records: RecordStore | null;
  readonly clock: Clock;
  readonly logger: Logger;
  /** What is to be kept now. */
  readonly text: () => string;
}

/** How often the document is written at most, and the time to the next try after a failure, milliseconds. */
const pauseMs = 1_000;
const retryMs = 30_000;

/** Keeps one document of an open vault: at once when it changes, then at most once a second. */
export class PersistedDocument {
  readonly #options: PersistedDocumentOptions;
  #dirty = false;
  #writing: Promise<boolean> | null = null;
  #cancelNext: (() => void) | null = null;
  #finished = false;

  constructor(options: PersistedDocumentOptions) {
    this.#options = options;
  }

  /** What was kept, null when nothing was. Never rejects: what cannot be read is as nothing. */
  async restore(): Promise<string | null> {
    const { records, logger, id } = this.#options;
    try {
      const rows = await records?.rows('documents');
      return rows?.rows.find((row) => row.id === id)?.text ?? null;
    } catch (error) {
      logger.warn('document-not-read', { document: id, error: error instanceof Error ? error.name : '' });
      return null;
    }
  }

  /** Something is to be kept that was not before. */
  note(): void {
    this.#dirty = true;
    if (!this.#cancelNext && !this.#writing) void this.#write();
  }

  /** Writes what waits; nothing is written any more after that. Never rejects. */
  async finish(): Promise<void> {
    this.#finished = true;
    this.#cancelNext?.();
    this.#cancelNext = null;
    // Taken now, since the caller forgets it next; and again what is being written, which may fail.
    const text = this.#dirty || this.#writing ? this.#options.text() : null;
    const written = (await this.#writing) ?? false;
    if (text !== null && (this.#dirty || !written)) await this.#put(text);
  }

  async #write(): Promise<void> {
    this.#dirty = false;
    this.#writing = this.#put(this.#options.text());
    const written = await this.#writing;
    this.#writing = null;
    if (this.#finished) return;
    if (!written) this.#dirty = true;
    this.#cancelNext = this.#options.clock.schedule(written ? pauseMs : retryMs, () => {
      this.#cancelNext = null;
      if (this.#dirty) void this.#write();
    });
  }

  async #put(text: string): Promise<boolean> {
    const { records, logger, id } = this.#options;
    try {
      await records?.write([{ table: 'documents', id, text }]);
      return true;
    } catch (error) {
      logger.warn('document-not-kept', { document: id, error: error instanceof Error ? error.name : '' });
      return false;
    }
  }
}
