/* eslint-disable words/literal-text -- English in every language: the name of the program on a sheet. */
import PDFDocument from 'pdfkit';
import { severitiesWorstFirst } from '../../../../../src-preload/contract/index.ts';
import { Formatter } from '../../../base/messages/formatter.ts';
import { ageText, completenessText, countsText } from '../exportMessages.ts';
import { Places } from '../places.ts';
import { pngSides } from '../spooled.ts';
import { facesFor, type Face, type FaceFile } from './faces.ts';
import { mostListedRows } from './sheet.ts';
import type { Compression, Sheet, SheetRow } from './sheetPress.ts';
import { drawSeverity, headHeight, ink, quietInk, rowHeight, rule, SheetTable } from './table.ts';
import { foreign, SheetText } from './text.ts';

/** Points. */
const margin = 36;
const bandHeight = 18;
const footHeight = 24;
const tallestPicture = 300;

/**
 * The PDF of a sheet; what `compression` throws, it rejects with. It takes a while for thousands of rows, without a pause: it belongs in a
 * thread of its own.
 */
export async function drawSheet(sheet: Sheet, compression?: Compression): Promise<Uint8Array<ArrayBuffer>> {
  const { facts, wording, rows } = sheet;
  const texts = JSON.stringify([facts.deployment, facts.account, facts.filters, wording, rows]);
  const drawing = new Drawing(sheet, await facesFor(texts), compression);
  for (const row of rows) drawing.row(row);
  drawing.foot();
  return await drawing.end();
}

class Drawing {
  readonly #document: PDFKit.PDFDocument;
  readonly #pieces: Uint8Array[] = [];
  readonly #sheet: Sheet;
  readonly #compression: Compression | undefined;
  readonly #formatter: Formatter;
  readonly #text: SheetText;
  readonly #table: SheetTable;
  readonly #width: number;
  readonly #bottom: number;
  #y = 0;

