import { z } from 'zod';
import { contentKindSchema } from '../../../../../src-preload/contract/index.ts';
import type { LogEvent } from '../../../base/logEvents.ts';
import type { Logger, Random } from '../../../base/ports.ts';
import { KeyedQueue } from '../../../base/queues.ts';
import type { IncomingFile, Spool } from '../../../vault/records.ts';
import type { ContentFacts } from './contentKind.ts';

/** A file of evidence that lies sealed in the vault. */
export interface StoredContent {
  /** Of the vault's file, 16 hexadecimal digits. */
  readonly id: string;
  /** The text that is the same for every spelling of its CID. */
  readonly content: string;
  readonly bytes: number;
  readonly isVerified: boolean;
  readonly facts: ContentFacts;
  /** Server time, Unix milliseconds. */
  readonly usedAt: number;
}

/** What is written beside a file, sealed as it is. */
const noteSchema = z.strictObject({
  version: z.literal(1),
  content: z.string().max(256),
  bytes: z.number(),
  isVerified: z.boolean(),
  facts: z.strictObject({
    kind: contentKindSchema,
    mediaType: z.string().max(64),
    ending: z.string().max(8),
    width: z.number().nullable(),
    height: z.number().nullable(),
  }),
  usedAt: z.number(),
});

/** A use is written down so often at most: which file is the least recently used needs no more. */
const usedEveryMs = 10 * 60_000;

/**
 * The files of evidence in a vault, each once however its CID is spelt. A file counts from the moment that its note
 * is on the disk: a kill before leaves a sealed file without one, which the next start removes.
 */
export class ContentStore {
  readonly #spool: Spool;
  readonly #random: Random;
  readonly #logger: Logger;
  readonly #order = new KeyedQueue();
  /** By content. */
  readonly #stored = new Map<string, StoredContent>();
  #bytes = 0;

  constructor(options: { readonly spool: Spool; readonly random: Random; readonly logger: Logger }) {
    this.#spool = options.spool;
    this.#random = options.random;
    this.#logger = options.logger;
  }

  /** Of all files, as they are without their seals. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Reads what is there and removes what a dead process left. Never rejects: without it, all is fetched again. */
  async load(): Promise<void> {
    try {
      const [sizes, notes] = await Promise.all([this.#spool.list(), this.#spool.sidecars()]);
      for (const [id, text] of notes) {
        const note = text === null ? null : readNote(text);
        // One of two files of the same content, as a kill between two writes leaves them, goes.
        if (note === null || sizes.get(id) !== note.bytes || this.#stored.has(note.content)) continue;
        this.#add({ id, ...note });
      }
      await this.#spool.sweep(new Set([...this.#stored.values()].map(({ id }) => id)));
    } catch (error) {
      this.#warn('contents-not-read', error);
    }
  }

  find(content: string): StoredContent | null {
    return this.#stored.get(content) ?? null;
  }

  all(): IterableIterator<StoredContent> {
    return this.#stored.values();
  }

  free(): Promise<number | null> {
    return this.#spool.free().catch(() => null);
  }

  async begin(): Promise<{ readonly id: string; readonly file: IncomingFile }> {
    const id = Buffer.from(this.#random.bytes(8)).toString('hex');
    return { id, file: await this.#spool.receive(id) };
  }

  /** Makes a finished file one that counts. Rejects where that cannot be written down; nothing of it stays then. */
  async add(stored: StoredContent): Promise<void> {
    try {
      await this.#write(stored);
    } catch (error) {
      await this.discard(stored.id);
      throw error;
    }
    const before = this.#stored.get(stored.content);
    if (before !== undefined) await this.remove(before);
    this.#add(stored);
  }

  /** Removes a file that was never added. Never rejects: what stays is swept away at the next start. */
  async discard(id: string): Promise<void> {
    await this.#spool.remove(id).catch((error: unknown) => {
      this.#warn('content-not-removed', error);
    });
  }

  async remove({ content, id, bytes }: StoredContent): Promise<void> {
    if (this.#stored.get(content)?.id === id) {
      this.#stored.delete(content);
      this.#bytes -= bytes;
    }
    await this.discard(id);
  }

  /** Notes that a file was shown. */
  use(content: string, now: number): void {
    const stored = this.#stored.get(content);
    if (stored === undefined) return;
    const used = { ...stored, usedAt: now };
    this.#stored.set(content, used);
    if (now - stored.usedAt < usedEveryMs) return;
    this.#write(used).catch((error: unknown) => {
      this.#warn('content-use-not-written', error);
    });
  }

  /** The bytes from `start` to before `end`, opened piece by piece. */
  read({ id }: StoredContent, start: number, end: number): AsyncIterable<Uint8Array> {
    return this.#spool.readPart(id, start, end);
  }

  async settled(): Promise<void> {
    await this.#order.idle();
  }

  #add(stored: StoredContent): void {
    this.#stored.set(stored.content, stored);
    this.#bytes += stored.bytes;
  }

  #write({ id, ...note }: StoredContent): Promise<void> {
    const text = JSON.stringify({ version: 1, ...note });
    return this.#order.run(id, () => this.#spool.writeSidecar(id, text));
  }

  #warn(event: LogEvent, error: unknown): void {
    this.#logger.warn(event, { detail: error instanceof Error ? error.message : String(error) });
  }
}

function readNote(text: string): Omit<StoredContent, 'id'> | null {
  try {
    const { version: _version, ...note } = noteSchema.parse(JSON.parse(text));
    return note;
  } catch {
    return null;
  }
}
