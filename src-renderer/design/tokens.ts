import type { ThemeName } from '../../src-preload/contract/index.ts';
import { indigo, indigoDark, jade, jadeDark, plum, plumDark, slate, slateDark } from '@radix-ui/colors';

/**
 * The semantic colours of the console, one object per theme.
 *
 * Both the style sheets (as CSS custom properties, see theme.ts) and the map's style are made from
 * these objects, so that a theme is one thing. Components name a token, never a scale's step.
 * test/renderer/design/tokens.test.ts computes the contrast of every pair that is drawn and the distance
 * of the severity colours as colour-blind people see them.
 */
export interface ThemeTokens {
  /** How the browser draws its own parts (scroll bars, form controls). */
  readonly scheme: 'light' | 'dark';
  /** Width of a hairline in CSS pixels, and how many times wider than usual the map's lines are. */
  readonly stroke: 1 | 2;
  /**
   * What tells severities apart: `colour`, with their shapes beside it; `shape`, where there is one hue,
   * so that fill and outline do the colour's part too (see glyphs.ts).
   */
  readonly marks: 'colour' | 'shape';

  /** Surfaces, from the page's ground upwards. */
  readonly ground: string;
  readonly surface: string;
  readonly surfaceRaised: string;
  readonly surfaceHover: string;
  readonly surfacePressed: string;
  readonly surfaceSelected: string;
  /** What lies behind a dialog; the only colour with alpha. */
  readonly scrim: string;
  readonly shadow: string;

  /** Hairlines between things; `lineStrong` bounds a control and meets 3:1 on every surface. */
  readonly line: string;
  readonly lineStrong: string;

  readonly text: string;
  readonly textQuiet: string;
  /** Text on `inverse`, which says something loud without a colour: training, offline. */
  readonly inverse: string;
  readonly textInverse: string;

  /** The one colour of interaction. */
  readonly accent: string;
  readonly accentHover: string;
  readonly accentText: string;
  readonly accentInk: string;
  readonly focus: string;

  /** Reserved for severity. */
  readonly severityCritical: string;
  readonly severityHigh: string;
  readonly severityMedium: string;
  readonly severityLow: string;
  readonly severityUnknown: string;
  /** The edge of a critical mark: lighter where its red is darker than other severities, so that it is loudest in grey. */
  readonly severityCriticalEdge: string;
  /** What is written on each severity's colour: a cluster's count. */
  readonly severityCriticalText: string;
  readonly severityHighText: string;
  readonly severityMediumText: string;
  readonly severityLowText: string;
  readonly severityUnknownText: string;

  /** Reserved for connection and for the integrations' health. */
  readonly connectionOnline: string;
  readonly connectionDegraded: string;
  readonly connectionOffline: string;

  readonly mapWater: string;
  readonly mapLand: string;
  readonly mapBorder: string;
  readonly mapCoast: string;
  readonly mapLabel: string;
  readonly mapLabelHalo: string;
  /** Names of rivers and lakes. */
  readonly mapWaterLabel: string;
  /** A river between its banks: the water's own colour is too near the land's for a line. */
  readonly mapRiver: string;
  /** Imported vector maps: plants, buildings, ways, and unknown layers. */
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
}

