import { z } from 'zod';
import { shiftEntrySchema, type ShiftEntry, type Watch } from '../../../../src-preload/contract/index.ts';
import type { RecordRow, RecordRows } from '../../vault/records.ts';
import { parsedText } from './parsedText.ts';

/** So many lines of a shift are kept; of the oldest beyond them a count. */
export const mostEntries = 10_000;
const headId = 'head';
const digits = 12;

/** `next`: the number of the next line. `handedOver`: the line after which the next shift's begin. */
const headSchema = z.strictObject({
  version: z.literal(1),
  startedAt: z.number(),
  folded: z.int().min(0),
  handedOver: z.strictObject({ at: z.number(), number: z.int().min(0) }).nullable(),
});
type Head = z.infer<typeof headSchema>;

interface Line {
  readonly number: number;
  readonly entry: ShiftEntry;
}

/** How a list stood, for a change that could not be written. */
export interface ShiftMark {
  readonly head: Head | null;
  readonly lines: readonly Line[];
  readonly next: number;
}

/**
 * The log of the present shift of one vault: lines that are only ever added, each a row of its own, and a
 * head. Each change answers with the rows to write for it.
 */
export class ShiftLog {
  #head: Head | null = null;
  #lines: readonly Line[] = [];
  #next = 1;

  /** Takes up what is kept; answers how many rows cannot be read. */
  load({ rows, damaged }: RecordRows): number {
    let unreadable = damaged;
    const lines: Line[] = [];
    for (const { id, text } of rows) {
      const value = parsedText(text);
      if (id === headId) {
        this.#head = headSchema.safeParse(value).data ?? null;
        if (this.#head === null) unreadable += 1;
        continue;
      }
      const entry = shiftEntrySchema.safeParse(value).data;
      if (entry && /^[0-9]{12}$/.test(id)) lines.push({ number: Number(id), entry });
      else unreadable += 1;
    }
    this.#lines = lines;
    this.#next = (lines.at(-1)?.number ?? 0) + 1;
    const first = lines[0]?.entry;
    // Lines without their head are a shift all the same: what it began with is their first.
    if (this.#head === null && first) this.#head = plainHead(first.at);
    return unreadable;
  }

  get state(): Watch['shift'] {
    if (this.#head === null) return null;
    const { startedAt, folded, handedOver } = this.#head;
    return { startedAt, entries: this.#lines.length, folded, handedOverAt: handedOver?.at ?? null };
  }

  get mark(): ShiftMark {
    return { head: this.#head, lines: this.#lines, next: this.#next };
  }

  /** Takes back what was changed since. */
  restore({ head, lines, next }: ShiftMark): void {
    this.#head = head;
    this.#lines = lines;
    this.#next = next;
  }

  /** Oldest first. */
  get entries(): readonly ShiftEntry[] {
    return this.#lines.map(({ entry }) => entry);
  }

  /** The latest first. */
  read(from: number, count: number): { total: number; entries: ShiftEntry[] } {
    const total = this.#lines.length;
    const page = this.#lines.slice(Math.max(0, total - from - count), Math.max(0, total - from));
    return { total, entries: page.map(({ entry }) => entry).reverse() };
  }

  /** Begins a shift. Lines that came after the last one was handed over are its first. */
  begin(at: number, username: string): RecordRow[] {
    const after = this.#head?.handedOver ?? null;
    const kept = after === null ? [] : this.#lines.filter(({ number }) => number > after.number);
    const gone = this.#lines.slice(0, this.#lines.length - kept.length);
    this.#head = plainHead(kept.length > 0 && after ? after.at : at);
    this.#lines = kept;
    const began = { ...plainEntry, at, username, kind: 'shift-began' } as const;
    return [...gone.map(({ number }) => removal(number)), ...this.add([began])];
  }

  /** Adds lines, and folds the oldest beyond the limit into a count. */
  add(entries: readonly ShiftEntry[]): RecordRow[] {
    const [first] = entries;
    if (!first) return [];
    this.#head ??= plainHead(first.at);
    const added = entries.map((entry, at) => ({ number: this.#next + at, entry }));
    this.#next += added.length;
    const all = [...this.#lines, ...added];
    const over = all.slice(0, Math.max(0, all.length - mostEntries));
    this.#lines = all.slice(over.length);
    this.#head = { ...this.#head, folded: this.#head.folded + over.length };
    const written = added.filter(({ number }) => number >= (this.#lines[0]?.number ?? 0));
    return [this.#headRow(this.#head), ...over.map(({ number }) => removal(number)), ...written.map(rowOf)];
  }

  /** The report was made: what comes from now on belongs to the next shift. */
  handOver(at: number, username: string): RecordRow[] {
    const rows = this.add([{ ...plainEntry, at, username, kind: 'handed-over' }]);
    this.#head = { ...(this.#head ?? plainHead(at)), handedOver: { at, number: this.#next - 1 } };
    return [...rows, this.#headRow(this.#head)];
  }

  #headRow(head: Head): RecordRow {
    return { table: 'shift', id: headId, text: JSON.stringify(head) };
  }
}

const plainEntry = { subject: null, alarm: null, incidentId: null, outcome: null } as const;
const plainHead = (startedAt: number): Head => ({ version: 1, startedAt, folded: 0, handedOver: null });
const idOf = (number: number): string => String(number).padStart(digits, '0');
const removal = (number: number): RecordRow => ({ table: 'shift', id: idOf(number), text: null });
const rowOf = ({ number, entry }: Line): RecordRow => ({
  table: 'shift',
  id: idOf(number),
  text: JSON.stringify(entry),
});
