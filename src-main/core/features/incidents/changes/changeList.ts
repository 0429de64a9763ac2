import { z } from 'zod';
import {
  foldWord,
  incidentChangeSchema,
  mostChanged,
  type Changes,
  type IncidentChange,
} from '../../../../../src-preload/contract/index.ts';
import type { IncidentRecord } from '../../../state/incident.ts';

const entrySchema = z.strictObject({
  id: z.string(),
  isNew: z.boolean(),
  changes: z.array(incidentChangeSchema).max(8),
});
/** What the operator has not seen yet of one incident: that it is new, and its changes, each field once. */
export type ChangeEntry = z.infer<typeof entrySchema>;

const documentSchema = z.strictObject({
  version: z.literal(1),
  /** Server time up to which the console has watched; what was created later and was not known is new. */
  watchedUntil: z.number(),
  entries: z.array(z.unknown()),
});

/** Reads the document; an entry that is not valid must not cost the others. Null where there is no document. */
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

/** What changed of incidents since the operator looked. One that is as it was then has not changed. */
export class ChangeList {
  /** In the order of the last change. */
  readonly #entries = new Map<string, ChangeEntry>();

  load(entries: readonly ChangeEntry[]): void {
    for (const entry of entries.slice(-mostChanged)) this.#entries.set(entry.id, entry);
  }

  get ids(): Changes {
    const entries = [...this.#entries.values()];
    return {
      changed: entries.flatMap(({ id, isNew }) => (isNew ? [] : [id])),
      fresh: entries.flatMap(({ id, isNew }) => (isNew ? [id] : [])),
    };
  }

  text(watchedUntil: number): string {
    return JSON.stringify({ version: 1, watchedUntil, entries: [...this.#entries.values()] });
  }

  /** An incident came. */
  noteNew(id: string): void {
    this.#put({ id, isNew: true, changes: [] });
  }

  /** An incident is another than before. @returns whether that is to be told. */
  note(before: IncidentRecord, after: IncidentRecord, at: number): boolean {
    const changes = changesBetween(before, after, at);
    if (changes.length === 0) return false;
    const entry = this.#entries.get(after.id) ?? { id: after.id, isNew: false, changes: [] };
    this.#put({ ...entry, changes: merged(entry.changes, changes) });
    return true;
  }

  /** Somebody looks: what there is to be said, and it is said. Null for nothing. */
  see(id: string): ChangeEntry | null {
    const entry = this.#entries.get(id) ?? null;
    this.#entries.delete(id);
    return entry;
  }

  #put(entry: ChangeEntry): void {
    this.#entries.delete(entry.id);
    if (!entry.isNew && entry.changes.length === 0) return;
    this.#entries.set(entry.id, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > mostChanged && oldest !== undefined) this.#entries.delete(oldest);
  }
}

/** Spellings of one word are no change. */
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

/** Each field once, from what it was first to what it is now. */
function merged(known: readonly IncidentChange[], later: readonly IncidentChange[]): IncidentChange[] {
  const joined = later.map((change) => {
    const earlier = known.find(({ field }) => field === change.field);
    return { ...change, from: earlier === undefined ? change.from : earlier.from };
  });
  const untouched = known.filter(({ field }) => !later.some((change) => change.field === field));
  return [...untouched, ...joined].filter(({ from, to }) => !same(from, to));
}
