import type { PaperSize, SeverityName, Wording } from '../../../../../src-preload/contract/index.ts';
import type { ExportFacts } from '../exportFacts.ts';

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
