import type { SeverityName } from '../../src-preload/contract/index.ts';

/**
 * The colours the map is drawn with, as CSS colours. A structural part of the page's design tokens,
 * so that a theme is one thing for the page and for the map.
 */
export interface MapTheme {
  readonly scheme: 'light' | 'dark';
  /** How many times wider than usual lines are drawn. */
  readonly stroke: number;
  /** Whether severities differ in colour too, or in fill and outline alone. */
  readonly marks: 'colour' | 'shape';
  readonly mapLand: string;
  readonly mapWater: string;
  readonly mapBorder: string;
  readonly mapCoast: string;
  readonly mapLabel: string;
  readonly mapLabelHalo: string;
  readonly mapWaterLabel: string;
  readonly mapRiver: string;
  /** Imported vector maps: what grows, what is built, ways, and layers that nobody knows. */
  readonly mapGreen: string;
  readonly mapBuilt: string;
  readonly mapBuilding: string;
  readonly mapRoad: string;
  readonly mapRoadMajor: string;
  readonly mapRoadEdge: string;
  readonly mapPlainA: string;
  readonly mapPlainB: string;
  readonly mapPlainC: string;
  readonly mapPlainD: string;
  readonly mapPlainE: string;
  readonly mapPlainF: string;
  readonly severityCritical: string;
  readonly severityHigh: string;
  readonly severityMedium: string;
  readonly severityLow: string;
  readonly severityUnknown: string;
  /** What is written on each severity's colour: a cluster's count. */
  readonly severityCriticalText: string;
  readonly severityHighText: string;
  readonly severityMediumText: string;
  readonly severityLowText: string;
  readonly severityUnknownText: string;
  /** The selection, the edge that keeps a mark apart from what lies under it, and what is loudest. */
  readonly accent: string;
  readonly surface: string;
  readonly text: string;
}

/** Per severity an SVG path in a box of 24 by 24, filled with the nonzero rule. */
export type MapGlyphs = Readonly<
  Record<
    SeverityName,
    {
      readonly path: string;
      /** The path where `marks` is `shape`. */
      readonly byShape: string;
    }
  >
>;

/** The colour of a severity and what is written on it. */
export function severityColours(
  theme: MapTheme,
  severity: SeverityName,
): { readonly fill: string; readonly text: string } {
  switch (severity) {
    case 'critical':
      return { fill: theme.severityCritical, text: theme.severityCriticalText };
    case 'high':
      return { fill: theme.severityHigh, text: theme.severityHighText };
    case 'medium':
      return { fill: theme.severityMedium, text: theme.severityMediumText };
    case 'low':
      return { fill: theme.severityLow, text: theme.severityLowText };
    case 'unknown':
      return { fill: theme.severityUnknown, text: theme.severityUnknownText };
  }
}
