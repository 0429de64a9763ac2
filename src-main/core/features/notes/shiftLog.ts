import { z } from 'zod';
import { shiftEntrySchema, type ShiftEntry, type Watch } from '../../../../src-preload/contract/index.ts';
import { cappedText, parsedJson } from '../../base/json.ts';
import { bounded } from '../../base/messages/message.ts';
import type { RecordRow, RecordRows } from '../../vault/records.ts';
import type { ShiftLine } from '../context.ts';

/** The most lines of a shift. Older lines become a count. */
export const mostEntries = 10_000;
/** The longest subject of a line and the longest alarm sentence as JSON, UTF-16 units. */
const longestSubject = 4_000;
const headId = 'head';
const digits = 12;

/** `next`: the number of the next line. `handedOver`: the last line before the next shift. */
const headSchema = z.strictObject({
  version: z.literal(1),
  startedAt: z.number(),
  folded: z.int().min(0),
  handedOver: z.strictObject({ at: z.number(), number: z.int().min(0) }).nullable(),
});
type Head = z.infer<typeof headSchema>;

export function entryOf(
  { kind, subject = null, alarm = null, incidentId = null, outcome = null }: ShiftLine,
  by: Pick<ShiftEntry, 'at' | 'username'>,
): ShiftEntry {
  const capped = subject === null ? null : cappedText(subject, longestSubject);
  const said = alarm && bounded(alarm, longestSubject);
  return { ...by, kind, subject: capped, alarm: said, incidentId, outcome };
}

interface Line {
  readonly number: number;
  readonly entry: ShiftEntry;
}

/** The state of a list, to be restored when a change could not be written. */
export interface ShiftMark {
  readonly head: Head | null;
  readonly lines: readonly Line[];
  readonly next: number;
}

/**
 * The log of the present shift of one vault: lines that are only added, each in its row, and a head. Each change
 * returns the rows to write.
 */
export class ShiftLog {
  #head: Head | null = null;
  #lines: readonly Line[] = [];
  #next = 1;

  /** Reads the stored rows. Returns how many of them cannot be read. */
  load({ rows, damaged }: RecordRows): number {
    let unreadable = damaged;
    const lines: Line[] = [];
    for (const { id, text } of rows) {
      const value = parsedJson(text);
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
    // Lines without their head still are a shift. It began with the first of them.
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

  /** Restores the state of `ShiftMark`. */
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

  /** Begins a shift. Lines after the last handover are its first lines. */
  begin(at: number, username: string): RecordRow[] {
    const after = this.#head?.handedOver ?? null;
    const kept = after === null ? [] : this.#lines.filter(({ number }) => number > after.number);
    const gone = this.#lines.slice(0, this.#lines.length - kept.length);
    this.#head = plainHead(kept.length > 0 && after ? after.at : at);
    this.#lines = kept;
    const began = { ...plainEntry, at, username, kind: 'shift-began' } as const;
    return [...gone.map(({ number }) => removal(number)), ...this.add([began])];
  }

  /** Adds lines. Beyond the limit, the oldest become a count. */
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

  /** The report was made: later lines belong to the next shift. */
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