const day: ThemeTokens = {
  scheme: 'light',
  stroke: 1,
  marks: 'colour',
  ground: slate.slate3,
  surface: slate.slate1,
  surfaceRaised: '#ffffff',
  surfaceHover: slate.slate3,
  surfacePressed: slate.slate4,
  surfaceSelected: indigo.indigo3,
  scrim: 'rgba(28, 32, 36, 0.36)',
  shadow: 'rgba(28, 32, 36, 0.16)',
  line: slate.slate5,
  lineStrong: slate.slate10,
  text: slate.slate12,
  textQuiet: slate.slate11,
  inverse: slate.slate12,
  textInverse: slate.slate1,
  accent: indigo.indigo9,
  accentHover: indigo.indigo10,
  accentText: '#ffffff',
  accentInk: indigo.indigo11,
  focus: indigo.indigo9,
  severityCritical: '#960624',
  severityHigh: '#bd4200',
  severityMedium: '#b67d00',
  severityLow: '#0b6ccb',
  severityUnknown: '#17191c',
  severityCriticalEdge: '#960624',
  severityCriticalText: '#ffffff',
  severityHighText: '#ffffff',
  severityMediumText: '#15181b',
  severityLowText: '#ffffff',
  severityUnknownText: '#ffffff',
  connectionOnline: jade.jade11,
  connectionDegraded: plum.plum11,
  connectionOffline: slate.slate12,
  mapWater: '#e8edf3',
  mapLand: '#f7f8f7',
  mapBorder: '#cfd4da',
  mapCoast: '#b4bec9',
  mapLabel: '#5a626e',
  mapLabelHalo: '#f7f8f7',
  mapWaterLabel: '#456484',
  mapRiver: '#a9bfd6',
  mapGreen: '#e3ece1',
  mapBuilt: '#efefed',
  mapBuilding: '#dedfdf',
  mapRoad: '#ffffff',
  mapRoadMajor: '#f3ead8',
  mapRoadEdge: '#c9cdd3',
  mapPlainA: '#6c7f96',
  mapPlainB: '#7a8f76',
  mapPlainC: '#94816a',
  mapPlainD: '#857a98',
  mapPlainE: '#5f8e92',
  mapPlainF: '#967a84',
};

/** Slate, turned towards blue: a dark room's screen that is never pure black. */
const night: ThemeTokens = {
  scheme: 'dark',
  stroke: 1,
  marks: 'colour',
  ground: '#0c121c',
  surface: '#111926',
  surfaceRaised: '#182231',
  surfaceHover: '#1a2536',
  surfacePressed: '#212e42',
  surfaceSelected: '#1d2c55',
  scrim: 'rgba(5, 8, 14, 0.6)',
  shadow: 'rgba(0, 0, 0, 0.5)',
  line: '#243145',
  lineStrong: '#6d7b90',
  text: slateDark.slate12,
  textQuiet: '#a3adbb',
  inverse: '#c3ccd9',
  textInverse: '#111926',
  accent: indigoDark.indigo9,
  accentHover: '#4a6ae0',
  accentText: '#ffffff',
  accentInk: indigoDark.indigo11,
  focus: indigoDark.indigo11,
  severityCritical: '#f04a54',
  severityHigh: '#ff8f2e',
  severityMedium: '#e8bf6a',
  severityLow: '#3ba4ff',
  severityUnknown: '#f2f4f7',
  severityCriticalEdge: '#ffffff',
  severityCriticalText: '#0b0f16',
  severityHighText: '#0b0f16',
  severityMediumText: '#0b0f16',
  severityLowText: '#0b0f16',
  severityUnknownText: '#0b0f16',
  connectionOnline: jadeDark.jade11,
  connectionDegraded: plumDark.plum11,
  connectionOffline: slateDark.slate12,
  mapWater: '#0b121d',
  mapLand: '#182333',
  mapBorder: '#2b3a50',
  mapCoast: '#35465e',
  mapLabel: '#93a0b3',
  mapLabelHalo: '#121b29',
  mapWaterLabel: '#86a6cb',
  mapRiver: '#36516f',
  mapGreen: '#182b31',
  mapBuilt: '#1c2838',
  mapBuilding: '#253347',
  mapRoad: '#37475e',
  mapRoadMajor: '#4a5a70',
  mapRoadEdge: '#101926',
  mapPlainA: '#7d90a8',
  mapPlainB: '#7f9a80',
  mapPlainC: '#a3917a',
  mapPlainD: '#958aad',
  mapPlainE: '#6f9fa5',
  mapPlainF: '#a98c97',
};

