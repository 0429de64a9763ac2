import * as mgrs from 'mgrs';
import type { StoredIncident } from '../vault/incidentCache.ts';
import { drawnSeverities, severityNameOf, type SeverityName } from './severities.ts';
import type { SheetText } from './sheetText.ts';

export const ink = '#1c2024';
export const quietInk = '#60646c';
export const rule = '#c4c6cc';

/** Points. */
export const rowHeight = 15;
export const headHeight = 18;
const size = 7.5;

interface Column {
  readonly title: string;
  /** Its share of the width. */
  readonly share: number;
  readonly text: (incident: StoredIncident, timeText: (at: number) => string) => string;
}

const columns: readonly Column[] = [
  { title: 'Severity', share: 11, text: ({ record }) => record.severity },
  { title: 'Type', share: 22, text: ({ record }) => record.incidentType },
  {
    title: 'Status',
    share: 18,
    text: ({ record, notReturnedSince }) =>
      notReturnedSince === null ? record.status : `${record.status}, not returned`,
  },
  { title: 'Created', share: 22, text: ({ record }, timeText) => timeText(record.createdAt) },
  { title: 'Latitude, longitude', share: 20, text: ({ record }) => placeText(record.location) },
  { title: 'MGRS', share: 20, text: ({ record }) => mgrsText(record.location) },
];
const shares = columns.reduce((sum, { share }) => sum + share, 0);

type Place = { readonly latitude: number; readonly longitude: number } | null;

/** Five decimals, about a metre. */
const placeText = (place: Place): string =>
  place === null ? 'no location' : `${place.latitude.toFixed(5)}, ${place.longitude.toFixed(5)}`;

/** Node reads the package as CommonJS, all of which is its default export; the bundler by its names. */
const { forward } = (Reflect.get(mgrs, 'default') ?? mgrs) as Pick<typeof mgrs, 'forward'>;

/** To a metre; nothing beyond the latitudes that MGRS divides into zones. */
export function mgrsText(place: Place): string {
  if (place === null || place.latitude < -80 || place.latitude >= 84) return '';
  // The last zone ends where the first one begins.
  const longitude = place.longitude === 180 ? -180 : place.longitude;
  const [, zone = '', square = '', digits = ''] =
    /^(\d{1,2}[A-Z])([A-Z]{2})(\d{10})$/.exec(forward([longitude, place.latitude], 5)) ?? [];
  return zone === '' ? '' : `${zone} ${square} ${digits.slice(0, 5)} ${digits.slice(5)}`;
}

/** Draws a severity's shape in a box of `side` points. */
export function drawSeverity(
  document: PDFKit.PDFDocument,
  name: SeverityName,
  at: { readonly x: number; readonly y: number; readonly side: number },
): void {
  const { path, colour } = drawnSeverities[name];
  document
    .save()
    .translate(at.x, at.y)
    .scale(at.side / 24)
    .path(path)
    .fill(`#${colour}`)
    .restore();
}

/** The list on a sheet: a line for its head, and one for each incident. Everything in points. */
export class SheetTable {
  readonly #document: PDFKit.PDFDocument;
  readonly #text: SheetText;
  readonly #x: number;
  readonly #width: number;

  constructor(options: {
    readonly document: PDFKit.PDFDocument;
    readonly text: SheetText;
    readonly x: number;
    readonly width: number;
  }) {
    this.#document = options.document;
    this.#text = options.text;
    this.#x = options.x;
    this.#width = options.width;
  }

  head(y: number): void {
    this.#document.fillColor(quietInk);
    this.#cells(y + 4, ({ title }) => title, 'strong');
    this.#line(y + headHeight, ink, 0.8);
  }

  row(y: number, incident: StoredIncident, timeText: (at: number) => string): void {
    drawSeverity(this.#document, severityNameOf(incident.record.severity), { x: this.#x, y: y + 3, side: 9 });
    this.#document.fillColor(ink);
    this.#cells(y + 3.5, ({ text }) => text(incident, timeText), 'regular');
    this.#line(y + rowHeight, rule, 0.4);
  }

  #cells(y: number, textOf: (column: Column) => string, face: 'regular' | 'strong'): void {
    const glyph = 14;
    let x = this.#x + glyph;
    for (const column of columns) {
      const width = ((this.#width - glyph) * column.share) / shares;
      this.#text.line(textOf(column), { x, y, width: width - 6 }, { size, face });
      x += width;
    }
  }

  #line(y: number, colour: string, thick: number): void {
    this.#document
      .moveTo(this.#x, y)
      .lineTo(this.#x + this.#width, y)
      .lineWidth(thick)
      .stroke(colour);
  }
}
