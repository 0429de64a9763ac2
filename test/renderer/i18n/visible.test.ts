import fc from 'fast-check';
import prototypes from 'unhomoglyph/data.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { skeleton } from '../../../src-renderer/i18n/skeleton.ts';
import {
  hasMarks,
  inSentence,
  latinLookAlikes,
  visible,
  visibleSentence,
} from '../../../src-renderer/i18n/visible.ts';
import { t } from '../../../src-renderer/i18n/index.ts';
import { codePoint } from '../../support/codePoints.ts';

describe('what another has written', () => {
  it.each([
    ['survey-\u202e71-reviled', 'survey-[U+202E]71-reviled'],
    ['Survey \u202edoof ylppus\u202c east', 'Survey [U+202E]doof ylppus[U+202C] east'],
    ['deliver-17\u200b', 'deliver-17[U+200B]'],
    ['d\u0435liver-17', 'd[U+0435]liver-17'],
    ['tag-1\u{e0041}\u{e0042}', 'tag-1[U+E0041][U+E0042]'],
    ['erif\u202efire', 'erif[U+202E]fire'],
    ['HQ \u202elaer ton\u202c', 'HQ [U+202E]laer ton[U+202C]'],
    ['a\u2067b\u2069', 'a[U+2067]b[U+2069]'],
    ['ab\u200e', 'ab[U+200E]'],
    ['soft\u00adhyphen', 'soft[U+00AD]hyphen'],
    ['\ufeffbom', '[U+FEFF]bom'],
    ['a\nb\tc\0', 'a[U+000A]b[U+0009]c[U+0000]'],
    ['filler\u3164', 'filler[U+3164]'],
    ['braille\u2800', 'braille[U+2800]'],
    ['private\ue000', 'private[U+E000]'],
    ['half\ud83d', 'half[U+D83D]'],
    ['1\ufe0f', '1[U+FE0F]'],
    ['drone\u200d1', 'drone[U+200D]1'],
    ['de\uff4civer', 'de[U+FF4C]iver'],
    ['\u{1d41a}bc', '[U+1D41A]bc'],
  ])('%j shows its hidden characters', (text, shown) => {
    expect(visible(text)).toBe(shown);
    expect(hasMarks(text)).toBe(true);
  });

  it.each([
    'deliver-17',
    'Crue à Besançon, «\u00a0rive gauche\u00a0»',
    'Łódź, Kızılay, Ærø, naïve',
    'наводнение',
    'Πλημμύρα 10 μSv, 5 kΩ',
    'حريق في المستودع',
    'می\u200cخواهم',
    'क्\u200dष और क्\u200cष',
    '洪水 A 区',
    '🚁 👩\u200d🚒 🏗\ufe0f 👩🏽\u200d⚕\ufe0f',
    '',
  ])('%j is shown as it is', (text) => {
    expect(visible(text)).toBe(text);
    expect(hasMarks(text)).toBe(false);
  });

  it('never shows a character that shows nothing, and keeps what can be seen', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint, maxLength: 40 }), (text) => {
        const shown = visible(text);
        expect(visible(shown)).toBe(shown);
        expect(shown).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Cs}]/u);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a value in a sentence', () => {
  it('cannot turn the sentence round', () => {
    const said = t('core.alarm.new', { heading: 'High', type: 'erif\u202efire', place: 'Tomé' });
    expect(said).toBe('High: erif[U+202E]fire, Tomé.');
  });

  it('is isolated where it is read in the other direction', () => {
    expect(inSentence('حريق', 'ltr')).toBe('\u2068حريق\u2069');
    expect(inSentence('fire (1)', 'rtl')).toBe('\u2068fire (1)\u2069');
    expect(inSentence('fire حريق', 'rtl')).toBe('\u2068fire حريق\u2069');
    for (const [value, direction] of [
      ['fire (1)', 'ltr'],
      ['حريق', 'rtl'],
      ['Vienna, AT', 'rtl'],
      ['12', 'rtl'],
    ] as const)
      expect(inSentence(value, direction)).toBe(value);
  });

  it('may be a sentence itself, whose isolates stay', () => {
    const inner = t('core.alarm.new', { heading: 'High', type: 'حريق', place: 'x' });
    expect(inner).toContain('\u2068حريق\u2069');
    expect(visibleSentence(inner)).toBe(inner);
    expect(visibleSentence('two\nlines\u202e')).toBe('two\nlines[U+202E]');
    expect(visibleSentence('out\u2069 of \u2068it')).toBe('out[U+2069] of [U+2068]it');
  });
});

it('knows each letter of another alphabet that looks like a Latin one, and no other', () => {
  const letter =
    /^[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}]$/u;
  const wanted = Object.entries(prototypes).filter(
    ([from, to]) =>
      letter.test(from) &&
      /^\p{L}$/u.test(from) &&
      /^[\x20-\x7e]*$/.test(to) &&
      from.normalize('NFKC') === from,
  );
  expect([...latinLookAlikes].sort()).toEqual(wanted.map(([from]) => from).sort());
});

describe('two texts read alike', () => {
  it.each([
    ['deliver-17', 'deliver-17\u200b'],
    ['deliver-17', 'd\u0435liver-17'],
    ['deliver-17', 'deliver-l7'],
    ['survey-10', 'survey-I0'],
    ['scope', '\u0455\u0441\u043e\u0440\u0435'],
    ['deliver 17', 'deliver\u00a017 '],
    ['Ok', '\uff2fk'],
    ['café', 'cafe\u0301'],
  ])('%j and %j', (one, other) => {
    expect(skeleton(one)).toBe(skeleton(other));
  });

  it.each([
    ['deliver-17', 'deliver-18'],
    ['deliver-17', 'Deliver-17'],
    ['наводнение', 'наводнения'],
    ['', 'a'],
  ])('but not %j and %j', (one, other) => {
    expect(skeleton(one)).not.toBe(skeleton(other));
  });
});
