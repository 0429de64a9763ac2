import type { ExportFormat, PaperFormat } from '../../../../src-preload/contract/index.ts';
import { csvFormat } from './csv.ts';
import type { ExportOrder, ExportWriting } from './exportOrder.ts';
import { geojsonFormat } from './geojson.ts';
import { gpxFormat } from './gpx.ts';
import { kmlFormat } from './kml.ts';
import { writeText } from './textFormat.ts';

export const mediaTypes: Readonly<Record<ExportFormat, string>> = {
  geojson: geojsonFormat.mediaType,
  csv: csvFormat({ byteOrderMark: false }).mediaType,
  kml: kmlFormat.mediaType,
  gpx: gpxFormat.mediaType,
  html: 'text/html; charset=utf-8',
  pdf: 'application/pdf',
};

type DataFormat = Exclude<ExportFormat, PaperFormat>;

/** A file for programs in pieces. Begins when it is first asked for a piece. */
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

/** `harbour-incidents-20261122-1402.csv`: what it is of, and when in UTC it was made. */
export function exportFileName(options: {
  readonly deploymentId: string;
  readonly format: ExportFormat;
  readonly at: number;
}): string {
  const minute = new Date(options.at).toISOString().slice(0, 16).replaceAll(/[-:]/g, '').replace('T', '-');
  return `${options.deploymentId.slice(0, 128)}-incidents-${minute}.${options.format}`;
}
