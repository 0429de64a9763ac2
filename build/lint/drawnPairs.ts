/** The pairs of colours that the page draws, each held against its contrast in every theme (test/renderer/design/tokens.test.ts). */
import type { ThemeTokens } from '../../src-renderer/design/tokens.ts';

type Token = Exclude<keyof ThemeTokens, 'scheme' | 'stroke' | 'marks' | 'scrim' | 'shadow'>;
type Pair = readonly [shape: Token, ground: Token];

const surfaces: readonly Token[] = [
  'ground',
  'surface',
  'surfaceRaised',
  'surfaceHover',
  'surfacePressed',
  'surfaceSelected',
];
export const severityTokens = [
  'severityCritical',
  'severityHigh',
  'severityMedium',
  'severityLow',
  'severityUnknown',
] as const;
const on = (tokens: readonly Token[], grounds: readonly Token[]): readonly Pair[] =>
  tokens.flatMap((token) => grounds.map((ground): Pair => [token, ground]));

/** Every pair of text and ground. */
export const textPairs: readonly Pair[] = [
  ...on(['text', 'textQuiet'], surfaces),
  ...on(['accentInk'], ['ground', 'surface', 'surfaceRaised', 'surfaceHover', 'surfaceSelected']),
  ...on(['accentText'], ['accent', 'accentHover']),
  ...on(['textInverse'], ['inverse']),
  ...on(['mapLabel'], ['mapLabelHalo', 'mapLand', 'mapBuilding']),
  ...on(['mapWaterLabel'], ['mapLabelHalo', 'mapLand', 'mapWater', 'mapBuilding']),
  ...on(['connectionOnline', 'connectionDegraded', 'connectionOffline'], ['surface', 'surfaceRaised']),
  ...severityTokens.map((severity): Pair => [`${severity}Text`, severity]),
];
/** Every pair of a shape that carries a meaning, and ground. */
export const shapePairs: readonly Pair[] = [
  ...on(severityTokens, [
    'surface',
    'surfaceRaised',
    'surfaceHover',
    'surfaceSelected',
    'mapLand',
    'mapWater',
  ]),
  ...on(['connectionOnline', 'connectionDegraded', 'connectionOffline'], ['surface', 'surfaceHover']),
  ...on(['lineStrong'], ['surface', 'surfaceRaised']),
  ...on(['focus'], ['ground', 'surface', 'surfaceRaised', 'surfaceHover', 'surfaceSelected', 'mapLand']),
  ...on(['accent'], ['surface', 'surfaceRaised', 'mapLand']),
  ...on(['inverse'], ['ground', 'surface', 'surfaceRaised']),
];
