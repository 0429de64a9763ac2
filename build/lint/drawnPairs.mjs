/** The pairs of colours that the page draws, each held against its contrast in every theme (test/renderer/design/tokens.test.ts). */

const surfaces = ['ground', 'surface', 'surfaceRaised', 'surfaceHover', 'surfacePressed', 'surfaceSelected'];
export const severityTokens = [
  'severityCritical',
  'severityHigh',
  'severityMedium',
  'severityLow',
  'severityUnknown',
];
const on = (tokens, grounds) => tokens.flatMap((token) => grounds.map((ground) => [token, ground]));

/** Every pair of text and ground. */
export const textPairs = [
  ...on(['text', 'textQuiet'], surfaces),
  ...on(['accentInk'], ['ground', 'surface', 'surfaceRaised', 'surfaceHover', 'surfaceSelected']),
  ...on(['accentText'], ['accent', 'accentHover']),
  ...on(['textInverse'], ['inverse']),
  ...on(['mapLabel'], ['mapLabelHalo', 'mapLand', 'mapBuilding']),
  ...on(['mapWaterLabel'], ['mapLabelHalo', 'mapLand', 'mapWater', 'mapBuilding']),
  ...on(['connectionOnline', 'connectionDegraded', 'connectionOffline'], ['surface', 'surfaceRaised']),
  ...severityTokens.map((severity) => [`${severity}Text`, severity]),
];
/** Every pair of a shape that carries a meaning, and ground. */
export const shapePairs = [
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
