import { z } from 'zod';

const wordsLimit = 300;
const text = z.string().catch('');
const envelope = z.object({ error: text, message: text, detail: text }).partial();

/**
 * The service's own words from its small JSON envelope (interface: Errors; only `error` of a failed
 * login is specified). For display, never to branch on; null when there are none.
 */
export function readWords(body: unknown): string | null {
  for (const candidate of readTexts(body)) {
    const words = cleanWords(candidate);
    if (words !== '') return words;
  }
  return null;
}

/** The texts of the envelope as they came, of which one becomes the words. */
export function readTexts(body: unknown): readonly string[] {
  const read = envelope.safeParse(body);
  if (!read.success) return [];
  const { error = '', message = '', detail = '' } = read.data;
  return [error, message, detail];
}

/**
 * One line of at most 300 characters, without control characters and without those that turn the
 * direction of text: words from outside must not be able to rearrange the console's own sentence.
 */
function cleanWords(words: string): string {
  const plain = words
    // More than can be shown is cut first, so that 10 MB of one string cost nothing.
    .slice(0, wordsLimit * 8)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu, ' ')
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
