import { hiddenCharacters } from '../../../../src-preload/contract/index.ts';
import { z } from 'zod';

const wordsLimit = 300;
const text = z.string().catch('');
const envelope = z.object({ error: text, message: text, detail: text }).partial();

/**
 * The service's own words from its small JSON envelope (interface: Errors; only `error` of a failed login is
 * specified). Only for display, never for decisions; null when there are none.
 */
export function readWords(body: unknown): string | null {
  for (const candidate of readTexts(body)) {
    const words = cleanWords(candidate);
    if (words !== '') return words;
  }
  return null;
}

/** The complete texts of the envelope. One of them becomes the words. */
export function readTexts(body: unknown): readonly string[] {
  const read = envelope.safeParse(body);
  if (!read.success) return [];
  const { error = '', message = '', detail = '' } = read.data;
  return [error, message, detail];
}

/**
 * One line of at most 300 characters, without those that show nothing or change the direction of text: the service's words must not rearrange the console's sentence.
 */
function cleanWords(words: string): string {
  const plain = words
    // Shortened first, so that a string of 10 MB costs nothing.
    .slice(0, wordsLimit * 8)
    .replace(hiddenCharacters, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
    .toWellFormed();
  return plain.length <= wordsLimit
    ? plain
    : `${plain
        .slice(0, wordsLimit - 1)
        .toWellFormed()
        .trimEnd()}…`;
}
