import type { SeverityName } from '../../../../../src-preload/contract/index.ts';
import type { Formatter } from '../../../base/messages/formatter.ts';
import type { Places } from '../places.ts';
import { drawnSeverities } from '../severities.ts';
import type { SheetRow } from './sheetPress.ts';
import { foreign, type SheetText, type TextStyle } from './text.ts';

export const ink = '#1c2024';
export const quietInk = '#60646c';
export const rule = '#c4c6cc';

/** Points. */
export const rowHeight = 25;
export const headHeight = 28;
const [upperSize, lowerSize] = [8, 7];
const lineHeight = 10;
/** Room for a severity's shape before the first column. */
const glyphRoom = 14;

/** A cell: its line, and a quieter one under it. */
interface Cell {
  readonly upper: string;
  readonly lower?: string;
  /** Coordinates are read from left to right in every language. */
  readonly direction?: 'ltr';
}

interface Column {
  /** Its share of the width. */
  readonly share: number;
  readonly title: Cell;
  readonly cell: (row: SheetRow) => Cell;
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

/** The list on a sheet: a head, and two lines for each incident. Everything in points. */
export class SheetTable {
  readonly #document: PDFKit.PDFDocument;
  readonly #text: SheetText;
  readonly #x: number;
  readonly #width: number;
  readonly #columns: readonly Column[];

  constructor(options: {
    readonly document: PDFKit.PDFDocument;
    readonly text: SheetText;
    readonly formatter: Formatter;
    readonly places: Places;
    readonly x: number;
    readonly width: number;
  }) {
    this.#document = options.document;
    this.#text = options.text;
    this.#x = options.x;
    this.#width = options.width;
    this.#columns = columnsOf(options.formatter, options.places);
  }

  head(y: number): void {
    this.#cells(y + 4, ({ title }) => title, { face: 'strong', colour: quietInk });
    this.#line(y + headHeight, ink, 0.8);
  }

  row(y: number, row: SheetRow): void {
    const side = 10;
    const x = this.#text.left(this.#x, side);
    drawSeverity(this.#document, row.mark, { x, y: y + 3.5, side });
    this.#cells(y + 3.5, ({ cell }) => cell(row), { face: 'regular', colour: ink });
    this.#line(y + rowHeight, rule, 0.4);
  }

  #cells(y: number, cellOf: (column: Column) => Cell, style: Pick<TextStyle, 'face' | 'colour'>): void {
    let x = this.#x + glyphRoom;
    for (const column of this.#columns) {
      const width = (this.#width - glyphRoom) * column.share;
      const { upper, lower = '', direction } = cellOf(column);
      const at = { x, y, width: width - 8 };
      const way = direction ? { direction } : {};
      this.#text.line(upper, at, { ...style, ...way, size: upperSize });
      if (lower !== '') {
        this.#text.line(lower, { ...at, y: y + lineHeight }, { colour: quietInk, ...way, size: lowerSize });
      }
      x += width;
    }
  }

  #line(y: number, colour: string, thick: number): void {
    const left = this.#text.left(this.#x, this.#width);
    this.#document
      .moveTo(left, y)
      .lineTo(left + this.#width, y)
      .lineWidth(thick)
      .stroke(colour);
  }
}

function columnsOf(formatter: Formatter, places: Places): readonly Column[] {
  const form = places.format?.toUpperCase();
  return [
    {
      share: 0.12,
      title: { upper: formatter.format('sheet.columns.severity') },
      cell: ({ severity }) => ({ upper: formatter.known(severity) ?? foreign(severity) }),
    },
    {
      share: 0.33,
      title: { upper: formatter.format('sheet.columns.type'), lower: formatter.format('sheet.columns.id') },
      cell: ({ incidentType, id }) => ({ upper: foreign(incidentType), lower: foreign(id) }),
    },
    {
      share: 0.16,
      title: { upper: formatter.format('sheet.columns.status') },
      cell: ({ status, notReturned }) => {
        const word = formatter.known(status) ?? foreign(status);
        return notReturned ? { upper: word, lower: formatter.format('sheet.notReturned') } : { upper: word };
      },
    },
    {
      share: 0.14,
      title: { upper: formatter.format('sheet.columns.created') },
      cell: ({ createdAt }) => ({ upper: formatter.day(createdAt), lower: formatter.clockTime(createdAt) }),
    },
    {
      share: 0.25,
      title: { upper: formatter.format('sheet.columns.place'), ...(form ? { lower: form } : {}) },
      cell: ({ place }) =>
        place === null
          ? { upper: formatter.format('sheet.noLocation') }
          : { upper: places.degrees(place), lower: places.asShown(place) ?? '', direction: 'ltr' },
    },
  ];
}
