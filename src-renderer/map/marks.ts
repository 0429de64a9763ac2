import { severityNames, type SeverityName } from '../../src-preload/contract/index.ts';
import { airportIcon, portIcon } from './details/detailStyle.ts';
import { pinIcon } from './pinOverlay.ts';
import { severityColours, type MapGlyphs, type MapTheme } from './theme.ts';

const glyphBox = 24;
const singlePx = 17;

/** A cluster's size and type follow the figures it has to carry, in CSS pixels. */
const clusterSizes = [
  { figures: 1, glyph: 26, text: 11.5 },
  { figures: 2, glyph: 31, text: 12 },
  { figures: 3, glyph: 37, text: 12.5 },
  { figures: 4, glyph: 42, text: 12.5 },
] as const;

/** Of a count's word, under its figures. */
const wordPx = 10;
/** How much of a glyph's width a line may take; a longer one is written smaller. */
const bodyShare = 0.67;

/** The figures of a count and the word that shortens it, where it has one: `1.2 ألف`; a letter stays with them. */
function countLines(text: string): readonly [figures: string, word: string | null] {
  const [figures = text, word = ''] = text.split(/\s/u);
  return word.length > 1 ? [figures, word] : [text, null];
}

function clusterSize(figures: string, word: string | null): (typeof clusterSizes)[number] {
  // A shortened count is of a thousand or more: "2k" must not be smaller than "808".
  const length = word === null && /^\d+$/.test(figures) ? figures.length : clusterSizes.length;
  return clusterSizes[Math.min(length, clusterSizes.length) - 1] ?? clusterSizes[0];
}

/** How much larger a shape is drawn, and how far down its text moves, so that all carry equal figures. */
const shapeFit = {
  critical: { scale: 1, down: 0 },
  high: { scale: 1.2, down: 0.12 },
  medium: { scale: 1.1, down: 0 },
  low: { scale: 1.16, down: 0 },
  unknown: { scale: 1, down: 0 },
} as const;

/** Drawn as outlines where severities differ by shape alone; what may be urgent stays full. */
const hollow: ReadonlySet<SeverityName> = new Set(['medium', 'low']);
/** What an unranked severity's question mark is cut out of, and a frame within it. */
const block =
  'M4 2.4h16a1.6 1.6 0 0 1 1.6 1.6v16a1.6 1.6 0 0 1-1.6 1.6h-16a1.6 1.6 0 0 1-1.6-1.6v-16a1.6 1.6 0 0 1 1.6-1.6Z';
const frame = 'M4.6 4.6h14.8v14.8H4.6Z';

/** In a box of 24 by 24: a drawing pin, which no severity looks like. */
const pinPath =
  'M8 2h8a2 2 0 0 1 0 4v5.2l2.6 1.9A2.4 2.4 0 0 1 19.5 15v1a1 1 0 0 1-1 1h-5.3v5a1.2 1.2 0 0 1-2.4 0v-5H5.5a1 1 0 0 1-1-1v-1a2.4 2.4 0 0 1 .9-1.9L8 11.2V6a2 2 0 0 1 0-4Z';
const pinPx = 15;
/** An aeroplane, and an anchor. */
const airportPath =
  'M17.8 19.2 16 11l3.5-3.5C21 6 21.5 4 21 3c-1-.5-3 0-4.5 1.5L13 8 4.8 6.2c-.5-.1-.9.1-1.1.5l-.3.5c-.2.5-.1 1 .3 1.3L9 12l-2 3H4l-1 1 3 2 2 3 1-1v-3l3-2 3.5 5.3c.3.4.8.5 1.3.3l.5-.2c.4-.3.6-.7.5-1.2z';
const portPath = 'M12 22V8M5 12H2a10 10 0 0 0 20 0h-3M12 8a3 3 0 1 0 0-6a3 3 0 1 0 0 6';
const signPx = 13;

export interface MarkImage {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
}

export interface MarkPainterOptions {
  readonly glyphs: MapGlyphs;
  readonly font: string;
  readonly pixelRatio: number;
}

/**
 * Paints the marks of the map: the severity's glyph for one incident; the same glyph enlarged, with
 * the count inside, for a cluster. Painted with the page's own font at the screen's own resolution,
 * because the map's text renderer blurs small figures.
 */
export class MarkPainter {
  readonly #options: MarkPainterOptions;
  readonly #context: CanvasRenderingContext2D;

  constructor(options: MarkPainterOptions) {
    this.#options = options;
    const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    if (!context) throw new Error('This browser draws no canvas');
    this.#context = context;
  }

