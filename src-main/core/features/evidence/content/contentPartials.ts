import { z } from 'zod';
import { parsedJson } from '../../../base/json.ts';
import type { Spool } from '../../../vault/records.ts';

/** `blocks`: every byte was verified against the CID. `bytes`: they still have to be verified. */
export type PartialForm = 'blocks' | 'bytes';

/** The stored beginning of a file whose fetch broke off. */
export interface ContentPartial {
  /** The vault's file, 16 hexadecimal digits. */
  readonly id: string;
  readonly content: string;
  readonly form: PartialForm;
  readonly bytes: number;
}

/** The vault seals pieces of this size. A shorter beginning cannot be stored. */
export const pieceBytes = 1024 * 1024;
/** The most beginnings that are stored: each may be as large as a file. */
const mostPartials = 16;

/** The note beside an unfinished file, sealed like the file. */
const noteSchema = z.strictObject({
  version: z.literal(1),
  partial: z.literal(true),
  content: z.string().max(256),
  form: z.enum(['blocks', 'bytes']),
});

/** Beginnings of evidence files whose fetch broke off, by a kill or a silent gateway. The next fetch continues them. */
export class ContentPartials {
  readonly #spool: Spool;
  /** By content, the oldest first. */
  readonly #left = new Map<string, ContentPartial>();

  constructor(spool: Spool) {
    this.#spool = spool;
  }

  /** The total of all of them. */
  get bytes(): number {
    return [...this.#left.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  get ids(): ReadonlySet<string> {
    return new Set([...this.#left.values()].map(({ id }) => id));
  }

  /**
   * Reads what an earlier process left; of two for the same content, the longer one. `isStored`: the whole file is
   * stored, and the beginning is not needed.
   */
  async load(
    notes: ReadonlyMap<string, string | null>,
    isStored: (content: string) => boolean,
  ): Promise<void> {
    const sizes = await this.#spool.partials();
    for (const [id, bytes] of sizes) {
      const note = readNote(notes.get(id) ?? null);
      if (note === null || bytes <= 0 || isStored(note.content)) continue;
      if ((this.#left.get(note.content)?.bytes ?? 0) < bytes)
        this.#left.set(note.content, { id, bytes, ...note });
    }
    await this.#bound();
  }

  /** Notes the content of a file when its first piece is stored. */
  async note(id: string, content: string, form: PartialForm): Promise<void> {
    const note: z.infer<typeof noteSchema> = { version: 1, partial: true, content, form };
    await this.#spool.writeSidecar(id, JSON.stringify(note));
  }

  /** Hands one out. It no longer counts here, and must be given back or removed. */
  take(content: string): ContentPartial | null {
    const partial = this.#left.get(content) ?? null;
    this.#left.delete(content);
    return partial;
  }

  async give(partial: ContentPartial): Promise<void> {
    this.#left.set(partial.content, partial);
    await this.#bound();
  }

  read({ id }: ContentPartial): AsyncIterable<Uint8Array> {
    return this.#spool.readPartial(id);
  }

  /** Never rejects: the next start removes what stays. */
  async remove(partial: ContentPartial): Promise<void> {
    if (this.#left.get(partial.content)?.id === partial.id) this.#left.delete(partial.content);
    await this.#spool.remove(partial.id).catch(() => undefined);
  }

  /** The oldest, which is removed first when room is needed. */
  earliest(): ContentPartial | null {
    const [first = null] = this.#left.values();
    return first;
  }

  async #bound(): Promise<void> {
    for (
      let first = this.earliest();
      first !== null && this.#left.size > mostPartials;
      first = this.earliest()
    )
      await this.remove(first);
  }
}

function readNote(text: string | null): Pick<ContentPartial, 'content' | 'form'> | null {
  const note = noteSchema.safeParse(parsedJson(text)).data;
  return note === undefined ? null : { content: note.content, form: note.form };
}
