import { statusClassOf } from '../../src-preload/contract/index.ts';
import { fold } from './fold.ts';
import { idMatcher } from './ids.ts';
import type { SearchTerm, TextField, TextTerm } from './searchQuery.ts';
import type { IncidentTable } from './table.ts';

/** Tells whether a place is where a word says. Degrees. */
export interface PlaceArea {
  /** The same for areas that answer the same. */
  readonly id: string;
  readonly holds: (latitude: number, longitude: number) => boolean;
}

/** What a search needs beside the table. */
export interface SearchContext {
  /** Metres from the station for every row; null without a station. */
  readonly distances: Float64Array | null;
  /** Server time, Unix ms. */
  readonly now: number;
  /** Keys of the incidents with a blockchain record that holds a term's text; null where not known. */
  readonly anchored: (term: TextTerm) => ReadonlySet<number> | null;
  /** Where a term's text says, when it names a place. */
  readonly area: (term: TextTerm) => PlaceArea | null;
  /** Tells by key whether the town nearest to an incident goes by a term's text; null where no town does. */
  readonly beside: (term: TextTerm) => ((key: number) => boolean) | null;
}

export interface SearchResult {
  /** A byte per row of the table, 1 for those that satisfy every term. */
  readonly found: Uint8Array<ArrayBuffer>;
  readonly total: number;
  /** How many rows satisfy each term alone. */
  readonly counts: readonly number[];
}

const unknown = 0;
const no = 1;
const yes = 2;
/** How many rows are tested between two looks at the time. */
const stride = 2_048;

/** What is known of one test, by key: keys are small numbers that hold while row numbers change. */
class Verdicts {
  readonly id: string;
  /** Makes the test for the table as it is; again after every change of it. */
  readonly prepare: () => (row: number) => boolean;
  /** What every match of this one matches too, while this one is being found. */
  wider: Verdicts | null;
  bytes: Uint8Array<ArrayBuffer>;
  /** Rows before this one are known. */
  done = 0;

  constructor({
    id,
    prepare,
    wider,
    capacity,
  }: Pick<Verdicts, 'id' | 'prepare' | 'wider'> & { readonly capacity: number }) {
    this.id = id;
    this.prepare = prepare;
    this.wider = wider;
    this.bytes = new Uint8Array(capacity);
  }

  fit(capacity: number): void {
    if (this.bytes.length >= capacity) return;
    const grown = new Uint8Array(Math.ceil(capacity * 1.25));
    grown.set(this.bytes);
    this.bytes = grown;
  }
}

interface Condition {
  readonly term: SearchTerm;
  readonly verdicts: readonly Verdicts[];
}

/**
 * Searches a table in pieces and keeps the result right while the table changes. What a word matched is
 * kept by key, so a longer word only looks at what the shorter one found, a word that stays is not looked
 * for again, and a changed row costs one test.
 */
export class TableSearch {
  readonly #table: IncidentTable;
  readonly #foldedDictionaries = new Map<string, string[]>();
  #context: SearchContext;
  #wanted: readonly Condition[] = [];
  #shown: readonly Condition[] | null = null;
  #capacity = 0;
  #lengthBefore: number;

  constructor(table: IncidentTable, context: SearchContext) {
    this.#table = table;
    this.#context = context;
    this.#lengthBefore = table.length;
    this.#measureKeys();
  }

  /** Whether there is nothing left to do for what was last asked for. */
  get done(): boolean {
    return this.#shown === this.#wanted;
  }

