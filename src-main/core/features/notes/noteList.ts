import { z } from 'zod';
import { mostNotes, noteSchema, type Note } from '../../../../src-preload/contract/index.ts';
import { parsedJson } from '../../base/json.ts';
import type { RecordRow, RecordRows } from '../../vault/records.ts';

/** `number`: the order of writing, which does not depend on clocks. */
const rowSchema = z.strictObject({ version: z.literal(1), number: z.int().min(0), note: noteSchema });
type Row = z.infer<typeof rowSchema>;

/** The notes of one vault. A note enters this list only when it is on the disk. */
export class NoteList {
  readonly #rows = new Map<string, Row>();
  #last = 0;
  /** The latest first; null after a change. */
  #ordered: readonly Note[] | null = null;

  /** Reads the stored rows. Returns how many of them cannot be read. */
  load({ rows, damaged }: RecordRows): number {
    let unreadable = damaged;
    for (const { id, text } of rows) {
      const row = rowSchema.safeParse(parsedJson(text)).data;
      if (row?.note.id === id) this.#rows.set(id, row);
      else unreadable += 1;
    }
    for (const { number } of this.#rows.values()) this.#last = Math.max(this.#last, number);
    this.#ordered = null;
    return unreadable;
  }

  get size(): number {
    return this.#rows.size;
  }

  get isFull(): boolean {
    return this.#rows.size >= mostNotes;
  }

  /** The latest first. */
  get notes(): readonly Note[] {
    this.#ordered ??= [...this.#rows.values()].sort((a, b) => b.number - a.number).map(({ note }) => note);
    return this.#ordered;
  }

  /** The incidents with notes, each once, the latest note first. */
  get incidentIds(): string[] {
    return [...new Set(this.notes.map(({ incidentId }) => incidentId))];
  }

  note(id: string): Note | null {
    return this.#rows.get(id)?.note ?? null;
  }

  /** The row that stores a note as given. A changed note keeps its number. */
  rowOf(note: Note): RecordRow {
    return { table: 'notes', id: note.id, text: JSON.stringify(this.#placed(note)) };
  }

  /** The note was written. */
  put(note: Note): void {
    const row = this.#placed(note);
    this.#last = Math.max(this.#last, row.number);
    this.#rows.set(note.id, row);
    this.#ordered = null;
  }

  /** The removal was written. */
  drop(id: string): void {
    this.#rows.delete(id);
    this.#ordered = null;
  }

  /** A page of the notes, the latest first: of one incident or, for null, of all; only those with `text` in them. */
  read(of: { readonly incidentId: string | null; readonly text: string }, from: number, count: number) {
    const sought = of.text.trim().toLowerCase();
    const notes = this.notes.filter(
      ({ incidentId, text }) =>
        (of.incidentId === null || of.incidentId === incidentId) &&
        (sought === '' || text.toLowerCase().includes(sought)),
    );
    return { total: notes.length, notes: notes.slice(from, from + count) };
  }

  #placed(note: Note): Row {
    return { version: 1, number: this.#rows.get(note.id)?.number ?? this.#last + 1, note };
  }
}
