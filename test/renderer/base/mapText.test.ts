import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { LengthUnits } from '../../../src-preload/contract/index.ts';
import { labelName } from '../../../src-renderer/base/countryNames.ts';
import { lengthText } from '../../../src-renderer/base/units.ts';
import { i18n } from '../../../src-renderer/i18n/index.ts';
import { loadMessages } from '../../../src-renderer/i18n/languages.ts';
import { countryLabels, countryNames } from '../../../src-renderer/map/countryLabels.ts';
import { wrapped } from '../../../src-renderer/map/labelPainter.ts';
import { constantSize, labelField, readLabelImage, textSize } from '../../../src-renderer/map/labelText.ts';
import { fillingZoom } from '../../../src-renderer/map/oneWorld.ts';
import { roundLength } from '../../../src-renderer/map/scaleBar.ts';

async function speak(language: 'fr' | 'ar' | 'hi' | 'zh-Hans'): Promise<void> {
  i18n.global.setLocaleMessage(language, await loadMessages(language));
  i18n.global.locale.value = language;
}
afterEach(() => {
  i18n.global.locale.value = 'en';
});

describe('the names of countries on the map', () => {
  it('are those of the page’s language, parts of countries too', async () => {
    const said = (...codes: string[]) => codes.map(labelName);
    expect(said('US', 'CD', 'somaliland')).toEqual(['United States', 'Congo - Kinshasa', 'Somaliland']);
    await speak('ar');
    expect(said('IQ', 'EG', 'somaliland')).toEqual(['العراق', 'مصر', 'أرض الصومال']);
    await speak('hi');
    expect(said('IN', 'RU', 'northernCyprus')).toEqual(['भारत', 'रूस', 'उत्तरी साइप्रस']);
    await speak('zh-Hans');
    expect(said('CN', 'siachenGlacier')).toEqual(['中国', '锡亚琴冰川']);
  });

  it.each(['fr', 'ar', 'hi', 'zh-Hans'] as const)('are all known in %s', async (language) => {
    await speak(language);
    const names = countryNames(labelName);
    expect(names.length).toBeGreaterThan(230);
    // A code that nobody has a word for would stand there as it is.
    expect(names.filter((name) => /^[A-Z]{2}$|^[a-z]/.test(name))).toEqual([]);
    expect(countryLabels(labelName)).toMatchObject({
      features: names.map((name, rank) => ({ properties: { name, rank } })),
    });
  });
});

describe('a name that is painted', () => {
  it('is asked for by its size and its text, whatever is in it', () => {
    expect(readLabelImage('label|13|بغداد')).toEqual({ size: 13, text: 'بغداد' });
    expect(readLabelImage('label|11|a|b')).toEqual({ size: 11, text: 'a|b' });
    expect(readLabelImage('m|0|12')).toBeNull();
  });

  it('is broken at its spaces into lines that fit, and loses no word', () => {
    const width = (line: string): number => [...line].length;
    expect(wrapped('المملكة العربية السعودية', 16, width)).toEqual(['المملكة العربية', 'السعودية']);
    expect(wrapped('संयुक्त', 3, width)).toEqual(['संयुक्त']);
    const word = fc.stringMatching(/^\S{1,12}$/u);
    fc.assert(
      fc.property(fc.array(word), fc.integer({ min: 1, max: 30 }), (words, most) => {
        const lines = wrapped(words.join('  '), most, width);
        expect(lines.join(' ')).toBe(words.join(' '));
        for (const line of lines) expect(!line.includes(' ') || width(line) <= most).toBe(true);
      }),
    );
  });

  it('is as large as the text that it stands for is laid out, at each zoom and text size', () => {
    const name = ['get', 'name'] as ['get', string];
    const size = {
      base: 1,
      stops: [
        [4, 10],
        [6, 14],
      ],
    } as const;
    const sizes = (scale: number): unknown[] =>
      [...JSON.stringify(labelField(name, size, scale)).matchAll(/\["round",([\d.]+)\]/g)].map(([, px]) =>
        Number(px),
      );
    // At zooms below 4 as at 4; a text of zoom 4 is laid out as at 5.
    expect(sizes(1)).toEqual([10, 12, 14]);
    expect(sizes(1.5)).toEqual([15, 18, 21]);
    expect(textSize(size, 1.5)).toEqual(['interpolate', ['exponential', 1], ['zoom'], 4, 15, 6, 21]);
    expect(textSize(constantSize(11), 2)).toBe(22);
    expect(JSON.stringify(labelField(name, constantSize(11), 2))).toContain('["round",22]');
  });
});

describe('the scale bar', () => {
  it('is the longest round length that fits, in the largest unit there is one of', () => {
    const said = (most: number, units: LengthUnits): string => lengthText(roundLength(most, units), units);
    expect(said(999, 'metric')).toBe('500 m');
    expect(said(1_000, 'metric')).toBe('1 km');
    expect(said(2_950_000, 'metric')).toBe('2,000 km');
    expect(said(3_500, 'imperial')).toBe('2 mi');
    expect(said(1_000, 'imperial')).toBe('3,000 ft');
    expect(said(9_300, 'nautical')).toBe('5 NM');
    expect(said(400, 'nautical')).toBe('0.2 NM');
    expect(said(150, 'nautical')).toBe('100 m');
  });

  it('never is longer than what fits, nor shorter than half of it', () => {
    const most = fc.double({ min: 1, max: 4e6, noNaN: true });
    fc.assert(
      fc.property(most, fc.constantFrom('metric', 'imperial', 'nautical'), (metres, units) => {
        const length = roundLength(metres, units);
        expect(length).toBeLessThanOrEqual(metres * (1 + 1e-9));
        expect(length * 2).toBeGreaterThanOrEqual(metres * (1 - 1e-9));
      }),
    );
  });

  it('says its length in the page’s language', async () => {
    await speak('ar');
    expect(lengthText(2_000_000, 'metric')).toBe('2,000\u00a0كم');
    await speak('zh-Hans');
    expect(lengthText(roundLength(40_000, 'nautical'), 'nautical')).toBe('20\u00a0海里');
  });
});

it('the world is as wide as the map at its least zoom', () => {
  expect(fillingZoom(512)).toBe(0);
  expect(fillingZoom(2_048)).toBe(2);
  expect(fillingZoom(256)).toBe(-1);
  expect(fillingZoom(0)).toBe(-2);
});
