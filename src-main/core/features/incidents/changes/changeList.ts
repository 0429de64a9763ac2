import { z } from 'zod';
import {
  changeFields,
  foldWord,
  incidentChangeSchema,
  mostChanged,
  type Changes,
  type IncidentChange,
} from '../../../../../src-preload/contract/index.ts';
import type { ConsoleStore } from '../../../state/consoleStore.ts';
import type { IncidentRecord } from '../../../state/incident.ts';

const entrySchema = z.strictObject({
  id: z.string(),
  isNew: z.boolean(),
  changes: z.array(incidentChangeSchema).max(8),
});
/** What the operator has not seen of one incident: that it is new, and its changes, each field once. */
export type ChangeEntry = z.infer<typeof entrySchema>;

const documentSchema = z.strictObject({
  version: z.literal(1),
  /** Server time up to which the console watched. An unknown incident created later is new. */
  watchedUntil: z.number(),
  entries: z.array(z.unknown()),
});

/** Reads the document. An invalid entry does not affect the others. Null where there is no document. */
export function readChanges(
  text: string | null,
): { readonly watchedUntil: number; readonly entries: readonly ChangeEntry[] } | null {
  let value: unknown;
  try {
    value = JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
  const { data } = documentSchema.safeParse(value);
  if (data === undefined) return null;
  return {
    watchedUntil: data.watchedUntil,
    entries: data.entries.flatMap((entry) => entrySchema.safeParse(entry).data ?? []),
  };
}

type Rules = Pick<ConsoleStore, 'scale' | 'isOpen'>;

/**
 * The changes of incidents since the operator looked at them. An incident with its earlier values has no changes, but
 * for a severity or status that it had meanwhile: an hour as critical counts although it is over.
 */
export class ChangeList {
  readonly #passing: Passing;
  /** In the order of their last change. */
  readonly #entries = new Map<string, ChangeEntry>();
  /** The numbers of their last changes. */
  readonly #numbers = new Map<string, number>();
  #last = 0;

  constructor(rules: Rules) {
    this.#passing = new Passing(rules);
  }

  load(entries: readonly ChangeEntry[]): void {
    for (const entry of entries.slice(-mostChanged)) this.#entries.set(entry.id, entry);
  }

  get unseen(): Changes {
    const entries = [...this.#entries.values()];
    return {
      changed: entries.flatMap(({ id, isNew, changes }) => {
        const change = changeFields.flatMap((name) => changes.find(({ field }) => field === name) ?? [])[0];
        return isNew || change === undefined ? [] : [{ id, change: this.#passing.shown(change) }];
      }),
      fresh: entries.flatMap(({ id, isNew }) => (isNew ? [id] : [])),
      last: this.#last,
    };
  }

  text(watchedUntil: number): string {
    return JSON.stringify({ version: 1, watchedUntil, entries: [...this.#entries.values()] });
  }

  /** A new incident came. */
  noteNew(id: string): void {
    this.#put({ id, isNew: true, changes: [] });
  }

  /**
   * An incident changed.
   *
   * @returns whether there is something new to show.
   */
  note(before: IncidentRecord, after: IncidentRecord, at: number): boolean {
    const changes = changesBetween(before, after, at);
    if (changes.length === 0) return false;
    const entry = this.#entries.get(after.id) ?? { id: after.id, isNew: false, changes: [] };
    this.#put({ ...entry, changes: this.#merged(entry.changes, changes) });
    return true;
  }

  /** The operator looks: returns the unseen changes and removes them. Null for none. */
  see(id: string): ChangeEntry | null {
    const entry = this.#entries.get(id) ?? null;
    this.#drop(id);
    return entry && { ...entry, changes: entry.changes.map((change) => this.#passing.shown(change)) };
  }

  /** The operator has seen what there was when `last` was the number of the last change. */
  seeAll(last: number): void {
    for (const id of [...this.#entries.keys()]) if ((this.#numbers.get(id) ?? 0) <= last) this.#drop(id);
  }

  /** Each field once, from its first to its present value. */
  #merged(known: readonly IncidentChange[], later: readonly IncidentChange[]): IncidentChange[] {
    const joined = later.map((change) => {
      const earlier = known.find(({ field }) => field === change.field);
      return earlier === undefined ? change : this.#passing.joined(earlier, change);
    });
    const untouched = known.filter(({ field }) => !later.some((change) => change.field === field));
    return [...untouched, ...joined].filter(({ from, to, meanwhile }) => meanwhile || !same(from, to));
  }

  #put(entry: ChangeEntry): void {
    this.#drop(entry.id);
    if (!entry.isNew && entry.changes.length === 0) return;
    this.#last += 1;
    this.#numbers.set(entry.id, this.#last);
    this.#entries.set(entry.id, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > mostChanged && oldest !== undefined) this.#drop(oldest);
  }

  #drop(id: string): void {
    this.#entries.delete(id);
    this.#numbers.delete(id);
  }
}

/** Another spelling of the same word is no change. */
function changesBetween(before: IncidentRecord, after: IncidentRecord, at: number): IncidentChange[] {
  const words = [
    ['severity', before.severity, after.severity],
    ['status', before.status, after.status],
    ['type', before.incidentType, after.incidentType],
  ] as const;
  const changes: IncidentChange[] = words.flatMap(([field, from, to]) =>
    foldWord(from) === foldWord(to) ? [] : [{ field, from, to, at }],
  );
  if (before.evidenceCount !== after.evidenceCount)
    changes.push({ field: 'evidence', from: before.evidenceCount, to: after.evidenceCount, at });
  const [from, to] = [placeOf(before), placeOf(after)];
  if (from !== to) changes.push({ field: 'location', from, to, at });
  return changes;
}

const placeOf = ({ location }: IncidentRecord): string | null =>
  location === null ? null : `${location.latitude}, ${location.longitude}`;

const same = (a: IncidentChange['from'], b: IncidentChange['to']): boolean =>
  typeof a === 'string' && typeof b === 'string' ? foldWord(a) === foldWord(b) : a === b;

type Meanwhile = NonNullable<IncidentChange['meanwhile']>;

/** What a severity or status was between two looks: one period of each, the most notable, so that it is bounded. */
class Passing {
  readonly #rules: Rules;

  constructor(rules: Rules) {
    this.#rules = rules;
  }

  /** Two changes of one field as one. */
  joined(earlier: IncidentChange, later: IncidentChange): IncidentChange {
    const { from } = earlier;
    const meanwhile = this.#mostNotable(earlier, later.at);
    return { ...later, from, ...(meanwhile && { meanwhile }) };
  }

  /**
   * The change as it is shown: what it was meanwhile counts where it is back to what it was, and where it was worse than
   * both, or closed between two open ones. Else it is a step on the way.
   */
  shown(change: IncidentChange): IncidentChange {
    const { meanwhile, ...plain } = change;
    if (meanwhile === undefined || same(change.from, change.to)) return change;
    const [value, from, to] = [meanwhile.value, change.from, change.to].map((one) =>
      this.#weight(change, one),
    ) as [number, number, number];
    return value > Math.max(from, to) ? change : plain;
  }

  /** Of the period that ends with `until` and the one that was the most notable before it; of equals the later. */
  #mostNotable(earlier: IncidentChange, until: number): Meanwhile | undefined {
    const { from, to: value, at: since, meanwhile } = earlier;
    if (typeof value !== 'string' || !isPassing(earlier) || same(from, value)) return meanwhile;
    const ending: Meanwhile = { value, since, until };
    return meanwhile && this.#weight(earlier, meanwhile.value) > this.#weight(earlier, value)
      ? meanwhile
      : ending;
  }

  /** Greater for the more notable: a severity by its scale, a status where it is open and `from` is not, or the reverse. */
  #weight({ field, from }: IncidentChange, value: IncidentChange['from']): number {
    const rules = this.#rules;
    if (field === 'severity') return rules.scale.classOf(textOf(value)).weight;
    return Number(rules.isOpen(textOf(value)) !== rules.isOpen(textOf(from)));
  }
}

const isPassing = ({ field }: IncidentChange): boolean => field === 'severity' || field === 'status';

const textOf = (value: IncidentChange['from']): string => (value === null ? '' : String(value));
