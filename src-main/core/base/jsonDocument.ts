import { createHash } from 'node:crypto';
import type { LogEvent } from './logEvents.ts';
import type { Documents, Logger } from './ports.ts';

export interface JsonDocumentOptions<T> {
  readonly documents: Documents;
  readonly logger: Logger;
  /** Without `.json`. */
  readonly name: string;
  /** The content of what the file says; null where it is none. */
  readonly read: (value: unknown) => T | null;
}

/** `damaged`: it was set aside and counts as none. `unread`: it is there, and the disk did not give it. */
export type StoredJson<T> =
  | { readonly kind: 'none' | 'damaged' | 'unread' }
  | { readonly kind: 'stored'; readonly value: T };

/**
 * One JSON document in the data folder. One rule for all of them: what is damaged is copied under another name, so that
 * nothing of it is lost by the next write; over what could not be read nothing is written.
 */
export class JsonDocument<T> {
  readonly #options: JsonDocumentOptions<T>;
  #text: string | null = null;
  #isUnread = false;

  constructor(options: JsonDocumentOptions<T>) {
    this.#options = options;
  }

  /** Never rejects. */
  async load(): Promise<StoredJson<T>> {
    const { documents, read } = this.#options;
    try {
      this.#text = await documents.read(this.#fileName);
      this.#isUnread = false;
    } catch {
      this.#isUnread = true;
      this.#say('document-not-read');
      return { kind: 'unread' };
    }
    if (this.#text === null) return { kind: 'none' };
    const value = read(parsed(this.#text));
    if (value !== null) return { kind: 'stored', value };
    await this.setAside();
    return { kind: 'damaged' };
  }

  /** Rejects with what the disk says, or where the document could not be read. */
  async write(content: object): Promise<void> {
    if (this.#isUnread) throw new Error('What could not be read is not written over');
    await this.#options.documents.write(this.#fileName, `${JSON.stringify(content, null, 2)}\n`);
  }

  /** As `write`; false where it was not written. Never rejects. */
  async save(content: object): Promise<boolean> {
    try {
      await this.write(content);
      return true;
    } catch {
      this.#say('document-not-written');
      return false;
    }
  }

  /** Copies what was read; the same content at a later start is the same copy. Never rejects. */
  async setAside(): Promise<void> {
    const { documents, name } = this.#options;
    if (this.#text === null) return;
    const digest = createHash('sha256').update(this.#text).digest('hex').slice(0, 12);
    const aside = `${name}-unreadable-${digest}.json`;
    try {
      await documents.write(aside, this.#text);
      this.#say('document-set-aside');
    } catch {
      this.#say('document-not-set-aside');
    }
  }

  get #fileName(): string {
    return `${this.#options.name}.json`;
  }

  #say(event: LogEvent): void {
    this.#options.logger.warn(event, { document: this.#fileName });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