  constructor(sheet: Sheet, faces: readonly FaceFile[], compression?: Compression) {
    const { facts, wording, paper } = sheet;
    this.#sheet = sheet;
    this.#compression = compression;
    this.#formatter = new Formatter(wording, facts.zone);
    const { language, direction } = this.#formatter;
    this.#document = new PDFDocument({
      size: paper === 'a4' ? 'A4' : 'LETTER',
      margin: 0,
      bufferPages: true,
      autoFirstPage: false,
      lang: language,
      displayTitle: true,
      // No face of the program's own: those lie in files that a bundle does not have.
      font: null as unknown as string,
      info: {
        Title: [
          this.#title(facts.deployment),
          ...(facts.training ? [this.#formatter.format('sheet.training')] : []),
        ].join(': '),
        Author: facts.account,
        Creator: `Field Console ${facts.version}`,
        CreationDate: new Date(facts.madeAt),
      },
    });
    this.#document.on('data', (piece: Uint8Array) => void this.#pieces.push(piece));
    this.#text = new SheetText(this.#document, faces, direction);
    this.#page();
    const { width, height } = this.#document.page;
    this.#width = width - 2 * margin;
    this.#bottom = height - margin - footHeight;
    this.#table = new SheetTable({
      document: this.#document,
      text: this.#text,
      formatter: this.#formatter,
      places: new Places(wording?.places ?? null),
      x: margin,
      width: this.#width,
    });
    this.#head();
    this.#trust();
    this.#picture();
    this.#counts();
    this.#tableHead();
  }

  row(row: SheetRow): void {
    if (this.#y + rowHeight > this.#bottom) {
      this.#page();
      this.#tableHead();
    }
    this.#table.row(this.#y, row);
    this.#y += rowHeight;
  }

  /** What stands under the list. */
  foot(): void {
    const { facts, leftOut } = this.#sheet;
    if (leftOut === 0 && facts.incidents > 0) return;
    const words =
      facts.incidents === 0
        ? this.#formatter.format('sheet.empty')
        : this.#formatter.format('sheet.leftOut', { most: mostListedRows, n: leftOut });
    const lines = this.#text.wrapped(words, 'strong', 9, this.#width, 3);
    if (this.#y + 10 + lines.length * 13 > this.#bottom) this.#page();
    this.#y += 10;
    for (const line of lines) this.#line(line, 9, { face: 'strong', step: 13 });
  }

  /** Numbers the pages and closes the file. */
  async end(): Promise<Uint8Array<ArrayBuffer>> {
    const { deployment, madeAt } = this.#sheet.facts;
    const { count } = this.#document.bufferedPageRange();
    const made = this.#formatter.format('sheet.foot', {
      deployment: foreign(deployment),
      time: this.#formatter.instant(madeAt),
    });
    for (let page = 0; page < count; page += 1) {
      this.#document.switchToPage(page);
      const y = this.#document.page.height - margin - 8;
      const style = { size: 7.5, colour: quietInk };
      this.#text.line(made, { x: margin, y, width: this.#width * 0.75 }, style);
      const number = this.#formatter.format('sheet.page', { page: page + 1, pages: count });
      const at = { x: margin + this.#width * 0.75, y, width: this.#width * 0.25 };
      this.#text.line(number, at, { ...style, align: 'end' });
    }
    const ended = new Promise((resolve) => this.#document.once('end', resolve));
    // Pages and fonts are compressed here, all at once, and a picture at the latest here.
    this.#compression?.begin();
    this.#document.end();
    await ended;
    this.#compression?.end();
    return new Uint8Array(Buffer.concat(this.#pieces));
  }

  #title(deployment: string): string {
    return this.#formatter.format('sheet.title', { deployment });
  }

  #page(): void {
    this.#document.addPage();
    this.#y = margin;
    if (!this.#sheet.facts.training) return;
    const { width } = this.#document.page;
    this.#document.rect(0, 0, width, bandHeight).fill('#000000');
    this.#text.line(
      this.#formatter.format('sheet.training'),
      { x: margin, y: 5, width: width - 2 * margin },
      { size: 8, face: 'strong', colour: '#ffffff' },
    );
    this.#y = bandHeight + 18;
  }

  /** One line over the whole width, and `step` points down. */
  #line(
    words: string,
    size: number,
    { face = 'regular', colour = ink, step }: { face?: Face; colour?: string; step: number },
  ): void {
    this.#text.line(words, { x: margin, y: this.#y, width: this.#width }, { size, face, colour });
    this.#y += step;
  }

  #head(): void {
    const { deployment, account, madeAt, filters } = this.#sheet.facts;
    this.#line(this.#title(foreign(deployment)), 17, { face: 'strong', step: 25 });
    const made = this.#formatter.format('sheet.made', {
      time: this.#formatter.instant(madeAt),
      account: foreign(account),
    });
    this.#line(made, 8.5, { colour: quietInk, step: 13 });
    const narrowed = this.#formatter.format('sheet.filters', { filters: foreign(filters) });
    for (const words of this.#text.wrapped(narrowed, 'regular', 8.5, this.#width, 4)) {
      this.#line(words, 8.5, { colour: quietInk, step: 13 });
    }
    this.#y += 6;
  }

  /** How far the sheet can be trusted, before anything that it shows. */
  #trust(): void {
    const { facts } = this.#sheet;
    const inner = this.#width - 24;
    const lines = [ageText(facts, this.#formatter), completenessText(facts, this.#formatter)].flatMap(
      (words) => this.#text.wrapped(words, 'strong', 11, inner, 3),
    );
    const height = lines.length * 16 + 14;
    const left = this.#text.left(margin, this.#width);
    this.#document.rect(left, this.#y, this.#width, height).lineWidth(0.8).stroke(ink);
    this.#document.rect(this.#text.left(margin, 5), this.#y, 5, height).fill(ink);
    lines.forEach((words, at) => {
      this.#text.line(
        words,
        { x: margin + 16, y: this.#y + 9 + at * 16, width: inner },
        { size: 11, face: 'strong', colour: ink },
      );
    });
    this.#y += height + 12;
  }

  #picture(): void {
    const { picture } = this.#sheet;
    const height = picture === null ? 0 : this.#drawn(picture);
    if (height > 0) this.#y += height + 12;
    else this.#line(this.#formatter.format('sheet.noMap'), 8.5, { colour: quietInk, step: 20 });
  }

  /** Draws the map's picture; answers how high it is, 0 for what is no picture after all. */
  #drawn(picture: Uint8Array): number {
    const [across, down] = pngSides(picture);
    const scale = Math.min(this.#width / across, tallestPicture / down);
    const [width, height] = [across * scale, down * scale];
    const x = this.#text.left(margin, width);
    this.#compression?.begin();
    try {
      this.#document.image(Buffer.from(picture), x, this.#y, { width, height });
    } catch {
      return 0;
    } finally {
      this.#compression?.end();
    }
    this.#document.rect(x, this.#y, width, height).lineWidth(0.5).stroke(rule);
    return height;
  }

  #counts(): void {
    const { facts } = this.#sheet;
    const step = this.#width / severitiesWorstFirst.length;
    severitiesWorstFirst.forEach((name, at) => {
      const x = margin + at * step;
      drawSeverity(this.#document, name, { x: this.#text.left(x, 14), y: this.#y, side: 14 });
      const words = this.#formatter.format(`sheet.severities.${name}`, {
        count: facts.severities.get(name) ?? 0,
      });
      const style = { size: 10, face: 'strong', colour: ink } as const;
      this.#text.line(words, { x: x + 19, y: this.#y + 1.5, width: step - 22 }, style);
    });
    this.#y += 22;
    this.#line(countsText(facts, this.#formatter), 8.5, { colour: quietInk, step: 18 });
  }

  #tableHead(): void {
    this.#table.head(this.#y);
    this.#y += headHeight;
  }
}
