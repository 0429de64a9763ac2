import { describe, expect, it } from 'vitest';
import { themeFor } from '../../src-renderer/design/theme.ts';
import { themes, type ThemeTokens } from '../../src-renderer/design/tokens.ts';
import { contrast, distance, visionNames } from './colour.ts';

type Token = Exclude<keyof ThemeTokens, 'scheme' | 'scrim' | 'shadow'>;
const surfaces: readonly Token[] = [
  'ground',
  'surface',
  'surfaceRaised',
  'surfaceHover',
  'surfacePressed',
  'surfaceSelected',
];
const severities: readonly Token[] = [
  'severityCritical',
  'severityHigh',
  'severityMedium',
  'severityLow',
  'severityUnknown',
];

/** Every pair of text and ground that is drawn. */
const textPairs: readonly (readonly [Token, Token])[] = [
  ...surfaces.flatMap((ground): [Token, Token][] => [
    ['text', ground],
    ['textQuiet', ground],
  ]),
  ['accentInk', 'surface'],
  ['accentInk', 'surfaceRaised'],
  ['accentInk', 'surfaceSelected'],
  ['accentText', 'accent'],
  ['accentText', 'accentHover'],
  ['textInverse', 'inverse'],
  ['mapLabel', 'mapLabelHalo'],
  ['connectionOnline', 'surface'],
  ['connectionDegraded', 'surface'],
  ...severities.map((severity): [Token, Token] => [`${severity}Text` as Token, severity]),
];
/** Every pair of shape and ground that is drawn and carries a meaning. */
const shapePairs: readonly (readonly [Token, Token])[] = [
  ...severities.flatMap((severity): [Token, Token][] =>
    (['surface', 'surfaceRaised', 'surfaceHover', 'surfaceSelected', 'mapLand'] as const).map((ground) => [
      severity,
      ground,
    ]),
  ),
  ...(['connectionOnline', 'connectionDegraded', 'connectionOffline'] as const).flatMap(
    (mark): [Token, Token][] => [
      [mark, 'surface'],
      [mark, 'surfaceHover'],
    ],
  ),
  ['lineStrong', 'surface'],
  ['lineStrong', 'surfaceRaised'],
  ['focus', 'ground'],
  ['focus', 'surface'],
  ['focus', 'surfaceRaised'],
  ['accent', 'surface'],
];

describe.each(Object.entries(themes))('the theme %s', (_name, theme) => {
  it.each(textPairs)('writes %s on %s at 4.5:1 or more', (text, ground) => {
    expect(contrast(theme[text], theme[ground])).toBeGreaterThanOrEqual(4.5);
  });

  it.each(shapePairs)('draws %s on %s at 3:1 or more', (shape, ground) => {
    expect(contrast(theme[shape], theme[ground])).toBeGreaterThanOrEqual(3);
  });

  it.each(visionNames)('keeps the severities apart with %s vision', (vision) => {
    for (const [at, a] of severities.entries()) {
      for (const b of severities.slice(at + 1)) {
        expect(distance(theme[a], theme[b], vision), `${a} and ${b}`).toBeGreaterThan(11);
      }
    }
  });
});

it('follows the system only when the preference says so', () => {
  expect(themeFor('system', true)).toBe('night');
  expect(themeFor('system', false)).toBe('day');
  expect(themeFor('day', true)).toBe('day');
});
