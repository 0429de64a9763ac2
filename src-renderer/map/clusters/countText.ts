/** What a cluster's mark says of its count. */
export type CountText = (count: number) => string;

/**
 * Counts as a language shortens them, exact below a thousand: `808`, `1.2k`, `1,2 mil`, `1.2 ألف`, `1.2万`.
 * Digits are Latin in every language, as everywhere on the page (base/format.ts). A number and its word are
 * parted by a blank where the language parts them.
 */
export function countTextOf(language: string): CountText {
  const short = new Intl.NumberFormat(language === 'en' ? 'en-GB' : language, {
    notation: 'compact',
    numberingSystem: 'latn',
  });
  return (count) => (count < 1_000 ? String(count) : short.format(count));
}

/** Counts of all lengths in one text: for its letters, whose fonts have to be there before they are drawn. */
export function countSample(language: string): string {
  const said = countTextOf(language);
  return Array.from({ length: 9 }, (_, power) => said(10 ** power)).join(' ');
}
