import PDFDocument from 'pdfkit';
import type { ExportFacts } from './exportFacts.ts';
import type { ExportWriting } from './exportFormats.ts';
import {
  ageText,
  completenessText,
  countedText,
  countsText,
  countText,
  readableInstant,
  trainingWords,
} from './exportWords.ts';
import { severityNameOf, severityNames, type SeverityName } from './severities.ts';
import { drawSeverity, headHeight, ink, quietInk, rowHeight, rule, SheetTable } from './sheetTable.ts';
import { SheetText } from './sheetText.ts';
import { pngSides } from './spooled.ts';
import { Turns } from './turns.ts';

/** A sheet is for people: so many rows are listed at most. */
export const mostListedRows = 2_000;

/** Points. */
const margin = 36;
const bandHeight = 18;
const footHeight = 24;
const tallestPicture = 300;

/** A PDF for printing: head, how old and how complete the data are, map, counts, list. */
export async function* writeSheet(
  writing: Omit<ExportWriting, 'order'> & { readonly order: { readonly paper: 'a4' | 'letter' } },
): AsyncGenerator<Uint8Array, void, undefined> {
  const { facts, keys, find, onTally } = writing;
  const sheet = new Sheet(writing);
  const turns = new Turns();
  let [written, gone] = [0, 0];
  const listed = Math.min(keys.length, mostListedRows);
  for (let at = 0; at < listed; at += 1) {
    if (turns.over) {
      onTally({ written, leftOut: 0, gone });
      await turns.next();
    }
    const incident = find(keys[at] as number);
    if (incident === null) gone += 1;
    else {
      sheet.row(incident);
      written += 1;
    }
  }
  const leftOut = keys.length - listed;
  sheet.foot(leftOut);
  await turns.next();
  onTally({ written, leftOut, gone });
  yield* sheet.end(facts);
}

/** `2026-11-22 14:02 UTC`, or the same on the computer's own clock face with its offset. */
export function sheetTime(at: number, zone: ExportFacts['zone']): string {
  if (zone === 'utc') return readableInstant(at).replace(/:\d\d UTC$/, ' UTC');
  const offset = -new Date(at).getTimezoneOffset();
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  const sign = offset < 0 ? '-' : '+';
  return `${readableInstant(at + offset * 60_000).slice(0, 16)} ${sign}${two(hours)}:${two(minutes)}`;
}

class Sheet {
  readonly #document: PDFKit.PDFDocument;
  readonly #pieces: Uint8Array[] = [];
  readonly #text: SheetText;
  readonly #table: SheetTable;
  readonly #facts: ExportFacts;
  readonly #width: number;
  readonly #bottom: number;
  readonly #timeText: (at: number) => string;
  #y = 0;

