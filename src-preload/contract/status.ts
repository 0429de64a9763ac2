import { foldWord } from './wordFold.ts';

/** What several spellings of one status are to every filter and count. */
export interface StatusClass {
  /** The same for every spelling, and for no spelling of another class. */
  readonly key: string;
  /** How it is named where the service's own spelling is not asked for. */
  readonly name: string;
  /** Whether it is one of the specification's. */
  readonly known: boolean;
}

/**
 * The statuses of the specification (interface: States and transitions), each with the words that mean the
 * same. The set is open: every other word is its own class.
 */
const known: readonly StatusClass[] = [
  { key: 'open', name: 'open', known: true },
  { key: 'resolved', name: 'resolved', known: true },
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
  return known.find((one) => one.key === key) ?? { key, name: text.trim(), known: false };
}

/** Whether an incident with this status, as the service wrote it, still asks for something. */
export type IsOpen = (status: string) => boolean;

/** How many statuses a rule keeps the answers of: a service may send a new one with every incident. */
const mostKnown = 4096;
const noStatuses: readonly string[] = [];
/** Made once for each list: the state holds one, and every incident is looked up. */
const rules = new WeakMap<readonly string[], IsOpen>();

/**
 * Which statuses are open in a deployment: the one place that says so, for list, map, counts, alarms and reports.
 * A status is over when it means resolved or closed, or when it is one of `closed`, in whatever spelling. Every
 * other one counts as open, since nothing proves that the incident is over.
 */
export function openRule(closed: readonly string[] = noStatuses): IsOpen {
  const before = rules.get(closed);
  if (before !== undefined) return before;
  const over = new Set(['resolved', ...closed.map((status) => statusClassOf(status).key)]);
  const known = new Map<string, boolean>();
  const rule: IsOpen = (status) => {
    const before = known.get(status);
    if (before !== undefined) return before;
    const isOpen = !over.has(statusClassOf(status).key);
    if (known.size < mostKnown) known.set(status, isOpen);
    return isOpen;
  };
  rules.set(closed, rule);
  return rule;
}
