import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromLeftToRight, isolated } from '../../../../src-main/core/features/exports/sheet/direction.ts';

/** What a reader sees from left to right, sign by sign. */
const seen = (text: string, base: 'ltr' | 'rtl' | null): string =>
  fromLeftToRight(text, base)
    .map((stretch) => (stretch.rightToLeft ? [...stretch.text].reverse().join('') : stretch.text))
    .join('');

describe('a line', () => {
  // Worked by hand from UAX #9, and the same as a browser draws them. `ABC` stand for Arabic letters.
  it.each([
    ['abc 123', 'ltr', 'abc 123'],
    ['ABC', 'rtl', 'CBA'],
    ['ABC DEF', null, 'FED CBA'],
    ['abc ABC DEF abc', 'ltr', 'abc FED CBA abc'],
    ['ABC abc DEF', 'rtl', 'FED abc CBA'],
    // Numbers keep their order, and so do what parts their digits.
    ['ABC 1,707 DEF', 'rtl', 'FED 1,707 CBA'],
    ['ABC 14:02 utc', 'rtl', 'utc 14:02 CBA'],
    ['22 ABC 2026', 'rtl', '2026 CBA 22'],
    ['ABC 50%.', 'rtl', '.%50 CBA'],
    // Signs in pairs are turned with the line.
    ['ABC (DEF)', 'rtl', '(FED) CBA'],
    ['ABC (6.2)', 'ltr', '(6.2) CBA'],
    // Words of another direction order themselves and nothing else.
    [`ABC: ${isolated('abc, 12')} DEF`, 'rtl', 'FED abc, 12 :CBA'],
    [`abc ${isolated('ABC 3')}, 4`, 'ltr', 'abc 3 CBA, 4'],
    [`abc ${isolated('ABC')} ${isolated('DEF')}`, 'ltr', 'abc CBA FED'],
    [`${isolated('-33.8, 151.2')} ABC`, 'rtl', 'CBA -33.8, 151.2'],
  ] as const)('%s in %s', (text, base, expected) => {
    const arabic = 'ابتثجح';
    const letters = (words: string): string =>
      words.replaceAll(/[A-F]/g, (sign) => arabic['ABCDEF'.indexOf(sign)] ?? '');
    expect(seen(letters(text), base)).toBe(letters(expected));
  });

  it('of whatever signs has each of them once, and closes what was left open', () => {
    const sign = fc.constantFrom(...'aب1٢ ,.-+%()[]«é\u0301\u0651', '\u2068', '\u2069');
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 24 }), fc.constantFrom('ltr', 'rtl', null), (signs, base) => {
        const text = signs.join('');
        const plain = (of: string): string[] =>
          [...of.replaceAll(/[\u2068\u2069]/g, '')].map(unturned).sort();
        expect(plain(seen(text, base))).toEqual(plain(text));
      }),
    );
  });
});

const pairs = '()[]{}<>«»‹›';
/** A sign of a pair, whichever way it looks. */
function unturned(sign: string): string {
  const at = pairs.indexOf(sign);
  return at < 0 ? sign : (pairs[at - (at % 2)] ?? sign);
}
