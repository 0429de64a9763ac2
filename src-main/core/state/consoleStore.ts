import {
  openRule,
  scaleOf,
  type ConsoleState,
  type SeverityScale,
  type SliceName,
} from '../../../src-preload/contract/index.ts';
import { sameValue } from '../base/json.ts';
import { Yielding } from '../base/yielding.ts';
import { searchAnchors, type AnchorsFound } from './anchorSearch.ts';
import type { IncidentRecord } from './incident.ts';
import type { IncidentBatch, StoredIncident } from './incidentCache.ts';
import { IncidentTable, type Sighting } from './incidentTable.ts';

/** Rows to insert or replace, and ids to remove, as one change. */
export interface RowChange {
  readonly upserts: readonly { readonly record: IncidentRecord; readonly sighting: Sighting }[];
  readonly removals: readonly string[];
  /** Incidents that are no longer returned, and since when, server time. */
  readonly marks?: readonly { readonly id: string; readonly since: number }[];
}

/** Called with the incidents that have to be stored again, and those that are gone. Must be fast. */
export type RowListener = (changedIds: readonly string[], removedIds: readonly string[]) => void;

/** A new row (`before` null) or a changed one. `arrivedAt` is 0 for rows of a first read. */
export interface RecordChange {
  readonly before: IncidentRecord | null;
  readonly after: IncidentRecord;
  readonly arrivedAt: number;
}

/** Called with rows before and after a change. Must be fast. */
export type RecordListener = (records: readonly RecordChange[]) => void;

/** Called with rows from the cache, some at a time, which must not be held. Must be fast. */
export type RestoreListener = (batch: readonly StoredIncident[]) => void;

/** Rows between two looks at the clock. */
const stride = 64;
/** Rows of the cache that are announced together: few, since their memory is held until then. */
const announcedAtOnce = 64;

/**
 * The console's state: slices, and incident rows. The only source of what pages get. Every change gets a revision. A
 * large change is written in pieces, so that it does not block the event loop, and becomes visible as a whole.
 */
export class ConsoleStore {
  readonly #makeEpoch: () => string;
  readonly #slices: ConsoleState;
  readonly #changedAt = new Map<SliceName, number>();
  readonly #listeners = new Set<() => void>();
  readonly #rowListeners = new Set<RowListener>();
  readonly #recordListeners = new Set<RecordListener>();
  readonly #restoreListeners = new Set<RestoreListener>();
  #table = this.#newTable();
  #epoch: string;
  #revision = 1;
  #writing = 0;
  /** Shared by all writes and searches. */
  readonly #yielding = new Yielding();

