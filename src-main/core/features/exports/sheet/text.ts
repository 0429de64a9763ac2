import { fromLeftToRight, isolated, type Direction } from './direction.ts';
import type { Face, FaceFile } from './faces.ts';

type Document = PDFKit.PDFDocument;

/** How far Inter reaches over its line, of its size: all fonts stand on one line. */
const ascent = 0.97;
/** What no face has a glyph for. */
const missing = '\uFFFD';
const ellipsis = '…';
/** Signs without a shape of their own: line breaks, controls, and those that turn the direction of text. */
const shapeless = /[\u0000-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u2067\ufeff]+/g;

/** What another has written, as it may stand in a sentence of the console's own, or alone. */
export const foreign = (text: string): string => isolated(clean(text.replaceAll(/[\u2068\u2069]/g, ' ')));

interface Font {
  readonly name: string;
  readonly single: boolean;
  readonly has: (sign: number) => boolean;
}

interface Run {
  readonly font: Font;
  readonly text: string;
}

export interface TextStyle {
  readonly size: number;
  readonly face?: Face;
  readonly colour: string;
  /** In the direction of the sheet. */
  readonly align?: 'start' | 'end';
  /** Null: that of the first character that has one. By default that of the sheet. */
  readonly direction?: Direction | null;
}

/**
 * Text on a sheet, in Inter and, where a character needs it, in Noto. Scripts that neither has are drawn as
 * U+FFFD: the other formats hold every character.
 *
 * Places are those of a sheet that is read from left to right; on one that is not, the page is mirrored.
 */
export class SheetText {
  readonly #document: Document;
  readonly #direction: Direction;
  readonly #fonts: Readonly<Record<Face, readonly Font[]>>;
  readonly #widths = new Map<string, number>();

  constructor(document: Document, faces: readonly FaceFile[], direction: Direction) {
    this.#document = document;
    this.#direction = direction;
    const registered = faces.map((file) => ({ face: file.face, font: this.#register(file) }));
    const of = (face: Face): Font[] => registered.flatMap((one) => (one.face === face ? [one.font] : []));
    this.#fonts = { regular: of('regular'), strong: of('strong') };
  }

  /** Where a box `width` wide really begins that begins at `x` on a sheet read from left to right. */
  left(x: number, width: number): number {
    return this.#direction === 'ltr' ? x : this.#document.page.width - x - width;
  }

  /** Points. */
  width(text: string, face: Face, size: number): number {
    return this.#widthOf(this.#runs(clean(text), face, this.#direction), size);
  }

  /** One line at `x`, `y`, shortened to `width` where it is longer; all in points. */
  line(
    text: string,
    at: { readonly x: number; readonly y: number; readonly width: number },
    { face = 'regular', size, colour, align = 'start', direction = this.#direction }: TextStyle,
  ): void {
    const runs = this.#runs(this.#shortened(clean(text), face, size, at.width), face, direction);
    const left = this.left(at.x, at.width);
    const begins = (align === 'start') === (this.#direction === 'ltr');
    let x = begins ? left : left + at.width - this.#widthOf(runs, size);
    this.#document
      .fillColor(colour)
      .strokeColor(colour)
      .lineWidth(size / 32);
    for (const run of runs) {
      const stroke = run.font.single && face === 'strong';
      this.#document
        .font(run.font.name)
        .fontSize(size)
        .text(run.text, x, at.y + size * ascent, {
          baseline: 'alphabetic',
          lineBreak: false,
          ...whole(run),
          ...(stroke ? { fill: true, stroke } : {}),
        });
      x += this.#widthOf([run], size);
    }
  }

  /** A text broken between words into at most `most` lines, the last one shortened. */
  wrapped(text: string, face: Face, size: number, width: number, most: number): string[] {
    const lines: string[] = [];
    let line = '';
    for (const word of clean(text).split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (line !== '' && this.width(longer, face, size) > width) {
        lines.push(line);
        line = word;
      } else line = longer;
      if (lines.length === most) return [...lines.slice(0, -1), `${lines.at(-1) ?? ''} ${ellipsis}`];
    }
    return line === '' ? lines : [...lines, line];
  }

  #register({ name, base64, single }: FaceFile): Font {
    this.#document.registerFont(name, Buffer.from(base64, 'base64'));
    // The document keeps what it reads of a face to itself, and there is no other way to ask for a glyph.
    const opened = this.#document.font(name) as unknown as OpenedFont;
    const { font: glyphs, widths, scale } = opened._font;
    // It tells readers the width of what has no glyph in the font's own units, so that what follows is moved.
    widths[0] = (widths[0] ?? 0) * scale;
    const known = new Map<number, boolean>();
    const has = (sign: number): boolean => {
      const before = known.get(sign);
      if (before !== undefined) return before;
      const found = glyphs.hasGlyphForCodePoint(sign);
      known.set(sign, found);
      return found;
    };
    return { name, single, has };
  }

  /** Pieces of one font each, from left to right. */
  #runs(text: string, face: Face, direction: Direction | null): Run[] {
    const all = fromLeftToRight(text, direction).flatMap((stretch) => {
      const runs = this.#inFonts(stretch.text, face);
      if (!stretch.rightToLeft) return runs;
      // Letters of a script that runs to the left are turned where they are joined; signs alone are not.
      return runs.reverse().map(({ font, text: part }) => ({
        font,
        text: turnsItself.test(part) ? part : [...part].reverse().join(''),
      }));
    });
    return joined(all);
  }

  /** In reading order. A sign stays in the font of the one before it where that has it. */
  #inFonts(text: string, face: Face): Run[] {
    const runs: { font: Font; text: string }[] = [];
    const fonts = this.#fonts[face];
    const [fallback] = fonts;
    for (const sign of text) {
      const code = sign.codePointAt(0) ?? 0;
      const last = runs.at(-1);
      const font = last?.font.has(code) ? last.font : fonts.find(({ has }) => has(code));
      if (!font && joiners.has(sign)) continue;
      const [used, shown] = font ? [font, sign] : [fallback, missing];
      if (!used) continue;
      if (last?.font === used) last.text += shown;
      else runs.push({ font: used, text: shown });
    }
    return runs;
  }

  #widthOf(runs: readonly Run[], size: number): number {
    let width = 0;
    for (const run of runs) width += this.#widthOfOne(run);
    return width * size;
  }

  /** Of a run as large as a point: laying text out takes its time, and most of it comes again. */
  #widthOfOne(run: Run): number {
    const key = `${run.font.name} ${run.text}`;
    let width = this.#widths.get(key);
    if (width === undefined) {
      width = this.#document.font(run.font.name).fontSize(1_000).widthOfString(run.text, whole(run)) / 1_000;
      this.#widths.set(key, width);
    }
    return width;
  }

