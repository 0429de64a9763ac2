import { foldWord } from '../../../../src-preload/contract/index.ts';
import type { PhraseId } from './message.ts';

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
 * Spellings tell no words apart that fold to the same.
 */
export const knownWord = (word: string): PhraseId | null => words.get(foldWord(word)) ?? null;
