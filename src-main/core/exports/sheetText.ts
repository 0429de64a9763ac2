import fonts from './sheetFonts.json' with { type: 'json' };

type Document = PDFKit.PDFDocument;
export type Face = keyof typeof fonts;
type Script = keyof (typeof fonts)['regular'];

/** What no face has a glyph for. */
const missing = '\uFFFD';
const ellipsis = '…';
/** Signs without a shape of their own: line breaks, controls, and those that turn the direction of text. */

const shapeless = /[\u0000-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/g;

interface Run {
  readonly font: string;
  readonly text: string;
}

/**
 * Text on a sheet, in Inter, whose faces come as one file for each script. Scripts that Inter does not have
 * are drawn as U+FFFD: the other formats hold every character.
 */
export class SheetText {
  readonly #document: Document;
  readonly #scripts: Readonly<
    Record<Face, readonly { readonly font: string; readonly has: (sign: number) => boolean }[]>
  >;
  readonly #fontOf = new Map<string, string | null>();

  constructor(document: Document) {
    this.#document = document;
    this.#scripts = { regular: this.#register('regular'), strong: this.#register('strong') };
  }

  /** Points. */
  width(text: string, face: Face, size: number): number {
    return this.#widthOf(this.#runs(text, face), size);
  }

  /** One line at `x`, `y`, shortened to `width` where it is longer; all in points. */
  line(
    text: string,
    at: { readonly x: number; readonly y: number; readonly width: number },
    { face = 'regular', size, align = 'start' }: { face?: Face; size: number; align?: 'start' | 'end' },
  ): void {
    const runs = this.#runs(this.#shortened(text, face, size, at.width), face);
    let x = align === 'start' ? at.x : at.x + at.width - this.#widthOf(runs, size);
    for (const { font, text: part } of runs) {
      this.#document.font(font).fontSize(size).text(part, x, at.y, { lineBreak: false });
      x += this.#document.widthOfString(part);
    }
  }

  /** A text broken between words into at most `most` lines, the last one shortened; null takes all. */
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

  #register(face: Face): { font: string; has: (sign: number) => boolean }[] {
    return Object.keys(fonts[face]).map((script) => {
      const font = `${face}-${script}`;
      this.#document.registerFont(font, Buffer.from(fonts[face][script as Script], 'base64'));
      // The document keeps what it reads of a face to itself, and there is no other way to ask for a glyph.
      const opened = this.#document.font(font) as unknown as OpenedFont;
      const { font: glyphs } = opened._font;
      return { font, has: (sign) => glyphs.hasGlyphForCodePoint(sign) };
    });
  }

  #runs(text: string, face: Face): Run[] {
    const runs: { font: string; text: string }[] = [];
    const [fallback] = this.#scripts[face];
    for (const sign of clean(text)) {
      const found = this.#find(sign, face);
      const font = found ?? fallback?.font ?? '';
      const shown = found === null ? missing : sign;
      const last = runs.at(-1);
      if (last?.font === font) last.text += shown;
      else runs.push({ font, text: shown });
    }
    return runs;
  }

  #find(sign: string, face: Face): string | null {
    const key = `${face}${sign}`;
    let font = this.#fontOf.get(key);
    if (font === undefined) {
      const code = sign.codePointAt(0) ?? 0;
      font = this.#scripts[face].find(({ has }) => has(code))?.font ?? null;
      this.#fontOf.set(key, font);
    }
    return font;
  }

  #widthOf(runs: readonly Run[], size: number): number {
    let width = 0;
    for (const { font, text } of runs) width += this.#document.font(font).fontSize(size).widthOfString(text);
    return width;
  }

  #shortened(text: string, face: Face, size: number, width: number): string {
    // More can't stand in a line, and measuring it would take its time.
    const signs = [...clean(text).slice(0, 400)];
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
  readonly _font: { readonly font: { hasGlyphForCodePoint(sign: number): boolean } };
}

const clean = (text: string): string => text.toWellFormed().replace(shapeless, ' ').replaceAll(/ {2,}/g, ' ');
