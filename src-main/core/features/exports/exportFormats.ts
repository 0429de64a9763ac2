import type {
  ExportFormat,
  ExportSubject,
  PaperFormat,
  SeverityScale,
} from '../../../../src-preload/contract/index.ts';
import { csvFormat } from './csv.ts';
import type { ExportFacts, FindIncident } from './exportFacts.ts';
import type { ExportOrder } from './exportJob.ts';
import { geojsonFormat } from './geojson.ts';
import { gpxFormat } from './gpx.ts';
import { kmlFormat } from './kml.ts';
import { writeText, type ExportTally } from './textFormat.ts';

export interface ExportWriting {
  readonly facts: ExportFacts;
  readonly scale: SeverityScale;
  readonly keys: Uint32Array;
  readonly find: FindIncident;
  /** Called for each piece before the reader gets it. */
  readonly onTally: (tally: ExportTally) => void;
}

export const mediaTypes: Readonly<Record<ExportFormat, string>> = {
  geojson: geojsonFormat.mediaType,
  csv: csvFormat({ byteOrderMark: false }).mediaType,
  kml: kmlFormat.mediaType,
  gpx: gpxFormat.mediaType,
  html: 'text/html; charset=utf-8',
  pdf: 'application/pdf',
};

type DataFormat = Exclude<ExportFormat, PaperFormat>;

/** The file for programs, in pieces. Starts when its first piece is requested. */
export function writeExport(
  format: DataFormat,
  { byteOrderMark }: Pick<ExportOrder, 'byteOrderMark'>,
  writing: ExportWriting,
): AsyncGenerator<Uint8Array, void, undefined> {
  switch (format) {
    case 'geojson':
      return writeText({ ...writing, format: geojsonFormat });
    case 'csv':
      return writeText({ ...writing, format: csvFormat({ byteOrderMark }) });
    case 'kml':
      return writeText({ ...writing, format: kmlFormat });
    case 'gpx':
      return writeText({ ...writing, format: gpxFormat });
  }
}

/** `harbour-incidents-20261122-1402.csv`: the content, and the time in UTC. */
export function exportFileName(options: {
  readonly deploymentId: string;
  readonly subject: ExportSubject;
  readonly format: ExportFormat;
  readonly at: number;
}): string {
  const minute = new Date(options.at).toISOString().slice(0, 16).replaceAll(/[-:]/g, '').replace('T', '-');
  return `${options.deploymentId.slice(0, 128)}-${options.subject}-${minute}.${options.format}`;
}
