import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { severityTokens, shapePairs, textPairs } from '../../../build/lint/drawnPairs.ts';
import { themeNames, type ThemeName } from '../../../src-preload/contract/index.ts';
import { minuteOfDay, otherTheme, systemTheme, themeFor } from '../../../src-renderer/design/theme.ts';
import { themes, type ThemeTokens } from '../../../src-renderer/design/tokens.ts';
import { contrast, distance, visionNames } from '../colour.ts';

const named = Object.entries(themes) as [ThemeName, ThemeTokens][];

describe.each(named)('the theme %s', (name, theme) => {
  const least = name === 'sunlight' ? 7 : 4.5;
  it.each(textPairs)(`writes %s on %s at ${least}:1 or more`, (text, ground) => {
    expect(contrast(theme[text], theme[ground])).toBeGreaterThanOrEqual(least);
  });

  it.each(shapePairs)('draws %s on %s at 3:1 or more', (shape, ground) => {
    expect(contrast(theme[shape], theme[ground])).toBeGreaterThanOrEqual(3);
  });
});

describe.each(named.filter(([, { marks }]) => marks === 'colour'))('the theme %s', (_name, theme) => {
  it.each(visionNames)('keeps the severities apart with %s vision', (vision) => {
    for (const [at, a] of severityTokens.entries()) {
      for (const b of severityTokens.slice(at + 1)) {
        expect(distance(theme[a], theme[b], vision), `${a} and ${b}`).toBeGreaterThan(11);
      }
    }
  });
});

it('has no grey under 7:1 and doubled lines in sunlight', () => {
  const { stroke, line, lineStrong, textQuiet, surface, mapCoast, mapBorder, mapLand } = themes.sunlight;
  expect(stroke).toBe(2);
  for (const grey of [line, lineStrong, textQuiet]) expect(contrast(grey, surface)).toBeGreaterThanOrEqual(7);
  for (const grey of [mapCoast, mapBorder]) expect(contrast(grey, mapLand)).toBeGreaterThanOrEqual(7);
});

it('has no green and no blue in red, shadows included, and tells severities by shape', () => {
  const { scheme, stroke, marks, ...colours } = themes.red;
  expect([scheme, stroke, marks]).toEqual(['dark', 1, 'shape']);
  for (const [token, colour] of Object.entries(colours)) {
    expect(colour, token).toMatch(/^(#[0-9a-f]{2}0000|rgba\(\d+, 0, 0, [\d.]+\))$/);
  }
});

describe('the theme that is drawn', () => {
  const schedule = { day: 'sunlight', night: 'red', dayFrom: 6 * 60, nightFrom: 20 * 60 } as const;
  const minute = fc.integer({ min: 0, max: 1_439 });

  it('follows the system only when the preference says so', () => {
    expect(themeFor({ theme: 'system', schedule }, true, 720)).toBe('night');
    expect(themeFor({ theme: 'system', schedule }, false, 0)).toBe('day');
    for (const theme of themeNames) expect(themeFor({ theme, schedule }, true, 0)).toBe(theme);
    expect(systemTheme(true)).toBe('night');
  });

  it.each([
    [0, 'red'],
    [359, 'red'],
    [360, 'sunlight'],
    [1_199, 'sunlight'],
    [1_200, 'red'],
    [1_439, 'red'],
  ] as const)('is at minute %i of a schedule from 06:00 to 20:00 %s', (at, expected) => {
    expect(themeFor({ theme: 'schedule', schedule }, false, at)).toBe(expected);
  });

  it('changes twice a day at the two minutes, over midnight too, and never where they are one', () => {
    fc.assert(
      fc.property(minute, minute, (dayFrom, nightFrom) => {
        const at = (now: number) =>
          themeFor({ theme: 'schedule', schedule: { ...schedule, dayFrom, nightFrom } }, false, now);
        expect(at(dayFrom)).toBe('sunlight');
        const changes = Array.from({ length: 1_440 }, (_, now) => now).filter(
          (now) => at(now) !== at((now + 1_439) % 1_440),
        );
        const expected = dayFrom === nightFrom ? [] : [dayFrom, nightFrom].sort((a, b) => a - b);
        expect(changes).toEqual(expected);
      }),
    );
  });

  it('goes by the minute on the computer’s own clock face', () => {
    const noon = new Date(2026, 5, 1, 12, 34, 56).getTime();
    expect(minuteOfDay(noon)).toBe(12 * 60 + 34);
  });

  it('is switched between light and dark in one press', () => {
    expect(themeNames.map(otherTheme)).toEqual(['night', 'day', 'night', 'day']);
  });
});
