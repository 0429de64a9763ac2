import type { SeverityName } from '../../../../src-preload/contract/index.ts';

/** How a severity is drawn on paper and in files: by shape first, as on the screen. */
interface DrawnSeverity {
  /** SVG path data in a 24 x 24 box, the same as the page's. */
  readonly path: string;
  /** `RRGGBB` in hexadecimal. */
  readonly colour: string;
}

export const drawnSeverities: Readonly<Record<SeverityName, DrawnSeverity>> = {
  critical: {
    path: 'M7.86 2h8.28L22 7.86v8.28L16.14 22H7.86L2 16.14V7.86Z',
    colour: '960624',
  },
  high: {
    path: 'M10.7 2.75a1.5 1.5 0 0 1 2.6 0l9.2 16.5A1.5 1.5 0 0 1 21.2 21.5H2.8a1.5 1.5 0 0 1-1.3-2.25Z',
    colour: 'bd4200',
  },
  medium: {
    path: 'M10.94 1.94a1.5 1.5 0 0 1 2.12 0l9 9a1.5 1.5 0 0 1 0 2.12l-9 9a1.5 1.5 0 0 1-2.12 0l-9-9a1.5 1.5 0 0 1 0-2.12Z',
    colour: 'b67d00',
  },
  low: {
    path: 'M12 4a8 8 0 1 1 0 16a8 8 0 1 1 0-16Z',
    colour: '0b6ccb',
  },
  unknown: {
    path: 'M4 2.4h16a1.6 1.6 0 0 1 1.6 1.6v16a1.6 1.6 0 0 1-1.6 1.6h-16a1.6 1.6 0 0 1-1.6-1.6v-16a1.6 1.6 0 0 1 1.6-1.6ZM7.1 9.2H9.7A2.3 2.3 0 1 1 12 11.5H10.7V15H13.3V13.92A4.9 4.9 0 1 0 7.1 9.2ZM12 16.3a1.65 1.65 0 1 0 0 3.3a1.65 1.65 0 1 0 0-3.3Z',
    colour: '17191c',
  },
};
