import { z } from 'zod';
import { PersistedDocument, type PersistedDocumentOptions } from '../../../vault/persistedDocument.ts';

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
 * whether the fetching of it is held back. A restart goes on with it.
 */
export class KeptContents {
  readonly #kept = new Map<string, string>();
  readonly #document: PersistedDocument;
  #isLoaded = false;
  #paused = false;

  constructor(options: Omit<PersistedDocumentOptions, 'id' | 'text'>) {
    this.#document = new PersistedDocument({
      ...options,
      id: 'evidence-kept',
      text: () => JSON.stringify({ version: 1, kept: [...this.#kept], paused: this.#paused }),
    });
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

  /** Takes up what is stored beside what was asked for meanwhile. Never rejects. */
  async load(): Promise<void> {
    const stored = readKept(await this.#document.restore());
    const changed = this.#kept.size > 0 || this.#paused;
    this.#isLoaded = true;
    this.#paused ||= stored.paused;
    for (const [content, cid] of stored.kept) if (this.#kept.size < mostKept) this.#kept.set(content, cid);
    if (changed) this.#document.note();
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
    if (changed > 0) this.#note();
    return changed;
  }

  pause(paused: boolean): void {
    this.#paused = paused;
    this.#note();
  }

  /** Not before it is loaded: what is stored would be written over. */
  #note(): void {
    if (this.#isLoaded) this.#document.note();
  }
}

/** What another version wrote, or a damaged document, is as nothing: it has to be asked for again. */
function readKept(text: string | null): z.infer<typeof documentSchema> {
  try {
    return documentSchema.parse(JSON.parse(text ?? 'null'));
  } catch {
    return { version: 1, kept: [], paused: false };
  }
}
