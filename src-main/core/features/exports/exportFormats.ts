import type {
  ExportFormat,
  PaperSize,
  SeverityScale,
  Wording,
} from '../../../../src-preload/contract/index.ts';
import { csvFormat } from './csv.ts';
import type { ExportFacts, FindIncident } from './exportFacts.ts';
import { geojsonFormat } from './geojson.ts';
import { gpxFormat } from './gpx.ts';
import { kmlFormat } from './kml.ts';
import { writeSheet, type SheetPress } from './sheet/sheet.ts';
import { writeText, type ExportTally } from './textFormat.ts';

/** What is to be written, as the operator chose it. */
export interface ExportOrder {
  readonly format: ExportFormat;
  readonly incidents: number;
  readonly filters: string;
  readonly byteOrderMark: boolean;
  readonly paper: PaperSize;
  /** In whose words a sheet is written; English without. */
  readonly wording?: Wording | undefined;
}

export interface ExportWriting {
  readonly order: ExportOrder;
  readonly facts: ExportFacts;
  readonly scale: SeverityScale;
  readonly keys: Uint32Array;
  /** The map as a PNG; null where there is none. */
  readonly picture: Uint8Array | null;
  readonly find: FindIncident;
  readonly press: SheetPress;
  /** Ends the drawing of a sheet. */
  readonly signal: AbortSignal;
  /** Hears of each piece before it leaves. */
  readonly onTally: (tally: ExportTally) => void;
}

export const mediaTypes: Readonly<Record<ExportFormat, string>> = {
  geojson: geojsonFormat.mediaType,
  csv: csvFormat({ byteOrderMark: false }).mediaType,
  kml: kmlFormat.mediaType,
  gpx: gpxFormat.mediaType,
  pdf: 'application/pdf',
};

/** The file in pieces. Begins when it is first asked for a piece. */
export function writeExport(writing: ExportWriting): AsyncGenerator<Uint8Array, void, undefined> {
  const { format, byteOrderMark } = writing.order;
  switch (format) {
    case 'geojson':
      return writeText({ ...writing, format: geojsonFormat });
    case 'csv':
      return writeText({ ...writing, format: csvFormat({ byteOrderMark }) });
    case 'kml':
      return writeText({ ...writing, format: kmlFormat });
    case 'gpx':
      return writeText({ ...writing, format: gpxFormat });
    case 'pdf':
      return writeSheet(writing);
  }
}

/** `harbour-incidents-20261122-1402.csv`: what it is of, and when in UTC it was made. */
export function exportFileName(options: {
  readonly deploymentId: string;
  readonly format: ExportFormat;
  readonly at: number;
}): string {
  const minute = new Date(options.at).toISOString().slice(0, 16).replaceAll(/[-:]/g, '').replace('T', '-');
  return `${options.deploymentId.slice(0, 128)}-incidents-${minute}.${options.format}`;
}
