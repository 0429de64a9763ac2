import type { PhraseId } from './say.ts';

const words: ReadonlyMap<string, PhraseId> = new Map([
  ['critical', 'sheet.words.critical'],
  ['high', 'sheet.words.high'],
  ['medium', 'sheet.words.medium'],
  ['low', 'sheet.words.low'],
  ['open', 'sheet.words.open'],
  ['resolved', 'sheet.words.resolved'],
]);

/**
 * How a severity or a status of the specification is said; null for every other word, which stays as it came.
 * Case and blanks at the ends tell no words apart.
 */
export const knownWord = (word: string): PhraseId | null => words.get(word.trim().toLowerCase()) ?? null;
