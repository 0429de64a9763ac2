import type { Language } from '../../src-preload/contract/index.ts';

/** How French joins "de" with a name that follows it: d’Orléans, du Havre, des Abymes; but de Yaoundé. */
const french: readonly (readonly [from: RegExp, to: string])[] = [
  [/\bde (\u2068?)Le /g, 'du $1'],
  [/\bde (\u2068?)Les /g, 'des $1'],
  [/\bde (\u2068?(?:[AEIOUÀÂÄÉÈÊËÎÏÔÖÛÜŒÆ]|Y(?![aeiouéè])))/g, 'd’$1'],
];

/** A sentence about a town as the language joins the name to it. */
export const withNamesJoined = (sentence: string, language: Language): string =>
  language === 'fr' ? french.reduce((text, [from, to]) => text.replace(from, to), sentence) : sentence;
