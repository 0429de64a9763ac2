import type { TextTerm } from '../../../table/searchQuery.ts';
import { foldName } from '../../../base/gazetteer/index.ts';

/** A town under every name that it is found by, each folded by `foldName`. */
export interface FindableTown {
  readonly id: number;
  /** ISO 3166 alpha-2; empty where a territory has none. */
  readonly country: string;
  readonly folded: readonly string[];
}

/** Words of the longest name that is looked for among words of a search ("San Juan de los Morros"). */
const mostWords = 5;

/**
 * The towns that the words of a search name, by their numbers. Words without `place:` have to be a whole name, alone or
 * with their neighbours ("los angeles"); after `place:` the beginning of a name will do. A country stands for all of its
 * towns: `countriesOf` has those that a term names.
 */
export function townsOf(
  terms: readonly TextTerm[],
  towns: Iterable<FindableTown>,
  countriesOf: (term: TextTerm) => ReadonlySet<string>,
): ReadonlyMap<TextTerm, ReadonlySet<number>> {
  /** By the name that is looked for: the terms that it is made of. */
  const whole = new Map<string, Set<TextTerm>>();
  const begun: { readonly text: string; readonly term: TextTerm }[] = [];
  terms.forEach((term, from) => {
    if (term.field === 'place') begun.push({ text: foldName(term.text), term });
    if (term.field !== null) return;
    for (let until = from + 1; until <= Math.min(terms.length, from + mostWords); until += 1) {
      const part = terms.slice(from, until);
      if (part.some(({ field }) => field !== null)) break;
      const name = foldName(part.map(({ text }) => text).join(' '));
      const makers = whole.get(name) ?? new Set();
      for (const one of part) makers.add(one);
      whole.set(name, makers);
    }
  });
  const found = new Map<TextTerm, Set<number>>();
  const add = (term: TextTerm, id: number): void => {
    const ids = found.get(term) ?? new Set();
    ids.add(id);
    found.set(term, ids);
  };
  const lands = terms.map((term) => ({ term, countries: countriesOf(term) }));
  for (const { id, country, folded } of towns) {
    for (const { term, countries } of lands) if (countries.has(country)) add(term, id);
    for (const name of folded) {
      for (const term of whole.get(name) ?? []) add(term, id);
      for (const { text, term } of begun) if (text.length > 1 && name.startsWith(text)) add(term, id);
    }
  }
  return found;
}
