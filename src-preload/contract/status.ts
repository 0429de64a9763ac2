import { foldWord } from './wordFold.ts';

/** What several spellings of one status are to every filter and count. */
export interface StatusClass {
  /** The same for every spelling, and for no spelling of another class. */
  readonly key: string;
  /** How it is named where the service's own spelling is not asked for. */
  readonly name: string;
  /** Whether it is one of the specification's. */
  readonly known: boolean;
  /** Whether an incident with it asks for nothing more. */
  readonly over: boolean;
}

/**
 * The statuses of the specification (interface: States and transitions), each with the words that mean the
 * same. The set is open: every other word is a class by itself, and counts as open, since nothing proves that
 * the incident is over.
 */
const known: readonly StatusClass[] = [
  { key: 'open', name: 'open', known: true, over: false },
  { key: 'resolved', name: 'resolved', known: true, over: true },
];
const synonyms: ReadonlyMap<string, string> = new Map([
  ['opened', 'open'],
  ['closed', 'resolved'],
  ['solved', 'resolved'],
]);

/** The class of a status as the service wrote it. The one place that says which statuses are the same. */
export function statusClassOf(text: string): StatusClass {
  const folded = foldWord(text);
  const key = synonyms.get(folded) ?? folded;
  return known.find((one) => one.key === key) ?? { key, name: text.trim(), known: false, over: false };
}
