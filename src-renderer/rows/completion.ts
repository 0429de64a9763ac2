import { fold } from './fold.ts';
import { searchFields } from './searchQuery.ts';

/** What may stand after a field's name: the values that the data has shown. */
export type Completions = Readonly<Partial<Record<(typeof searchFields)[number], readonly string[]>>>;

const most = 8;

/**
 * How the word at the end of a text may go on: a field's name, or a value after one. Each is the whole text
 * with the word completed. Nothing for a word that is finished or too short to guess at.
 */
export function completions(text: string, values: Completions): readonly string[] {
  const [word = ''] = /\S*$/.exec(text) ?? [];
  const before = text.slice(0, text.length - word.length);
  const [, field, begun] = /^([a-z]+):"?(.*)$/iu.exec(word) ?? [];
  if (field === undefined || begun === undefined) {
    const begins = fold(word);
    if (begins.length < 2) return [];
    return searchFields.filter((name) => name.startsWith(begins)).map((name) => `${before}${name}:`);
  }
  const name = searchFields.find((one) => one === field.toLowerCase());
  const offered = name === undefined ? [] : (values[name] ?? []);
  return offered
    .filter((value) => value !== '' && fold(value).startsWith(fold(begun)) && fold(value) !== fold(begun))
    .slice(0, most)
    .map((value) => `${before}${field}:${/\s/.test(value) ? `"${value}"` : value} `);
}
