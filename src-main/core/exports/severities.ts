/** How a severity is drawn on paper and in files: by shape first, as on the screen. */
interface DrawnSeverity {
  /** SVG path data in a 24 x 24 box, the same as the page's. */
  readonly path: string;
  /** `RRGGBB` in hexadecimal. */
  readonly colour: string;
}

/** The severities that have a shape and a colour of their own, worst first; every other text is `unknown`. */
export const severityNames = ['critical', 'high', 'medium', 'low', 'unknown'] as const;
export type SeverityName = (typeof severityNames)[number];

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
    path: 'M12 3.5a8.5 8.5 0 1 1 0 17a8.5 8.5 0 1 1 0-17ZM12 7a5 5 0 1 0 0 10a5 5 0 1 0 0-10Z',
    colour: '5b616c',
  },
};

/** The name behind a severity as the service words it; case is ignored, nothing is guessed. */
export function severityNameOf(text: string): SeverityName {
  const lower = text.toLowerCase();
  return severityNames.find((name) => name === lower) ?? 'unknown';
}
