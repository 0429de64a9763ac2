import { statusClassOf, type SeverityScale } from '../../../src-preload/contract/index.ts';
import { typeClassOf } from '../../base/query.ts';

/** An entry of a filter's menu: one class of values, with what it would show. */
export interface FilterEntry {
  readonly key: string;
  /** As it is named, and as a query holds it. */
  readonly value: string;
  readonly rows: number;
}

/** Of a service that makes up a severity for each incident the filter has the rest. */
export const mostChips = 6;

interface Class {
  readonly key: string;
  readonly name: string;
}

/** Each class of `texts` once, in the order in which they come. */
function classesOf<C extends Class>(texts: readonly string[], classOf: (text: string) => C): C[] {
  const classes = new Map<string, C>();
  for (const text of texts) {
    const one = classOf(text);
    if (!classes.has(one.key)) classes.set(one.key, one);
  }
  return [...classes.values()];
}

const entryOf = ({ key, name }: Class, counts: ReadonlyMap<string, number>): FilterEntry => ({
  key,
  value: name,
  rows: counts.get(key) ?? 0,
});

/** Severities in whatever spellings, the worst first; `counts` by key (table/filter.ts). */
export const severityEntries = (
  texts: readonly string[],
  counts: ReadonlyMap<string, number>,
  scale: SeverityScale,
): readonly FilterEntry[] =>
  classesOf(texts, scale.classOf)
    // Beside one that weighs the same, what has a rank stands first: it is where the eye looks for it.
    .sort((a, b) => b.weight - a.weight || Number(b.known) - Number(a.known))
    .map((one) => entryOf(one, counts));

/** Statuses in whatever spellings, in the order in which they come. */
export const statusEntries = (
  texts: readonly string[],
  counts: ReadonlyMap<string, number>,
): readonly FilterEntry[] => classesOf(texts, statusClassOf).map((one) => entryOf(one, counts));

/** Types in whatever spellings, the most frequent first. */
export const typeEntries = (
  texts: readonly string[],
  counts: ReadonlyMap<string, number>,
): readonly FilterEntry[] =>
  classesOf(texts, typeClassOf)
    .map((one) => entryOf(one, counts))
    .sort((a, b) => b.rows - a.rows);

/** The values of the entries that are chosen, in whatever spellings they were. */
export function chosenValues(
  entries: readonly FilterEntry[],
  chosen: readonly string[],
  classOf: (text: string) => Class,
): readonly string[] {
  const keys = new Set(chosen.map((text) => classOf(text).key));
  return entries.filter(({ key }) => keys.has(key)).map(({ value }) => value);
}
