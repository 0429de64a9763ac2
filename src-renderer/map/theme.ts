import type { SeverityName } from '../../src-preload/contract/index.ts';
import type { ThemeTokens } from '../design/tokens.ts';

/** What the map is drawn with: a part of the page's design tokens, so that a theme is one thing for both. */
export type MapTheme = Pick<
  ThemeTokens,
  | 'scheme'
  | 'stroke'
  | 'marks'
  | Extract<keyof ThemeTokens, `map${string}` | `severity${string}`>
  /** The selection, the edge that keeps a mark apart from what lies under it, and what is loudest. */
  | 'accent'
  | 'surface'
  | 'text'
>;

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
