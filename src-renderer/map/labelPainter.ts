import { mapFontFamily } from './font.ts';
import { isRightToLeft, type LabelImage } from './labelText.ts';
import type { MarkImage } from './marks.ts';
import type { MapTheme } from './theme.ts';

/** A line is as wide as this many times its size, unless a single word is wider. */
const mostEms = 8;
const lineEms = 1.3;
/** Above and below the lines: for marks over and under the letters. */
const edgeEms = 0.4;
const haloPx = 1.5;
/** Drawn at twice its size it stays sharp while it is made smaller between two zooms. */
const leastPixelRatio = 2;

/** Breaks a text at its spaces into lines that are not wider than `most`, as `widthOf` measures them. */
export function wrapped(text: string, most: number, widthOf: (line: string) => number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/u).filter((part) => part !== '')) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last !== undefined && widthOf(longer) <= most) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Paints names with the browser's own text: every letter in its shape and place, in the bundled fonts. */
export class LabelPainter {
  readonly pixelRatio: number;
  readonly #context: CanvasRenderingContext2D;

  constructor(pixelRatio: number) {
    this.pixelRatio = Math.max(leastPixelRatio, pixelRatio);
    const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    if (!context) throw new Error('This browser draws no canvas');
    this.#context = context;
  }

  /** The name with its halo; the fonts of its letters should be there (font.ts `loadFonts`). */
  paint({ size, text }: LabelImage, theme: MapTheme): MarkImage {
    const context = this.#context;
    const font = `${size}px ${mapFontFamily}`;
    context.font = font;
    const lines = wrapped(text, size * mostEms, (line) => context.measureText(line).width);
    const widest = Math.max(1, ...lines.map((line) => context.measureText(line).width));
    const width = Math.ceil((widest + 2 * haloPx + 2) * this.pixelRatio);
    const height = Math.ceil((lines.length * lineEms + 2 * edgeEms) * size * this.pixelRatio);
    // Sets everything else of the context back.
    context.canvas.width = width;
    context.canvas.height = height;
    context.scale(this.pixelRatio, this.pixelRatio);
    context.font = font;
    context.direction = isRightToLeft(text) ? 'rtl' : 'ltr';
    context.textAlign = 'center';
    context.textBaseline = 'alphabetic';
    context.lineJoin = 'round';
    context.lineWidth = 2 * haloPx;
    context.strokeStyle = theme.mapLabelHalo;
    context.fillStyle = theme.mapLabel;
    const places = lines.map(
      (line, at) => [line, width / this.pixelRatio / 2, (edgeEms + at * lineEms + 1) * size] as const,
    );
    // All halos first: one line's must not lie over the letters of the one above it.
    for (const place of places) context.strokeText(...place);
    for (const place of places) context.fillText(...place);
    return context.getImageData(0, 0, width, height);
  }
}
