import { fold } from '../../table/fold.ts';

/**
 * How well a name answers what was typed, the lower the better; null for not at all. Every typed word has to
 * be found: at the start of a word, in the words' first letters, within the name, or letter by letter in order.
 */
export function rankName(name: string, typed: string): number | null {
  const text = fold(name);
  const whole = fold(typed).trim();
  if (whole === '' || text.startsWith(whole)) return 0;
  let worst = 0;
  for (const word of whole.split(/\s+/)) {
    const rank = rankWord(text, word);
    if (rank === null) return null;
    worst = Math.max(worst, rank);
  }
  return worst;
}

function rankWord(text: string, word: string): number | null {
  const words = text.split(/[^\p{L}\p{N}]+/u);
  if (words.some((one) => one.startsWith(word))) return 1;
  const initials = words.map((one) => one.charAt(0)).join('');
  if (word.length > 1 && initials.includes(word)) return 2;
  if (text.includes(word)) return 3;
  return isInPieces(words, word) ? 4 : null;
}

/** Whether a word is made of beginnings of words, in their order: `shmap` of "show all incidents on the map". */
function isInPieces(words: readonly string[], word: string): boolean {
  if (word === '') return true;
  return words.some((one, at) => {
    for (let length = 1; length <= word.length && one.startsWith(word.slice(0, length)); length += 1)
      if (isInPieces(words.slice(at + 1), word.slice(length))) return true;
    return false;
  });
}

/** Those that answer, the best first; of equally good ones the recently used, then as they came. */
export function bestNames<T extends { readonly id: string; readonly name: string }>(
  all: readonly T[],
  typed: string,
  recent: readonly string[],
): readonly T[] {
  const lateness = (id: string): number => {
    const at = recent.indexOf(id);
    return at < 0 ? recent.length : at;
  };
  return all
    .flatMap((one, at) => {
      const rank = rankName(one.name, typed);
      return rank === null ? [] : { one, rank, at };
    })
    .sort((a, b) => a.rank - b.rank || lateness(a.one.id) - lateness(b.one.id) || a.at - b.at)
    .map(({ one }) => one);
}