  /** Asks for something else, or for the same in another context; `step` finds it. */
  ask(terms: readonly SearchTerm[], context: SearchContext): void {
    this.#context = context;
    const known = [...this.#all()];
    const made: Verdicts[] = [];
    const keep = (id: string, prepare: Verdicts['prepare'], wider: Verdicts | null): Verdicts => {
      const there = known.find((one) => one.id === id) ?? made.find((one) => one.id === id);
      if (there) return there;
      const fresh = new Verdicts({ id, prepare, wider, capacity: this.#capacity });
      made.push(fresh);
      return fresh;
    };
    this.#wanted = terms.map((term) => {
      if (term.kind !== 'text') return { term, verdicts: [] };
      const verdicts: Verdicts[] = [];
      if (term.field !== 'anchor' && term.field !== 'place') {
        const scope = `${term.field ?? 'any'} `;
        // A longer word may name a class that a shorter one did not find.
        const narrows = term.field !== 'severity' && term.field !== 'status';
        const wider = known.find(
          ({ id }) => narrows && id.startsWith(scope) && term.text.includes(id.slice(scope.length)),
        );
        verdicts.push(keep(scope + term.text, () => this.#textTest(term), wider ?? null));
      }
      const area = term.field === null || term.field === 'place' ? context.area(term) : null;
      if (area !== null) verdicts.push(keep(`area ${area.id}`, () => this.#areaTest(area), null));
      return { term, verdicts };
    });
  }

  /** Works until it is done or `isSpent` says that it was long enough. @returns whether it is done. */
  step(isSpent: () => boolean): boolean {
    for (const verdicts of new Set(this.#wanted.flatMap((condition) => condition.verdicts))) {
      if (!this.#advance(verdicts, isSpent)) return false;
    }
    this.#shown = this.#wanted;
    return true;
  }

  /** Call after every frame: rows that came or changed are tested at once. */
  tableChanged(): void {
    this.#measureKeys();
    const { changedKeys } = this.#table;
    // Within an epoch dictionaries only grow; another epoch begins with a frame of all rows.
    if (changedKeys === null) this.#foldedDictionaries.clear();
    for (const verdicts of this.#all()) {
      verdicts.fit(this.#capacity);
      // Rows may have moved before the place that was reached; those that are known are passed by quickly.
      const complete = verdicts.done >= this.#lengthBefore;
      verdicts.done = 0;
      if (changedKeys === null) {
        verdicts.bytes.fill(unknown);
        verdicts.wider = null;
        continue;
      }
      this.#testAgain(verdicts, changedKeys);
      if (complete) verdicts.done = this.#table.length;
    }
    this.#lengthBefore = this.#table.length;
    if (changedKeys === null) this.#shown = null;
  }

  /** What was found last, for the rows as they are now; null while nothing of this table has been. */
  result(context = this.#context): SearchResult | null {
    if (this.#shown === null) return null;
    this.#context = context;
    const { length } = this.#table;
    const passed = new Uint8Array(length);
    const counts = this.#shown.map((condition) => this.#count(condition, passed));
    let total = 0;
    const terms = this.#shown.length;
    for (let row = 0; row < length; row += 1) {
      const hit = passed[row] === terms ? 1 : 0;
      passed[row] = hit;
      total += hit;
    }
    return { found: passed, total, counts };
  }

  #all(): Set<Verdicts> {
    const conditions = [...this.#wanted, ...(this.#shown ?? [])];
    return new Set(conditions.flatMap(({ verdicts }) => verdicts));
  }

  #measureKeys(): void {
    const { changedKeys, columns } = this.#table;
    for (const key of changedKeys ?? columns.key) if (key >= this.#capacity) this.#capacity = key + 1;
  }

  #advance(verdicts: Verdicts, isSpent: () => boolean): boolean {
    const { length, columns } = this.#table;
    if (verdicts.done >= length) return true;
    const keys = columns.key;
    const { bytes, wider } = verdicts;
    const test = verdicts.prepare();
    while (verdicts.done < length) {
      const until = Math.min(length, verdicts.done + stride);
      for (let row = verdicts.done; row < until; row += 1) {
        const key = keys[row] as number;
        if (bytes[key] !== unknown) continue;
        bytes[key] = (wider === null || wider.bytes[key] !== no) && test(row) ? yes : no;
      }
      verdicts.done = until;
      if (until < length && isSpent()) return false;
    }
    verdicts.wider = null;
    return true;
  }

  #testAgain(verdicts: Verdicts, keys: Uint32Array): void {
    const test = verdicts.prepare();
    for (const key of keys) {
      const row = this.#table.indexOfKey(key);
      if (row >= 0) verdicts.bytes[key] = test(row) ? yes : no;
    }
  }

  /** Adds one to the rows that satisfy a condition. @returns how many they are. */
  #count({ term, verdicts }: Condition, passed: Uint8Array): number {
    const { columns, length } = this.#table;
    const { distances, now } = this.#context;
    let count = 0;
    const add = (hits: (row: number) => boolean): number => {
      for (let row = 0; row < length; row += 1) {
        if (!hits(row)) continue;
        passed[row] = (passed[row] as number) + 1;
        count += 1;
      }
      return count;
    };
    switch (term.kind) {
      case 'within':
        return distances === null ? 0 : add((row) => (distances[row] as number) <= term.metres);
      case 'since': {
        const from = now - term.ms;
        // As with filters, one whose time is unknown may be among them.
        return add((row) => !((columns.createdAt[row] as number) < from));
      }
      case 'text': {
        const keys = columns.key;
        const anchored = term.field === null || term.field === 'anchor' ? this.#context.anchored(term) : null;
        const beside = term.field === null || term.field === 'place' ? this.#context.beside(term) : null;
        const [one, other] = verdicts.map(({ bytes }) => bytes);
        return add((row) => {
          const key = keys[row] as number;
          return (
            one?.[key] === yes ||
            other?.[key] === yes ||
            anchored?.has(key) === true ||
            beside?.(key) === true
          );
        });
      }
    }
  }

  #textTest({ field, text }: TextTerm): (row: number) => boolean {
    const { severity, status, type } = this.#table.columns;
    const inSeverity = this.#entriesWith('severity', field, text);
    const inStatus = this.#entriesWith('status', field, text);
    const inType = this.#entriesWith('type', field, text);
    const inId = field === null || field === 'id' ? idMatcher(this.#table, text) : null;
    return (row) =>
      inType[type[row] as number] === 1 ||
      inSeverity[severity[row] as number] === 1 ||
      inStatus[status[row] as number] === 1 ||
      (inId !== null && inId(row));
  }

  /**
   * A byte per entry of a dictionary, 1 for those that hold the text, in their spelling or in the name they
   * count under; none where the term looks elsewhere. A known severity or status asked for by
   * its field is that class and no other, so that as many are found as the filter counts.
   */
  #entriesWith(name: 'severity' | 'status' | 'type', field: TextField | null, text: string): Uint8Array {
    const entries = this.#table.dictionaries[name];
    if (field !== null && field !== name) return new Uint8Array(entries.length);
    const classOf = this.#classes(name);
    const wanted = field === name ? classOf?.(text) : undefined;
    if (wanted?.known === true)
      return Uint8Array.from(entries, (entry) => (classOf?.(entry).key === wanted.key ? 1 : 0));
    const folded = this.#foldedDictionaries.get(name) ?? [];
    for (let at = folded.length; at < entries.length; at += 1) {
      const entry = entries[at] ?? '';
      folded.push(`${fold(entry)}\n${fold(classOf?.(entry).name ?? '')}`);
    }
    this.#foldedDictionaries.set(name, folded);
    return Uint8Array.from(folded, (entry) => (entry.includes(text) ? 1 : 0));
  }

  #classes(
    name: 'severity' | 'status' | 'type',
  ): ((text: string) => { readonly key: string; readonly name: string; readonly known: boolean }) | null {
    if (name === 'type') return null;
    return name === 'severity' ? this.#table.scale.classOf : statusClassOf;
  }

  #areaTest({ holds }: PlaceArea): (row: number) => boolean {
    const { latitude, longitude } = this.#table.columns;
    return (row) => {
      const at = latitude[row] as number;
      return at === at && holds(at, longitude[row] as number);
    };
  }
}