  /** The image named by clusters/index.ts `iconName`, a pin, or a sign of the map's details; null for any other name. */
  paint(name: string, theme: MapTheme): MarkImage | null {
    if (name === pinIcon) return this.#pin(theme);
    if (name === airportIcon) return this.#sign(airportPath, theme);
    if (name === portIcon) return this.#sign(portPath, theme);
    const [kind, rankText, countText] = name.split('|');
    const severity = severityNames[Number(rankText)];
    if (kind !== 'm' || !severity) return null;
    const glyphPaths = this.#options.glyphs[severity];
    const byShape = theme.marks === 'shape';
    const path = new Path2D(byShape ? glyphPaths.byShape : glyphPaths.path);
    const { fill: colour, text } = severityColours(theme, severity);
    if (countText === undefined) {
      return this.#draw(singlePx + 6, (context) => {
        this.#placed(singlePx, () => {
          context.strokeStyle = theme.surface;
          context.lineWidth = (3.5 * glyphBox) / singlePx;
          context.lineJoin = 'round';
          context.stroke(path);
          if (severity === 'unknown' || byShape) {
            context.fillStyle = severity === 'unknown' ? text : theme.surface;
            context.fill(new Path2D(severity === 'unknown' ? block : glyphPaths.path));
          }
          context.fillStyle = colour;
          context.fill(path);
        });
      });
    }
    const [figures, word] = countLines(countText);
    const size = clusterSize(figures, word);
    const fit = shapeFit[severity];
    const glyph = size.glyph * fit.scale;
    const outlined = byShape && hollow.has(severity);
    return this.#draw(glyph + 8, (context) => {
      this.#placed(glyph, () => {
        // Without its question mark: the count stands there.
        const body = new Path2D(severity === 'unknown' ? block : glyphPaths.path);
        const px = glyphBox / glyph;
        context.lineJoin = 'round';
        context.strokeStyle = theme.surface;
        context.lineWidth = 4 * px;
        context.stroke(body);
        if (outlined) {
          context.fillStyle = theme.surface;
          context.fill(body);
          context.strokeStyle = colour;
          context.lineWidth = 2 * px;
          context.stroke(body);
          return;
        }
        context.fillStyle = colour;
        context.fill(body);
        if (severity === 'unknown') {
          // Where there is one hue, a full square and a full octagon are much alike.
          context.strokeStyle = text;
          context.lineWidth = 1.25 * px;
          context.stroke(new Path2D(frame));
        }
      });
      context.fillStyle = outlined ? colour : text;
      context.textAlign = 'center';
      context.textBaseline = 'alphabetic';
      const down = size.glyph * fit.down;
      const write = (text: string, px: number, baseline: (px: number) => number): void => {
        const font = (size: number): string => `600 ${size}px ${this.#options.font}`;
        context.font = font(px);
        const fitted = px * Math.min(1, (size.glyph * bodyShare) / context.measureText(text).width);
        context.font = font(fitted);
        context.fillText(text, 0, baseline(fitted) + down);
      };
      if (word === null) {
        write(figures, size.text, (px) => px * 0.36);
        return;
      }
      write(figures, size.text, () => -1.5);
      write(word, wordPx, (px) => px * 0.95);
    });
  }

  #pin(theme: MapTheme): MarkImage {
    const path = new Path2D(pinPath);
    return this.#draw(pinPx + 6, (context) => {
      this.#placed(pinPx, () => {
        context.lineJoin = 'round';
        context.strokeStyle = theme.surface;
        context.lineWidth = (4 * glyphBox) / pinPx;
        context.stroke(path);
        context.fillStyle = theme.text;
        context.fill(path);
      });
    });
  }

  /** Part of the map, like its names: quieter than any mark. */
  #sign(outline: string, theme: MapTheme): MarkImage {
    const path = new Path2D(outline);
    return this.#draw(signPx + 4, (context) => {
      this.#placed(signPx, () => {
        context.lineJoin = 'round';
        context.lineCap = 'round';
        context.strokeStyle = theme.mapLabelHalo;
        context.lineWidth = 6;
        context.stroke(path);
        context.strokeStyle = theme.mapLabel;
        context.lineWidth = 2;
        context.stroke(path);
      });
    });
  }

  /** A square image of `size` CSS pixels with its origin in the middle. */
  #draw(size: number, paint: (context: CanvasRenderingContext2D) => void): MarkImage {
    const { pixelRatio } = this.#options;
    const pixels = Math.ceil(size * pixelRatio);
    const context = this.#context;
    context.canvas.width = pixels;
    context.canvas.height = pixels;
    context.save();
    context.translate(pixels / 2, pixels / 2);
    context.scale(pixelRatio, pixelRatio);
    paint(context);
    context.restore();
    return context.getImageData(0, 0, pixels, pixels);
  }

  #placed(size: number, paint: () => void): void {
    const context = this.#context;
    context.save();
    context.scale(size / glyphBox, size / glyphBox);
    context.translate(-glyphBox / 2, -glyphBox / 2);
    paint();
    context.restore();
  }
}
