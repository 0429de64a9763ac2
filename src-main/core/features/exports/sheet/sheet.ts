import type {
  PaperSize,
  SeverityName,
  SeverityScale,
  Wording,
} from '../../../../../src-preload/contract/index.ts';
import type { StoredIncident } from '../../../state/incidentCache.ts';
import type { ExportFacts } from '../exportFacts.ts';
import type { ExportOrder, ExportWriting } from '../exportFormats.ts';
import { Yielding } from '../../../base/yielding.ts';

/** A sheet is for people: so many rows are listed at most. */
export const mostListedRows = 2_000;

const pieceBytes = 65_536;

/** Is told before and after what compresses; either may throw where the sheet is not wanted any more. */
export interface Compression {
  begin(): void;
  end(): void;
}

/** What the list on a sheet says of an incident. */
export interface SheetRow {
  readonly id: string;
  readonly severity: string;
  readonly mark: SeverityName;
  readonly incidentType: string;
  readonly status: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** Degrees, WGS 84. */
  readonly place: { readonly latitude: number; readonly longitude: number } | null;
  readonly notReturned: boolean;
}

/** All that stands on a sheet, as plain data that another thread can be given. */
export interface Sheet {
  readonly facts: ExportFacts;
  readonly paper: PaperSize;
  readonly wording: Wording | null;
  /** The map as an opaque PNG; null where there is none. */
  readonly picture: Uint8Array | null;
  readonly rows: readonly SheetRow[];
  /** Incidents that are not listed, for want of room. */
  readonly leftOut: number;
}

/**
 * Draws sheets, away from the thread that everything else runs on: a page full of text holds it up for
 * longer than a frame.
 */
export interface SheetPress {
  /**
   * The sheet as a PDF. Rejects with `SheetNotDrawn` when the thread that draws it dies, and when `signal` is
   * aborted.
   */
  print(sheet: Sheet, signal: AbortSignal): Promise<Uint8Array>;
}

/** Why there is no sheet. */
export class SheetNotDrawn extends Error {
  override readonly name = 'SheetNotDrawn';
}

/** A PDF for printing: head, how old and how complete the data are, map, counts, list. */
export async function* writeSheet(
  writing: Omit<ExportWriting, 'order'> & { readonly order: Pick<ExportOrder, 'paper' | 'wording'> },
): AsyncGenerator<Uint8Array, void, undefined> {
  const { facts, scale, keys, find, onTally, order, picture, press, signal } = writing;
  const rows: SheetRow[] = [];
  const yielding = new Yielding();
  const listed = Math.min(keys.length, mostListedRows);
  let gone = 0;
  for (let at = 0; at < listed; at += 1) {
    if (yielding.over) await yielding.next();
    const incident = find(keys[at] as number);
    if (incident === null) gone += 1;
    else rows.push(rowOf(incident, scale));
  }
  const leftOut = keys.length - listed;
  const { paper, wording = null } = order;
  const bytes = await press.print({ facts, paper, wording, picture, rows, leftOut }, signal);
  onTally({ written: rows.length, leftOut, gone });
  for (let at = 0; at < bytes.byteLength; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

const rowOf = ({ record, notReturnedSince }: StoredIncident, scale: SeverityScale): SheetRow => ({
  id: record.id,
  severity: record.severity,
  mark: scale.classOf(record.severity).mark,
  incidentType: record.incidentType,
  status: record.status,
  createdAt: record.createdAt,
  place: record.location && { latitude: record.location.latitude, longitude: record.location.longitude },
  notReturned: notReturnedSince !== null,
});
