import { z } from 'zod';
import type { Logger } from '../../../base/ports.ts';
import type { RecordStore } from '../../../vault/records.ts';

const documentId = 'evidence-kept';
/** By custom a CID has 59 characters: the list stays under a megabyte. */
const mostKept = 10_000;
const documentSchema = z.strictObject({
  version: z.literal(1),
  /** Content and, for it, the CID as the list of evidence spells it. */
  kept: z.array(z.tuple([z.string().max(256), z.string().max(256)])).max(mostKept),
  paused: z.boolean(),
});

/**
 * What is to stay on this computer, in the order in which it was asked for, whether or not it is here already; and
 * whether the fetching of it is held back. Written down before it is acted on, so that a restart goes on with it.
 */
export class KeptContents {
  readonly #store: RecordStore | null;
  readonly #logger: Logger;
  readonly #kept = new Map<string, string>();
  #paused = false;
  #writing: Promise<void> = Promise.resolve();
  #writeAgain = false;

  constructor(options: { readonly store: RecordStore | null; readonly logger: Logger }) {
    this.#store = options.store;
    this.#logger = options.logger;
  }

  get size(): number {
    return this.#kept.size;
  }

  get paused(): boolean {
    return this.#paused;
  }

  /** Content and CID. */
  entries(): IterableIterator<[string, string]> {
    return this.#kept.entries();
  }

  has(content: string): boolean {
    return this.#kept.has(content);
  }

  /** Never rejects: what cannot be read has to be asked for again. */
  async load(): Promise<void> {
    try {
      const rows = (await this.#store?.rows('documents'))?.rows ?? [];
      const text = rows.find(({ id }) => id === documentId)?.text;
      if (text === undefined) return;
      const document = documentSchema.safeParse(JSON.parse(text));
      if (!document.success) return;
      for (const [content, cid] of document.data.kept) this.#kept.set(content, cid);
      this.#paused = document.data.paused;
    } catch (error) {
      this.#logger.warn('contents-not-read', {
        detail: error instanceof Error ? error.message : String(error),
      });
    }
  }

  /** How many of them changed; those beyond the most are left out. */
  set(contents: readonly { readonly content: string; readonly cid: string }[], kept: boolean): number {
    let changed = 0;
    for (const { content, cid } of contents) {
      if (this.#kept.has(content) === kept) continue;
      if (!kept) this.#kept.delete(content);
      else if (this.#kept.size < mostKept) this.#kept.set(content, cid);
      else break;
      changed += 1;
    }
    if (changed > 0) this.#write();
    return changed;
  }

  pause(paused: boolean): void {
    this.#paused = paused;
    this.#write();
  }

  async settled(): Promise<void> {
    await this.#writing;
  }

  /** While a write is under way, once more after it. */
  #write(): void {
    const store = this.#store;
    if (store === null || this.#writeAgain) return;
    this.#writeAgain = true;
    this.#writing = this.#writing.then(async () => {
      this.#writeAgain = false;
      const text = JSON.stringify({ version: 1, kept: [...this.#kept], paused: this.#paused });
      try {
        await store.write([{ table: 'documents', id: documentId, text }]);
      } catch (error) {
        this.#logger.warn('contents-wanted-not-written', {
          detail: error instanceof Error ? error.message : String(error),
        });
      }
    });
  }
}
