import type { SeverityName } from '../../src-preload/contract/index.ts';
import type { ThemeTokens } from './tokens.ts';

/**
 * Severity is carried by shape first and colour second. The same paths are drawn in rows, the
 * legend, the details and (rasterised) on the map, so that an operator learns them once.
 */
export interface Glyph {
  readonly shape: 'octagon' | 'triangle' | 'diamond' | 'circle' | 'question';
  /** SVG path data in a 24 × 24 box, filled with the nonzero rule; optically equal in weight. */
  readonly path: string;
  /**
   * Drawn instead where there is one hue (`marks: 'shape'`): what may be urgent stays full, the others are
   * outlines that differ, so that brightness carries no meaning.
   */
  readonly byShape: string;
  readonly colour: keyof ThemeTokens;
}

/**
 * How an incident that is over is drawn, in list and map: the outline of the same `path`, in units of its box. Where
 * there is one hue, full marks are outlines too: there the line is broken.
 */
export const overOutline = { width: 2, dash: [5.5, 3] } as const;

export const severityGlyphs: Readonly<Record<SeverityName, Glyph>> = {
  critical: {
    shape: 'octagon',
    path: 'M7.86 2h8.28L22 7.86v8.28L16.14 22H7.86L2 16.14V7.86Z',
    byShape: 'M7.86 2h8.28L22 7.86v8.28L16.14 22H7.86L2 16.14V7.86Z',
    colour: 'severityCritical',
  },
  high: {
    shape: 'triangle',
    path: 'M10.7 2.75a1.5 1.5 0 0 1 2.6 0l9.2 16.5A1.5 1.5 0 0 1 21.2 21.5H2.8a1.5 1.5 0 0 1-1.3-2.25Z',
    byShape: 'M10.7 2.75a1.5 1.5 0 0 1 2.6 0l9.2 16.5A1.5 1.5 0 0 1 21.2 21.5H2.8a1.5 1.5 0 0 1-1.3-2.25Z',
    colour: 'severityHigh',
  },
  medium: {
    shape: 'diamond',
    path: 'M10.94 1.94a1.5 1.5 0 0 1 2.12 0l9 9a1.5 1.5 0 0 1 0 2.12l-9 9a1.5 1.5 0 0 1-2.12 0l-9-9a1.5 1.5 0 0 1 0-2.12Z',
    byShape:
      'M10.94 1.94a1.5 1.5 0 0 1 2.12 0l9 9a1.5 1.5 0 0 1 0 2.12l-9 9a1.5 1.5 0 0 1-2.12 0l-9-9a1.5 1.5 0 0 1 0-2.12ZM12 5.6L5.6 12L12 18.4L18.4 12Z',
    colour: 'severityMedium',
  },
  low: {
    shape: 'circle',
    path: 'M12 4a8 8 0 1 1 0 16a8 8 0 1 1 0-16Z',
    byShape:
      'M12 3a9 9 0 1 1 0 18a9 9 0 1 1 0-18ZM12 5.8a6.2 6.2 0 1 0 0 12.4a6.2 6.2 0 1 0 0-12.4ZM7.4 10.5h9.2v3H7.4Z',
    colour: 'severityLow',
  },
  unknown: {
    // A question mark cut out of a square: nothing proves that it is harmless, so it is as loud as critical.
    shape: 'question',
    path: 'M4 2.4h16a1.6 1.6 0 0 1 1.6 1.6v16a1.6 1.6 0 0 1-1.6 1.6h-16a1.6 1.6 0 0 1-1.6-1.6v-16a1.6 1.6 0 0 1 1.6-1.6ZM7.1 9.2H9.7A2.3 2.3 0 1 1 12 11.5H10.7V15H13.3V13.92A4.9 4.9 0 1 0 7.1 9.2ZM12 16.3a1.65 1.65 0 1 0 0 3.3a1.65 1.65 0 1 0 0-3.3Z',
    byShape:
      'M4 2.4h16a1.6 1.6 0 0 1 1.6 1.6v16a1.6 1.6 0 0 1-1.6 1.6h-16a1.6 1.6 0 0 1-1.6-1.6v-16a1.6 1.6 0 0 1 1.6-1.6ZM7.1 9.2H9.7A2.3 2.3 0 1 1 12 11.5H10.7V15H13.3V13.92A4.9 4.9 0 1 0 7.1 9.2ZM12 16.3a1.65 1.65 0 1 0 0 3.3a1.65 1.65 0 1 0 0-3.3Z',
    colour: 'severityUnknown',
  },
};

/** A drone seen from above, north up: the discs of its rotors, what holds them, and a wedge where it is heading. */
export const droneGlyph = {
  rotors: [
    [7.5, 8.6],
    [16.5, 8.6],
    [7.5, 17.6],
    [16.5, 17.6],
  ],
  rotorRadius: 2.7,
  arms: 'M7.5 8.6 16.5 17.6M16.5 8.6 7.5 17.6',
  nose: 'M12-2.2 17.6 5 12 3.2 6.4 5Z',
} as const;
