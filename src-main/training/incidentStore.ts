import type { WireIncident } from './incident.ts';
import { mix } from './seeded.ts';
import type { WorldOptions } from './worldOptions.ts';

export type Order = 'newest-first' | 'oldest-first' | 'shuffled';

/** A place in an order: everything after it comes on later pages, whatever arrived in between. */
export interface Position {
  readonly key: number;
  readonly id: string;
}

export interface IncidentQuery {
  /** Inclusive bounds on the creation time in the service's Unix milliseconds, null for none. */
  readonly from: number | null;
  readonly to: number | null;
  readonly severity: string | null;
  readonly status: string | null;
  readonly order: Order;
  /** The largest number of rows, `Infinity` for all. */
  readonly limit: number;
  readonly after: Position | null;
}

export interface IncidentPage {
  /** The rows as JSON text, in order. */
  readonly rows: readonly string[];
  /** Where the next page starts, null when this was the last. */
  readonly next: Position | null;
}

interface Row {
  incident: WireIncident;
  /** Unix milliseconds on the clock of the store's maker, before the service's clock offset. */
  readonly createdAt: number;
  readonly shuffleKey: number;
  json: string | null;
}

type RowKey = 'createdAt' | 'shuffleKey';

/** Runs after an incident was added or changed. */
type OnChange = (what: 'created' | 'changed', incident: WireIncident) => void;

/**
 * The incidents that the training service holds.
 *
 * Times are kept without the service's clock offset and given it on the way out: the offset stands
 * for an operator's computer whose clock is wrong, and then the service's whole world is shifted
 * against it, the creation times included.
 */
export class IncidentStore {
  readonly #byTime: Row[];
  readonly #shuffled: Row[];
  readonly #byId = new Map<string, Row>();
  readonly #seed: number;
  readonly #onChange: OnChange;
  #jsonOffset = 0;

  /** The newest incident is moved to the present and all others with it, spacing kept. */
  constructor({ incidents, now, seed }: WorldOptions, onChange: OnChange) {
    const newestAt = now();
    this.#seed = seed;
    this.#onChange = onChange;
    const times = incidents.map((incident) => Date.parse(incident.created_at));
    let newest = -Infinity;
    for (const time of times) newest = Math.max(newest, time);
    const rows = incidents.map((incident, at) =>
      this.#row(incident, newestAt + (times[at] ?? newest) - newest),
    );
    this.#byTime = rows.toSorted(by('createdAt'));
    this.#shuffled = rows.toSorted(by('shuffleKey'));
    for (const row of rows) this.#byId.set(row.incident.id, row);
  }

  get size(): number {
    return this.#byTime.length;
  }

  /** The incident at `index` in order of creation, as held: its `created_at` has no clock offset. */
  at(index: number): WireIncident | undefined {
    return this.#byTime[index]?.incident;
  }

  find(id: string): WireIncident | undefined {
    return this.#byId.get(id)?.incident;
  }

  /** Adds an incident created at `createdAt` (Unix ms without offset). Its id must be new. */
  add(incident: WireIncident, createdAt: number): void {
    if (this.#byId.has(incident.id)) throw new RangeError(`The incident ${incident.id} is there already`);
    const row = this.#row(incident, createdAt);
    this.#byTime.splice(firstAfter(this.#byTime, 'createdAt', position(row, 'createdAt')), 0, row);
    this.#shuffled.splice(firstAfter(this.#shuffled, 'shuffleKey', position(row, 'shuffleKey')), 0, row);
    this.#byId.set(incident.id, row);
    this.#onChange('created', row.incident);
  }

  /** Changes an incident in place; its id and creation time stay. False when it is not there. */
  change(id: string, change: Partial<Omit<WireIncident, 'id' | 'created_at'>>): boolean {
    const row = this.#byId.get(id);
    if (!row) return false;
    row.incident = { ...row.incident, ...change };
    row.json = null;
    this.#onChange('changed', row.incident);
    return true;
  }

  /** One page of what matches, with every creation time moved by `clockOffsetMs`. */
  page(query: IncidentQuery, clockOffsetMs: number): IncidentPage {
    const key: RowKey = query.order === 'shuffled' ? 'shuffleKey' : 'createdAt';
    const rows = query.order === 'shuffled' ? this.#shuffled : this.#byTime;
    const step = query.order === 'newest-first' ? -1 : 1;
    let at = step === 1 ? 0 : rows.length - 1;
    if (query.after) {
      at =
        step === 1
          ? firstAfter(rows, key, query.after)
          : firstAfter(rows, key, query.after, { orAt: true }) - 1;
    }
    if (this.#jsonOffset !== clockOffsetMs) this.#forgetJson(clockOffsetMs);
    const found: string[] = [];
    let last: Row | null = null;
    for (; at >= 0 && at < rows.length; at += step) {
      const row = rows[at];
      if (!row || !matches(row, query, clockOffsetMs)) continue;
      if (found.length >= query.limit) return { rows: found, next: last && position(last, key) };
      row.json ??= JSON.stringify({
        ...row.incident,
        created_at: new Date(row.createdAt + clockOffsetMs).toISOString(),
      });
      found.push(row.json);
      last = row;
    }
    return { rows: found, next: null };
  }

  #row(incident: WireIncident, createdAt: number): Row {
    const held = { ...incident, created_at: new Date(createdAt).toISOString() };
    return { incident: held, createdAt, shuffleKey: mix(this.#seed, incident.id), json: null };
  }

  /** Kept per row because 100,000 rows are otherwise stringified again on every poll. */
  #forgetJson(clockOffsetMs: number): void {
    this.#jsonOffset = clockOffsetMs;
    for (const row of this.#byTime) row.json = null;
  }
}

function matches({ incident, createdAt }: Row, query: IncidentQuery, clockOffsetMs: number): boolean {
  const at = createdAt + clockOffsetMs;
  if (query.from !== null && at < query.from) return false;
  if (query.to !== null && at > query.to) return false;
  if (query.severity !== null && incident.severity !== query.severity) return false;
  return query.status === null || incident.status === query.status;
}

const position = (row: Row, key: RowKey): Position => ({ key: row[key], id: row.incident.id });

const compare = (row: Row, key: RowKey, to: Position): number =>
  row[key] - to.key || (row.incident.id < to.id ? -1 : row.incident.id > to.id ? 1 : 0);

const by =
  (key: RowKey) =>
  (a: Row, b: Row): number =>
    compare(a, key, position(b, key));

/** The index of the first row after `place`, or at or after it with `orAt`. */
function firstAfter(rows: readonly Row[], key: RowKey, place: Position, { orAt = false } = {}): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const row = rows[middle];
    const order = row ? compare(row, key, place) : 1;
    if (order < 0 || (order === 0 && !orAt)) low = middle + 1;
    else high = middle;
  }
  return low;
}
