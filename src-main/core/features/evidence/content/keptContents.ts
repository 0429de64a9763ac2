import { z } from 'zod';
import { parsedJson } from '../../../base/json.ts';
import { PersistedDocument, type DocumentAccount } from '../../../vault/persistedDocument.ts';

/** A CID usually has 59 characters: the list stays under a megabyte. */
const mostKept = 10_000;
const documentSchema = z.object({
  version: z.literal(1),
  /** The content, and its CID as the list of evidence spells it. */
  kept: z.array(z.tuple([z.string().max(256), z.string().max(256)])).max(mostKept),
});

/** The contents marked to stay on this computer, in the order of marking, stored here or not. Survives a restart. */
export class KeptContents {
  readonly #kept = new Map<string, string>();
  readonly #document: PersistedDocument;
  #isLoaded = false;

  constructor(account: DocumentAccount) {
    this.#document = new PersistedDocument(account, 'evidence-kept', () =>
      JSON.stringify({ version: 1, kept: [...this.#kept] }),
    );
  }

  get size(): number {
    return this.#kept.size;
  }

  /** How many more can be marked. */
  get room(): number {
    return mostKept - this.#kept.size;
  }

  /** Content and CID. */
  entries(): IterableIterator<[string, string]> {
    return this.#kept.entries();
  }

  has(content: string): boolean {
    return this.#kept.has(content);
  }

  /** Merges the stored list with what was marked meanwhile. Never rejects. */
  async load(): Promise<void> {
    const stored = readKept(await this.#document.restore());
    const changed = this.#kept.size > 0;
    this.#isLoaded = true;
    for (const [content, cid] of stored) if (this.#kept.size < mostKept) this.#kept.set(content, cid);
    if (changed) this.#document.note();
  }

  /** Returns how many changed. Those beyond the limit are left out. */
  set(contents: readonly { readonly content: string; readonly cid: string }[], kept: boolean): number {
    let changed = 0;
    for (const { content, cid } of contents) {
      if (this.#kept.has(content) === kept) continue;
      if (!kept) this.#kept.delete(content);
      else if (this.#kept.size < mostKept) this.#kept.set(content, cid);
      else break;
      changed += 1;
    }
    // Not before `load`: that would overwrite the stored list.
    if (changed > 0 && this.#isLoaded) this.#document.note();
    return changed;
  }
}

/** A document of another version, or a damaged one, counts as empty: the operator has to mark again. */
const readKept = (text: string | null): z.infer<typeof documentSchema>['kept'] =>
  documentSchema.safeParse(parsedJson(text)).data?.kept ?? [];
