import { createHash } from 'node:crypto';
import { z } from 'zod';
import { mostPins, noteSchema } from '../../../../src-preload/contract/index.ts';
import { parsedJson } from '../../base/json.ts';
import type { RecordRow, RecordRows } from '../../vault/records.ts';

const rowSchema = z.strictObject({
  version: z.literal(1),
  number: z.int().min(0),
  incidentId: noteSchema.shape.incidentId,
});
type Row = z.infer<typeof rowSchema>;

/** An incident's id is opaque and may be long, so the row's id is a digest. */
const rowId = (incidentId: string): string => createHash('sha256').update(incidentId, 'utf8').digest('hex');

/** The pinned incidents of one vault, in the order of pinning. */
export class PinList {
  #rows: readonly Row[] = [];

  /** Reads the stored rows. Returns how many of them cannot be read. */
  load({ rows, damaged }: RecordRows): number {
    const read = rows.map(({ text }) => rowSchema.safeParse(parsedJson(text)).data);
    const whole = read.filter((row) => row !== undefined);
    this.#rows = whole.toSorted((a, b) => a.number - b.number).slice(0, mostPins);
    return damaged + read.length - whole.length;
  }

  get incidentIds(): string[] {
    return this.#rows.map(({ incidentId }) => incidentId);
  }

  get isFull(): boolean {
    return this.#rows.length >= mostPins;
  }

  has(incidentId: string): boolean {
    return this.#rows.some((row) => row.incidentId === incidentId);
  }

  /** The row that pins the incident, or removes its pin. */
  rowOf(incidentId: string, pinned: boolean): RecordRow {
    const text = pinned ? JSON.stringify(this.#next(incidentId)) : null;
    return { table: 'pins', id: rowId(incidentId), text };
  }

  /** The change was written. */
  put(incidentId: string, pinned: boolean): void {
    const others = this.#rows.filter((row) => row.incidentId !== incidentId);
    this.#rows = pinned ? [...others, this.#next(incidentId)] : others;
  }

  #next(incidentId: string): Row {
    return { version: 1, number: (this.#rows.at(-1)?.number ?? 0) + 1, incidentId };
  }
}