  /** `makeEpoch` makes an epoch's name: unique, unguessable, at most 64 characters. */
  constructor(initial: ConsoleState, makeEpoch: () => string) {
    this.#slices = { ...initial };
    this.#makeEpoch = makeEpoch;
    this.#epoch = makeEpoch();
    for (const name of this.#names()) this.#changedAt.set(name, this.#revision);
  }

  get epoch(): string {
    return this.#epoch;
  }

  get revision(): number {
    return this.#revision;
  }

  /** True while a large change is incomplete: pages must not read then. */
  get writing(): boolean {
    return this.#writing > 0;
  }

  get incidents(): Pick<
    IncidentTable,
    | 'count'
    | 'withoutLocation'
    | 'notReturned'
    | 'severities'
    | 'statuses'
    | 'has'
    | 'ids'
    | 'idsBetween'
    | 'idsNotReturned'
    | 'recordOf'
    | 'stored'
    | 'storedByKey'
    | 'frameSince'
    | 'detail'
    | 'idOf'
    | 'location'
  > {
    return this.#table;
  }

  /** The severities of the deployment. */
  get scale(): SeverityScale {
    return scaleOf(this.#slices.app.severities);
  }

  /** Whether an incident of this status is open in the deployment. */
  isOpen(status: string): boolean {
    return openRule(this.#slices.app.closedStatuses)(status);
  }

  slice<N extends SliceName>(name: N): ConsoleState[N] {
    return this.#slices[name];
  }

  /** Replaces a slice. An equal value is no change. */
  set<N extends SliceName>(name: N, value: ConsoleState[N]): void {
    if (sameValue(this.#slices[name], value)) return;
    this.#slices[name] = value;
    this.#revision += 1;
    this.#changedAt.set(name, this.#revision);
    this.#announce();
  }

  /** Calls `listener` with a slice, now and at each change. It must be fast. The returned function stops it. */
  watch<N extends SliceName>(name: N, listener: (value: ConsoleState[N]) => void): () => void {
    let last: ConsoleState[N] | undefined;
    const tell = (): void => {
      const value = this.#slices[name];
      if (value === last) return;
      last = value;
      listener(value);
    };
    tell();
    return this.onChange(tell);
  }

  /** Changes some members of a slice that is an object. */
  patch<N extends Exclude<SliceName, 'training'>>(name: N, change: Partial<ConsoleState[N]>): void {
    this.set(name, { ...this.#slices[name], ...change });
  }

  /**
   * Writes rows. Yields to the event loop between pieces; pages see all of it or nothing.
   *
   * @returns false when the epoch ended meanwhile: then none of them is stored.
   */
  applyRows({ upserts, removals, marks = [] }: RowChange): Promise<boolean> {
    const changed: string[] = [];
    const removed: string[] = [];
    const records: RecordChange[] = [];
    return this.#write(
      (table, revision) => {
        for (const id of removals) if (table.remove(id, revision)) removed.push(id);
        for (const { id, since } of marks) if (table.mark(id, since, revision)) changed.push(id);
        return removed.length + changed.length > 0;
      },
      upserts,
      (table, { record, sighting }, revision) => {
        let before: IncidentRecord | null = null;
        const hear = (record: IncidentRecord): void => {
          before = record;
        };
        const isHeard = this.#recordListeners.size > 0;
        if (!table.upsert(record, sighting, revision, isHeard ? hear : null)) return false;
        changed.push(record.id);
        if (isHeard) records.push({ before, after: record, arrivedAt: sighting.arrivedAt });
        return true;
      },
      () => {
        if (changed.length + removed.length === 0) return;
        for (const listener of this.#rowListeners) listener(changed, removed);
        for (const listener of this.#recordListeners) listener(records);
      },
    );
  }

  /** The service returned, at `seenAt`, what was created between two instants, as it is known. */
  saw(span: { readonly from: number; readonly to: number }, seenAt: number): void {
    this.#table.saw(span, seenAt);
  }

  /** Takes incidents from the cache. A known row stays as it is. */
  restore(batch: IncidentBatch): Promise<boolean> {
    let unannounced: StoredIncident[] = [];
    const tell = (): void => {
      const rows = unannounced;
      unannounced = [];
      if (rows.length > 0) for (const listener of this.#restoreListeners) listener(rows);
    };
    return this.#write(
      () => false,
      batch,
      (table, stored, revision) => {
        const isNew = table.restore(stored, revision);
        if (unannounced.push(stored) === announcedAtOnce) tell();
        return isNew;
      },
      tell,
    );
  }

  /** Calls `listener` with rows from the cache. The returned function stops it. */
  onRestored(listener: RestoreListener): () => void {
    this.#restoreListeners.add(listener);
    return () => this.#restoreListeners.delete(listener);
  }

  /**
   * Calls `listener` with every complete change of rows, except when they were only seen again. Not for rows from the
   * cache, nor at the end of an epoch. The returned function stops it.
   */
  onRows(listener: RowListener): () => void {
    this.#rowListeners.add(listener);
    return () => this.#rowListeners.delete(listener);
  }

  /** As `onRows`, with the rows before the change. The returned function stops it. */
  onRecords(listener: RecordListener): () => void {
    this.#recordListeners.add(listener);
    return () => this.#recordListeners.delete(listener);
  }

  async #write<R>(
    begin: (table: IncidentTable, revision: number) => boolean,
    rows: Iterable<R>,
    take: (table: IncidentTable, row: R, revision: number) => boolean,
    done: () => void,
  ): Promise<boolean> {
    const table = this.#table;
    this.#writing += 1;
    try {
      const revision = this.#revision + 1;
      let changed = begin(table, revision);
      let at = 0;
      for (const row of rows) {
        if (at % stride === 0 && this.#yielding.over) {
          await this.#yielding.next();
          if (table !== this.#table) return false;
        }
        at += 1;
        changed = take(table, row, revision) || changed;
      }
      if (changed) this.#revision += 1;
      done();
      return true;
    } finally {
      this.#writing -= 1;
      this.#announce();
    }
  }

  /** Slices that changed after `base`; all for null. */
  slicesSince(base: number | null): Partial<ConsoleState> {
    const changed: Partial<Record<SliceName, unknown>> = {};
    for (const name of this.#names()) {
      if (base === null || (this.#changedAt.get(name) ?? 0) > base) changed[name] = this.#slices[name];
    }
    return changed as Partial<ConsoleState>;
  }

  /** The incidents with a blockchain record that contains a text; none when the epoch ends meanwhile. */
  async findAnchors(text: string): Promise<AnchorsFound> {
    const table = this.#table;
    const found = await searchAnchors(table, text, this.#yielding);
    return table === this.#table ? found : { keys: [], more: false };
  }

  /** Removes all rows and starts a new epoch: every mirror must begin again. */
  beginEpoch(): void {
    this.#table = this.#newTable();
    this.#epoch = this.#makeEpoch();
    this.#revision += 1;
    this.#announce();
  }

  /** Calls `listener` after every change; it must be fast. The returned function stops it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #newTable(): IncidentTable {
    return new IncidentTable(() => this.scale);
  }

  #names(): SliceName[] {
    return Object.keys(this.#slices) as SliceName[];
  }

  #announce(): void {
    for (const listener of this.#listeners) listener();
  }
}
