import { severityNames, type SeverityName } from '../../src-preload/contract/index.ts';
import { overOutline } from '../design/glyphs.ts';
import { readMarkIcon, type MarkIcon } from './clusters/icon.ts';
import { drawDrone, dronePx, readDroneIcon } from './droneImage.ts';
import { airportIcon, portIcon } from './details/detailStyle.ts';
import { clusterSize, ringRadius, singlePx, type ClusterSize } from './markSizes.ts';
import { pinIcon } from './pinOverlay.ts';
import { severityColours, type MapGlyphs, type MapTheme } from './theme.ts';

const glyphBox = 24;

/** In CSS pixels. */
const ringGap = 1.5;
/** By rank, the least first: the worse the wider, where colours are not told apart either. */
const ringWidths = [2, 3, 4, 4, 5] as const;
const overRingWidth = 1.25;

/** Of a count's word, under its figures. */
const wordPx = 10;
/** How much of a glyph's width a line may take; a longer one is written smaller. */
const bodyShare = 0.67;

/** The figures of a count and the word that shortens it, where it has one: `1.2 ألف`; a letter stays with them. */
function countLines(text: string): readonly [figures: string, word: string | null] {
  const [figures = text, word = ''] = text.split(/\s/u);
  return word.length > 1 ? [figures, word] : [text, null];
}

/** How much larger a shape is drawn, and how far down its text moves, so that all carry equal figures. */
const shapeFit = {
  critical: { scale: 1.12, down: 0 },
  high: { scale: 1.12, down: 0.12 },
  medium: { scale: 1.3, down: 0 },
  low: { scale: 1.3, down: 0 },
  unknown: { scale: 1.04, down: 0 },
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

/**
 * Paints the marks of the map: the severity's glyph for one incident; for a cluster the same glyph enlarged, with how
 * many of that severity are open inside, and a ring of all its severities around. What is over is an outline. Painted with the page's own font at the screen's own resolution,
 * because the map's text renderer blurs small figures.
 */
export class MarkPainter {
  readonly #glyphs: MapGlyphs;
  readonly #font: string;
  readonly #pixelRatio: number;
  readonly #context: CanvasRenderingContext2D;

  constructor(glyphs: MapGlyphs, font: string, pixelRatio: number) {
    this.#glyphs = glyphs;
    this.#font = font;
    this.#pixelRatio = pixelRatio;
    const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    if (!context) throw new Error('This browser draws no canvas');
    this.#context = context;
  }

  /** The image named by clusters/icon.ts, a pin, a drone, or a sign of the map's details; null for any other name. */
  paint(name: string, theme: MapTheme): MarkImage | null {
    if (name === pinIcon) return this.#pin(theme);
    if (name === airportIcon) return this.#sign(airportPath, theme);
    if (name === portIcon) return this.#sign(portPath, theme);
    const drone = readDroneIcon(name);
    if (drone !== null) return this.#drone(drone, theme);
    const icon = readMarkIcon(name);
    const severity = icon === null ? undefined : severityNames[icon.rank];
    if (icon === null || severity === undefined) return null;
    if (icon.cluster !== null) return this.#cluster(severity, icon.over, icon.cluster, theme);
    return this.#single(severity, icon.over, theme);
  }

  #single(severity: SeverityName, over: boolean, theme: MapTheme): MarkImage {
    const { path, byShape } = this.#glyphs[severity];
    const isByShape = theme.marks === 'shape';
    const whole = new Path2D(path);
    const drawn = new Path2D(isByShape ? byShape : path);
    const { fill, text } = severityColours(theme, severity);
    return this.#draw(singlePx + 6, (context) => {
      this.#placed(singlePx, () => {
        context.strokeStyle = theme.surface;
        context.lineWidth = (3.5 * glyphBox) / singlePx;
        context.lineJoin = 'round';
        context.stroke(whole);
        if (over) {
          context.fillStyle = theme.surface;
          context.fill(severity === 'unknown' ? new Path2D(block) : whole);
          outline(context, whole, theme, fill);
          return;
        }
        if (severity === 'unknown' || isByShape) {
          context.fillStyle = severity === 'unknown' ? text : theme.surface;
          context.fill(severity === 'unknown' ? new Path2D(block) : whole);
        }
        context.fillStyle = fill;
        context.fill(drawn);
        if (severity === 'critical') edge(context, whole, theme.severityCriticalEdge, overOutline.width);
      });
    });
  }

  #cluster(
    severity: SeverityName,
    over: boolean,
    { text, figures, ring }: NonNullable<MarkIcon['cluster']>,
    theme: MapTheme,
  ): MarkImage {
    const size = clusterSize(figures);
    const { fill, text: onFill } = severityColours(theme, severity);
    const isOutlined = over || (theme.marks === 'shape' && hollow.has(severity));
    const radius = ringRadius(size);
    return this.#draw(2 * radius + 10, (context) => {
      if (!over) drawRing(context, radius, ring, theme);
      this.#placed(size.glyph * shapeFit[severity].scale, () => {
        // Without its question mark: the count stands there.
        const body = new Path2D(severity === 'unknown' ? block : this.#glyphs[severity].path);
        context.lineJoin = 'round';
        context.strokeStyle = theme.surface;
        context.lineWidth = (4 * glyphBox) / size.glyph;
        context.stroke(body);
        context.fillStyle = isOutlined ? theme.surface : fill;
        context.fill(body);
        if (over) outline(context, body, theme, fill);
        else if (isOutlined) edge(context, body, fill, (2 * glyphBox) / size.glyph);
        else if (severity === 'critical')
          edge(context, body, theme.severityCriticalEdge, (2 * glyphBox) / size.glyph);
        // Where there is one hue, a full square and a full octagon are much alike.
        else if (severity === 'unknown')
          edge(context, new Path2D(frame), onFill, (1.25 * glyphBox) / size.glyph);
      });
      context.fillStyle = over ? theme.text : isOutlined ? fill : onFill;
      this.#write(text, size, shapeFit[severity].down);
    });
  }

  /** A count in the middle of a glyph, its shape's own middle `down` of its size lower. */
  #write(count: string, size: ClusterSize, down: number): void {
    const context = this.#context;
    const [figures, word] = countLines(count);
    context.textAlign = 'center';
    context.textBaseline = 'alphabetic';
    const write = (text: string, px: number, baseline: (px: number) => number): void => {
      const font = (size: number): string => `600 ${size}px ${this.#font}`;
      context.font = font(px);
      const fitted = px * Math.min(1, (size.glyph * bodyShare) / context.measureText(text).width);
      context.font = font(fitted);
      context.fillText(text, 0, baseline(fitted) + size.glyph * down);
    };
    if (word === null) {
      write(figures, size.text, (px) => px * 0.36);
      return;
    }
    write(figures, size.text, () => -1.5);
    write(word, wordPx, (px) => px * 0.95);
  }

  #drone(look: NonNullable<ReturnType<typeof readDroneIcon>>, theme: MapTheme): MarkImage {
    return this.#draw(dronePx + 6, (context) => {
      this.#placed(dronePx, () => {
        drawDrone(context, look, theme);
      });
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
    const pixelRatio = this.#pixelRatio;
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

