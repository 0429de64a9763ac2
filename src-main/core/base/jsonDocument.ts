import { createHash } from 'node:crypto';
import { parsedJson } from './json.ts';
import type { LogEvent } from './logEvents.ts';
import type { BasePorts } from './ports.ts';

/** What a document is stored with. */
export type DocumentPorts = Pick<BasePorts, 'documents' | 'logger'>;

/**
 * `damaged`: the document was copied aside and counts as empty. `unread`: it exists, but the disk could not read it.
 */
export type StoredJson<T> =
  | { readonly kind: 'none' | 'damaged' | 'unread' }
  | { readonly kind: 'stored'; readonly value: T };

/**
 * One JSON document in the data folder. A damaged document is copied under another name before the next write, so that
 * its content is not lost. A document that could not be read is never overwritten.
 */
export class JsonDocument<T> {
  readonly #ports: DocumentPorts;
  readonly name: string;
  readonly #read: (value: unknown) => T | null;
  #text: string | null = null;
  #isUnread = false;

  /** `name`: without `.json`. `read` reads the parsed file; null where its content is not valid. */
  constructor(ports: DocumentPorts, name: string, read: (value: unknown) => T | null) {
    this.#ports = ports;
    this.name = name;
    this.#read = read;
  }

  /** Never rejects. */
  async load(): Promise<StoredJson<T>> {
    try {
      this.#text = await this.#ports.documents.read(this.#fileName);
      this.#isUnread = false;
    } catch {
      this.#isUnread = true;
      this.#say('document-not-read');
      return { kind: 'unread' };
    }
    if (this.#text === null) return { kind: 'none' };
    const value = this.#read(parsedJson(this.#text));
    if (value !== null) return { kind: 'stored', value };
    await this.setAside();
    return { kind: 'damaged' };
  }

  /** Rejects with the disk's error, or where the document could not be read before. */
  async write(content: object): Promise<void> {
    if (this.#isUnread) throw new Error('What could not be read is not written over');
    await this.#ports.documents.write(this.#fileName, `${JSON.stringify(content, null, 2)}\n`);
  }

  /** Rejects with the disk's error. */
  remove(): Promise<void> {
    return this.#ports.documents.remove(this.#fileName);
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

  /** Copies the damaged text. At a later start the same content makes the same copy. Never rejects. */
  async setAside(): Promise<void> {
    if (this.#text === null) return;
    const digest = createHash('sha256').update(this.#text).digest('hex').slice(0, 12);
    const aside = `${this.name}-unreadable-${digest}.json`;
    try {
      await this.#ports.documents.write(aside, this.#text);
      this.#say('document-set-aside');
    } catch {
      this.#say('document-not-set-aside');
    }
  }

  get #fileName(): string {
    return `${this.name}.json`;
  }

  #say(event: LogEvent): void {
    this.#ports.logger.warn(event, { document: this.#fileName });
  }
}
