import type { SeverityName } from '../rows/severity.ts';
import type { ThemeTokens } from './tokens.ts';

/** Worst first. */
export const severitiesWorstFirst: readonly SeverityName[] = ['critical', 'high', 'medium', 'low', 'unknown'];

/**
 * Severity is carried by shape first and colour second. The same paths are drawn in rows, the
 * legend, the details and (rasterised) on the map, so that an operator learns them once.
 */
export interface Glyph {
  readonly shape: 'octagon' | 'triangle' | 'diamond' | 'circle' | 'ring';
  /** SVG path data in a 24 × 24 box, filled with the nonzero rule; optically equal in weight. */
  readonly path: string;
  /**
   * Drawn instead where there is one hue (`marks: 'shape'`): the two worst stay full, the others are
   * outlines that differ, so that nothing is told by brightness.
   */
  readonly byShape: string;
  readonly colour: keyof ThemeTokens;
}

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
    shape: 'ring',
    path: 'M12 3.5a8.5 8.5 0 1 1 0 17a8.5 8.5 0 1 1 0-17ZM12 7a5 5 0 1 0 0 10a5 5 0 1 0 0-10Z',
    byShape:
      'M7.64 4.13A9 9 0 0 1 16.36 4.13L14.62 7.28A5.4 5.4 0 0 0 9.38 7.28ZM19.87 7.64A9 9 0 0 1 19.87 16.36L16.72 14.62A5.4 5.4 0 0 0 16.72 9.38ZM16.36 19.87A9 9 0 0 1 7.64 19.87L9.38 16.72A5.4 5.4 0 0 0 14.62 16.72ZM4.13 16.36A9 9 0 0 1 4.13 7.64L7.28 9.38A5.4 5.4 0 0 0 7.28 14.62Z',
    colour: 'severityUnknown',
  },
};