  #shortened(text: string, face: Face, size: number, width: number): string {
    // More can't stand in a line, and measuring it would take its time.
    const signs = [...text.slice(0, 400)];
    if (this.width(signs.join(''), face, size) <= width) return signs.join('');
    let [fits, tooLong] = [0, signs.length];
    while (tooLong - fits > 1) {
      const middle = (fits + tooLong) >> 1;
      const tried = `${signs.slice(0, middle).join('')}${ellipsis}`;
      if (this.width(tried, face, size) <= width) fits = middle;
      else tooLong = middle;
    }
    return `${signs.slice(0, fits).join('').trimEnd()}${ellipsis}`;
  }
}

interface OpenedFont {
  readonly _font: {
    readonly font: { hasGlyphForCodePoint(sign: number): boolean };
    /** Of each glyph, in thousandths of the size. */
    readonly widths: number[];
    /** Thousandths of the size for a unit of the font. */
    readonly scale: number;
  };
}

/** Neighbours in one font as one, but for letters that are joined, which order themselves. */
function joined(runs: readonly Run[]): Run[] {
  const fewer: Run[] = [];
  for (const run of runs) {
    const last = fewer.at(-1);
    const plain = last?.font === run.font && !turnsItself.test(`${last.text}${run.text}`);
    if (plain) fewer[fewer.length - 1] = { font: run.font, text: `${last.text}${run.text}` };
    else fewer.push(run);
  }
  return fewer;
}

/** They say how the letters beside them are joined, and have no shape themselves. */
const joiners: ReadonlySet<string> = new Set(['\u200c', '\u200d']);

const turnsItself = /\p{Script=Arabic}/u;

/** Text is laid out word by word unless features are asked for, which would leave words that run to the left in the wrong order. */
const whole = ({ text }: Run): { features?: [] } => (turnsItself.test(text) ? { features: [] } : {});

const clean = (text: string): string => text.toWellFormed().replace(shapeless, ' ').replaceAll(/ {2,}/g, ' ');
