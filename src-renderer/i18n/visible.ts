import { codePointMark, hiddenCharacters } from '../../src-preload/contract/index.ts';

/**
 * The letters of Cyrillic, Greek, Armenian, Cherokee, Coptic and Lisu that look like Latin ones (Unicode TR39,
 * `confusables.txt`). The whole table is too large for the first paint; a test compares the two.
 */
export const latinLookAlikes: ReadonlySet<string> = new Set(
  'ͿΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγινορσυϜϨϳϺЅІЈАВЕЗКМНОРСТУХЫЬЮабгеорсухѕіјѡѴѵґҮүһҽӀӏӔӕӠԁԌԛԜԝՍՏՕա' +
    'գզհոռսցքօᎠᎡᎢᎤᎥᎩᎪᎫᎬᎮᎳᎷᎻᎽᏀᏂᏃᏎᏏᏒᏔᏕᏙᏚᏞᏟᏢᏦᏧᏮᏳᏴᴦⲅⲎⲒⲔⲘⲚⲞⲟⲢⲣⲤⲥⲦⲨⲬⲺⳆⳊⳌⳐⳒꓐꓑꓒꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦ' +
    'ꓧꓪꓫꓬꓮꓰꓲꓳꓴꓸꓹꓺꓻꓽꙄꙇꚘꚙꭵꮁꮃꮓꮩꮪꮯ',
);

const isPlain = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

const words = /[\p{L}\p{M}\p{N}]+/gu;
/** Letters of other alphabets that look like Latin ones, mathematical letters, and wide ones. */
const foreignLetters =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}\uff21-\uff5a\u{1d400}-\u{1d7ff}]/gu;

const looksLatin = (letter: string): boolean => isPlain(letter) || latinLookAlikes.has(letter);

/** Marks letters of another alphabet that look like Latin ones, in a word that has Latin letters too. */
const markLookAlikes = (word: string): string =>
  isPlain(word) || !/[a-z]/i.test(word)
    ? word
    : word.replaceAll(foreignLetters, (letter) =>
        looksLatin(letter.normalize('NFKC')) ? codePointMark(letter) : letter,
      );

const shown = (text: string, markOf: (character: string) => string): string =>
  isPlain(text) ? text : text.replaceAll(hiddenCharacters, markOf).replaceAll(words, markLookAlikes);

/**
 * What another has written, as it may be shown: characters that are invisible, that change the direction of others, or
 * that look like other letters are marks such as `[U+202E]`. Only for display: ids go to the service as they came.
 */
export const visible = (text: string): string => shown(text, codePointMark);

/** Whether a text has characters that are shown as marks. */
export const hasMarks = (text: string): boolean => visible(text) !== text;

/** Line ends, and direction marks that some of the console's sentences begin with. */
const ownMarks: ReadonlySet<string> = new Set(['\n', '\t', '\u200e', '\u200f']);
/** What the console's sentences put around values. */
const isolates: Readonly<Record<string, number | undefined>> = { '\u2066': 1, '\u2068': 1, '\u2069': -1 };

/** Whether each isolate that begins in a text ends in it. */
function isBalanced(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    depth += isolates[character] ?? 0;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** A sentence with values that another has written, or a text of several lines; its own isolates stay. */
export const visibleSentence = (text: string): string =>
  shown(text, (character) =>
    ownMarks.has(character) || (isolates[character] !== undefined && isBalanced(text))
      ? character
      : codePointMark(character),
  );

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** From a letter or digit to one: its place and order are the same with and without isolation. */
const keepsItsOrder = /^[\p{L}\p{N}](?:.*[\p{L}\p{N}])?$/su;

/** A value within a sentence: visible, and isolated where it would be read in another order, or turn the sentence. */
export function inSentence(value: string, direction: 'ltr' | 'rtl'): string {
  const text = visibleSentence(value);
  const hasOwn = rightToLeft.test(text);
  const turns = direction === 'ltr' ? hasOwn : /[a-z]/i.test(text) && (hasOwn || !keepsItsOrder.test(text));
  return turns ? `\u2068${text}\u2069` : text;
}