  constructor({ facts, order, picture }: Parameters<typeof writeSheet>[0]) {
    this.#facts = facts;
    this.#timeText = (at) => sheetTime(at, facts.zone);
    this.#document = new PDFDocument({
      size: order.paper === 'a4' ? 'A4' : 'LETTER',
      margin: 0,
      bufferPages: true,
      autoFirstPage: false,
      lang: 'en',
      displayTitle: true,
      // No face of the program's own: those lie in files that a bundle does not have.
      font: null as unknown as string,
      info: {
        Title: `Incidents, ${facts.deployment}${facts.training ? ` (${trainingWords})` : ''}`,
        Author: facts.account,
        Creator: `Field Console ${facts.version}`,
        CreationDate: new Date(facts.madeAt),
      },
    });
    this.#document.on('data', (piece: Uint8Array) => void this.#pieces.push(piece));
    this.#text = new SheetText(this.#document);
    this.#page();
    const { width, height } = this.#document.page;
    this.#width = width - 2 * margin;
    this.#bottom = height - margin - footHeight;
    this.#table = new SheetTable({
      document: this.#document,
      text: this.#text,
      x: margin,
      width: this.#width,
    });
    this.#head();
    this.#trust();
    this.#picture(picture);
    this.#counts();
    this.#tableHead();
  }

  row(incident: Parameters<SheetTable['row']>[1]): void {
    if (this.#y + rowHeight > this.#bottom) {
      this.#page();
      this.#tableHead();
    }
    this.#table.row(this.#y, incident, this.#timeText);
    this.#y += rowHeight;
  }

  /** What stands under the list. */
  foot(leftOut: number): void {
    const { incidents } = this.#facts;
    if (leftOut === 0 && incidents > 0) return;
    if (this.#y + 28 > this.#bottom) this.#page();
    const words =
      incidents === 0
        ? 'There are no incidents under these filters.'
        : `The first ${countText(mostListedRows)} are listed; ${countedText(leftOut, 'incident is', 'incidents are')} left out. GeoJSON and CSV files hold all of them.`;
    this.#document.fillColor(ink);
    this.#line(words, this.#y + 10, 9, 'strong');
    this.#y += 28;
  }

  /** Numbers the pages and closes the file. */
  *end({ deployment, madeAt }: ExportFacts): Generator<Uint8Array, void, undefined> {
    const { count } = this.#document.bufferedPageRange();
    for (let page = 0; page < count; page += 1) {
      this.#document.switchToPage(page);
      this.#document.fillColor(quietInk);
      const at = { x: margin, y: this.#document.page.height - margin - 8, width: this.#width };
      const made = `${deployment}, made ${this.#timeText(madeAt)}`;
      this.#text.line(made, { ...at, width: at.width * 0.75 }, { size: 7.5 });
      this.#text.line(`Page ${page + 1} of ${count}`, at, { size: 7.5, align: 'end' });
    }
    this.#document.end();
    yield* this.#pieces;
  }

  #page(): void {
    this.#document.addPage();
    this.#y = margin;
    if (!this.#facts.training) return;
    const { width } = this.#document.page;
    this.#document.rect(0, 0, width, bandHeight).fill('#000000');
    this.#document.fillColor('#ffffff');
    this.#text.line(trainingWords, { x: margin, y: 5, width }, { size: 8, face: 'strong' });
    this.#y = bandHeight + 18;
  }

  #line(words: string, y: number, size: number, face: 'regular' | 'strong' = 'regular'): void {
    this.#text.line(words, { x: margin, y, width: this.#width }, { size, face });
  }

  #head(): void {
    const { deployment, account, madeAt, filters } = this.#facts;
    this.#document.fillColor(ink);
    this.#line(`Incidents, ${deployment}`, this.#y, 17, 'strong');
    this.#y += 25;
    this.#document.fillColor(quietInk);
    this.#line(`Made ${this.#timeText(madeAt)} by ${account}`, this.#y, 8.5);
    this.#y += 13;
    for (const words of this.#text.wrapped(`Filters: ${filters}`, 'regular', 8.5, this.#width, 4)) {
      this.#line(words, this.#y, 8.5);
      this.#y += 13;
    }
    this.#y += 6;
  }

  /** How far the sheet can be trusted, before anything that it shows. */
  #trust(): void {
    const inner = this.#width - 24;
    const lines = [ageText(this.#facts), completenessText(this.#facts)].flatMap((words) =>
      this.#text.wrapped(words, 'strong', 11, inner, 3),
    );
    const height = lines.length * 16 + 14;
    this.#document.rect(margin, this.#y, this.#width, height).lineWidth(0.8).stroke(ink);
    this.#document.rect(margin, this.#y, 5, height).fill(ink);
    this.#document.fillColor(ink);
    lines.forEach((words, at) => {
      this.#text.line(
        words,
        { x: margin + 16, y: this.#y + 9 + at * 16, width: inner },
        { size: 11, face: 'strong' },
      );
    });
    this.#y += height + 12;
  }

  #picture(picture: Uint8Array | null): void {
    const height = picture === null ? 0 : this.#drawn(picture);
    if (height > 0) {
      this.#y += height + 12;
      return;
    }
    this.#document.fillColor(quietInk);
    this.#line('The map is not on this sheet: it could not be drawn.', this.#y, 8.5);
    this.#y += 20;
  }

  /** Draws the map's picture; answers how high it is, 0 for what is no picture after all. */
  #drawn(picture: Uint8Array): number {
    const [across, down] = pngSides(picture);
    const scale = Math.min(this.#width / across, tallestPicture / down);
    const [width, height] = [across * scale, down * scale];
    try {
      this.#document.image(Buffer.from(picture), margin, this.#y, { width, height });
    } catch {
      return 0;
    }
    this.#document.rect(margin, this.#y, width, height).lineWidth(0.5).stroke(rule);
    return height;
  }

  #counts(): void {
    const counts = new Map<SeverityName, number>();
    for (const [severity, count] of this.#facts.severities) {
      const name = severityNameOf(severity);
      counts.set(name, (counts.get(name) ?? 0) + count);
    }
    const step = this.#width / severityNames.length;
    severityNames.forEach((name, at) => {
      const x = margin + at * step;
      drawSeverity(this.#document, name, { x, y: this.#y, side: 14 });
      this.#document.fillColor(ink);
      const words = `${countText(counts.get(name) ?? 0)} ${name === 'unknown' ? 'other' : name}`;
      this.#text.line(words, { x: x + 19, y: this.#y + 1.5, width: step - 22 }, { size: 10, face: 'strong' });
    });
    this.#y += 22;
    this.#document.fillColor(quietInk);
    this.#line(countsText(this.#facts), this.#y, 8.5);
    this.#y += 18;
  }

  #tableHead(): void {
    this.#table.head(this.#y);
    this.#y += headHeight;
  }
}
