import type {
  ConsoleState,
  IncidentDetail,
  IncidentFrame,
  SliceName,
} from '../../../src-preload/contract/index.ts';
import type { IncidentRecord } from '../domain/incident.ts';
import { sameValue } from '../domain/json.ts';
import { IncidentTable, type Sighting } from './incidentTable.ts';

/** Rows to insert or replace, and ids to drop, as one change. */
export interface RowChange {
  readonly upserts: readonly { readonly record: IncidentRecord; readonly sighting: Sighting }[];
  readonly removals: readonly string[];
}

export interface ConsoleStoreOptions {
  readonly initial: ConsoleState;
  /** Makes an epoch's name: unique, unguessable, at most 64 characters. */
  readonly makeEpoch: () => string;
}

/** How many rows are written before the event loop gets its turn. */
const chunk = 2000;

/**
 * What is known, and in which revision it became known: slices of state, and incident rows. The one
 * place that pages are told from. Every change gets a revision; a large one is written in pieces,
 * so that the loop is never held up, and becomes visible as one.
 */
export class ConsoleStore {
  readonly #makeEpoch: () => string;
  readonly #slices: ConsoleState;
  readonly #changedAt = new Map<SliceName, number>();
  readonly #listeners = new Set<() => void>();
  #table = new IncidentTable();
  #epoch: string;
  #revision = 1;
  #writing = 0;

  constructor({ initial, makeEpoch }: ConsoleStoreOptions) {
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

  /** True while a large change is half written: nothing may be read for a page then. */
  get writing(): boolean {
    return this.#writing > 0;
  }

  get incidents(): Pick<
    IncidentTable,
    'count' | 'withoutLocation' | 'severities' | 'statuses' | 'has' | 'ids' | 'recordOf'
  > {
    return this.#table;
  }

  slice<N extends SliceName>(name: N): ConsoleState[N] {
    return this.#slices[name];
  }

  /** Replaces a slice; one that says the same is no change. */
  set<N extends SliceName>(name: N, value: ConsoleState[N]): void {
    if (sameValue(this.#slices[name], value)) return;
    this.#slices[name] = value;
    this.#revision += 1;
    this.#changedAt.set(name, this.#revision);
    this.#announce();
  }

  /** Changes some members of a slice that is an object. */
  patch<N extends Exclude<SliceName, 'training'>>(name: N, change: Partial<ConsoleState[N]>): void {
    this.set(name, { ...this.#slices[name], ...change });
  }

  /**
   * Writes rows. Yields to the event loop between pieces; pages see all of it or nothing.
   *
   * @returns false when the epoch ended meanwhile: then nothing of it is kept.
   */
  async applyRows({ upserts, removals }: RowChange): Promise<boolean> {
    const table = this.#table;
    this.#writing += 1;
    try {
      const revision = this.#revision + 1;
      let changed = false;
      for (const id of removals) changed = table.remove(id, revision) || changed;
      for (let at = 0; at < upserts.length; at += chunk) {
        if (at > 0) await new Promise<void>((resolve) => setImmediate(resolve));
        if (table !== this.#table) return false;
        for (const { record, sighting } of upserts.slice(at, at + chunk)) {
          changed = table.upsert(record, sighting, revision) || changed;
        }
      }
      if (changed) this.#revision += 1;
      return true;
    } finally {
      this.#writing -= 1;
      this.#announce();
    }
  }

  /** Slices that changed after `base`; all of them for null. */
  slicesSince(base: number | null): Partial<ConsoleState> {
    const changed: Partial<Record<SliceName, unknown>> = {};
    for (const name of this.#names()) {
      if (base === null || (this.#changedAt.get(name) ?? 0) > base) changed[name] = this.#slices[name];
    }
    return changed as Partial<ConsoleState>;
  }

  frameSince(base: number | null): IncidentFrame | null {
    return this.#table.frameSince(base);
  }

  incidentDetail(key: number): IncidentDetail | null {
    return this.#table.detail(key);
  }

  /** Drops all rows and starts a new epoch: every mirror must begin again. */
  beginEpoch(): void {
    this.#table = new IncidentTable();
    this.#epoch = this.#makeEpoch();
    this.#revision += 1;
    this.#announce();
  }

  /** `listener` is called after every change; it must be cheap. The returned function stops it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #names(): SliceName[] {
    return Object.keys(this.#slices) as SliceName[];
  }

  #announce(): void {
    for (const listener of this.#listeners) listener();
  }
}