/** Black on white for a screen in the sun: text and what is written on colours is AAA, lines are doubled. */
const sunlight: ThemeTokens = {
  scheme: 'light',
  stroke: 2,
  marks: 'colour',
  ground: '#ffffff',
  surface: '#ffffff',
  surfaceRaised: '#ffffff',
  surfaceHover: '#e9edf2',
  surfacePressed: '#dce2ea',
  surfaceSelected: '#dbe5ff',
  scrim: 'rgba(0, 0, 0, 0.6)',
  shadow: 'rgba(0, 0, 0, 0.4)',
  line: '#4a4a4a',
  lineStrong: '#000000',
  text: '#000000',
  textQuiet: '#262626',
  inverse: '#000000',
  textInverse: '#ffffff',
  accent: '#0a2a9e',
  accentHover: '#061d73',
  accentText: '#ffffff',
  accentInk: '#0a2a9e',
  focus: '#0a2a9e',
  severityCritical: '#b00a46',
  severityHigh: '#854808',
  severityMedium: '#3d2800',
  severityLow: '#061eea',
  severityUnknown: '#050606',
  severityCriticalEdge: '#b00a46',
  severityCriticalText: '#ffffff',
  severityHighText: '#ffffff',
  severityMediumText: '#ffffff',
  severityLowText: '#ffffff',
  severityUnknownText: '#ffffff',
  connectionOnline: '#00513a',
  connectionDegraded: '#6b0f72',
  connectionOffline: '#000000',
  mapWater: '#d7e0ea',
  mapLand: '#ffffff',
  mapBorder: '#595959',
  mapCoast: '#1f1f1f',
  mapLabel: '#000000',
  mapLabelHalo: '#ffffff',
  mapWaterLabel: '#0b3b6b',
  mapRiver: '#4f7fb3',
  mapGreen: '#eaf3e6',
  mapBuilt: '#eeeeee',
  mapBuilding: '#d4d4d4',
  mapRoad: '#ffffff',
  mapRoadMajor: '#f5e6bf',
  mapRoadEdge: '#4a4a4a',
  mapPlainA: '#3d536e',
  mapPlainB: '#3f5a3a',
  mapPlainC: '#61492c',
  mapPlainD: '#54446d',
  mapPlainE: '#1f5a5f',
  mapPlainF: '#683f4d',
};

/**
 * One red hue: no green and no blue anywhere, so that eyes stay adapted to the dark. Red alone is dim to
 * the eye, hence 5.25:1 at most: what is quiet is hardly darker, and weight does the rest.
 */
const red: ThemeTokens = {
  scheme: 'dark',
  stroke: 1,
  marks: 'shape',
  ground: '#000000',
  surface: '#0a0000',
  surfaceRaised: '#120000',
  surfaceHover: '#1a0000',
  surfacePressed: '#200000',
  surfaceSelected: '#240000',
  scrim: 'rgba(0, 0, 0, 0.72)',
  shadow: 'rgba(0, 0, 0, 0.6)',
  line: '#4a0000',
  lineStrong: '#c40000',
  text: '#ff0000',
  textQuiet: '#f60000',
  inverse: '#ff0000',
  textInverse: '#000000',
  accent: '#ff0000',
  accentHover: '#f40000',
  accentText: '#000000',
  accentInk: '#ff0000',
  focus: '#ff0000',
  severityCritical: '#ff0000',
  severityHigh: '#fa0000',
  severityMedium: '#f00000',
  severityLow: '#ee0000',
  severityUnknown: '#ec0000',
  severityCriticalEdge: '#ff0000',
  severityCriticalText: '#000000',
  severityHighText: '#000000',
  severityMediumText: '#000000',
  severityLowText: '#000000',
  severityUnknownText: '#000000',
  connectionOnline: '#fa0000',
  connectionDegraded: '#fa0000',
  connectionOffline: '#ff0000',
  mapWater: '#000000',
  mapLand: '#140000',
  mapBorder: '#520000',
  mapCoast: '#660000',
  mapLabel: '#f40000',
  mapLabelHalo: '#0c0000',
  mapWaterLabel: '#f40000',
  mapRiver: '#720000',
  mapGreen: '#1a0000',
  mapBuilt: '#1c0000',
  mapBuilding: '#220000',
  mapRoad: '#4a0000',
  mapRoadMajor: '#6a0000',
  mapRoadEdge: '#0c0000',
  mapPlainA: '#7a0000',
  mapPlainB: '#8a0000',
  mapPlainC: '#9a0000',
  mapPlainD: '#aa0000',
  mapPlainE: '#b40000',
  mapPlainF: '#be0000',
};

export const themes: Readonly<Record<ThemeName, ThemeTokens>> = { day, night, sunlight, red };