/** Of what is over: in the box of a glyph, as in the list. */
function outline(context: CanvasRenderingContext2D, path: Path2D, theme: MapTheme, colour: string): void {
  if (theme.marks === 'shape') context.setLineDash([...overOutline.dash]);
  edge(context, path, colour, overOutline.width);
}

/** `width`: in units of the path. */
function edge(context: CanvasRenderingContext2D, path: Path2D, colour: string, width: number): void {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke(path);
}

/** From the top on, clockwise: the worst first, what is over last and thin. */
function drawRing(
  context: CanvasRenderingContext2D,
  radius: number,
  ring: readonly number[],
  theme: MapTheme,
): void {
  const steps = ring.reduce((sum, step) => sum + step, 0);
  const parts = ring
    .map((step, rank) => ({ step, severity: severityNames[rank], width: ringWidths[rank] ?? overRingWidth }))
    .filter(({ step }) => step > 0);
  const worstFirst = [
    ...parts.filter(({ severity }) => severity !== undefined).reverse(),
    ...parts.filter(({ severity }) => severity === undefined),
  ];
  context.lineCap = 'butt';
  context.beginPath();
  context.arc(0, 0, radius, 0, 2 * Math.PI);
  context.strokeStyle = theme.surface;
  context.lineWidth = Math.max(...parts.map(({ width }) => width)) + 3;
  context.stroke();
  const gap = worstFirst.length > 1 ? ringGap / radius : 0;
  let from = -Math.PI / 2;
  for (const { step, severity, width } of worstFirst) {
    const to = from + (2 * Math.PI * step) / steps;
    context.beginPath();
    context.arc(0, 0, radius, from + gap / 2, to - gap / 2);
    context.strokeStyle = severity === undefined ? theme.text : severityColours(theme, severity).fill;
    context.lineWidth = width;
    context.stroke();
    from = to;
  }
}
