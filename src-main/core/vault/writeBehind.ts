import type { Failure } from '../../../src-preload/contract/index.ts';
import type { Clock } from '../base/ports.ts';
import { Timer } from '../base/timer.ts';
import type { ConsoleStore } from '../state/consoleStore.ts';
import type { IncidentCache, StoredIncident } from '../state/incidentCache.ts';

export interface WriteBehindOptions {
  readonly cache: IncidentCache;
  readonly store: ConsoleStore;
  readonly clock: Clock;
  /** All changes are on the disk now. */
  readonly onStored: () => void;
  /** A write failed or, with null, works again. */
  readonly onProblem: (problem: Failure | null) => void;
}

export interface Restored {
  readonly incidents: number;
  readonly damaged: number;
  readonly older: boolean;
  readonly ledger: string | null;
}

/** How long changes are gathered before they are written, milliseconds. */
const gatherMs = 300;
/** The wait after a failed write, milliseconds. */
const retryMs = 30_000;
/** The most incidents in one write. */
const batch = 2000;
const ledgerName = 'ledger';

/**
 * Stores the store's incidents in one open vault: reads them into the store once, and then writes changes. It notes ids
 * and not rows, so that a disk that is full for a day takes no more memory than the store itself, and nothing is
 * missing when it works again.
 *
 * The ledger claims that the incidents in its windows are known. So it is written with the last of the rows that were
 * known when it was passed on, and never before them: after a kill it must not claim rows that are missing.
 */
export class WriteBehind {
  readonly #options: WriteBehindOptions;
  readonly #changed = new Set<string>();
  readonly #removed = new Set<string>();
  #ledger: string | null = null;
  #writing: Promise<void> | null = null;
  /** Rows of the running write, for the end of the store; empty when they are on the disk. */
  #underway: readonly StoredIncident[] = [];
  readonly #next: Timer;
  #stopListening: (() => void) | null = null;
  #failing = false;
  #finished = false;

  constructor(options: WriteBehindOptions) {
    this.#options = options;
    this.#next = new Timer(options.clock, () => this.#writeNext());
  }

  /** Reads the stored records into the store, and from then on writes its changes. */
  async restore(): Promise<Restored> {
    const { cache, store } = this.#options;
    const { epoch } = store;
    const current = (): boolean => !this.#finished && store.epoch === epoch;
    const loaded = await cache.load(async (rows) => {
      if (current()) await store.restore(rows);
    });
    const ledger = await cache.document(ledgerName);
    this.#listen();
    if (!loaded.ok) {
      this.#fail(loaded.failure);
      return { incidents: 0, damaged: 0, older: false, ledger: null };
    }
    // Damaged or older rows are missing: the ledger must not claim them.
    const trusted = ledger.ok && loaded.value.damaged === 0 && !loaded.value.older;
    await this.#tryDisk(trusted ? ledger.value : null);
    return { ...loaded.value, ledger: trusted ? ledger.value : null };
  }

  /**
   * Writes what was just read: on a full or read-only disk the operator must learn of it at the opening, and not with
   * the first change, which may never come offline.
   */
  async #tryDisk(ledger: string | null): Promise<void> {
    const documents: Record<string, string> = ledger === null ? {} : { [ledgerName]: ledger };
    const written = await this.#options.cache.write({ upserts: [], removals: [], documents });
    if (written.ok || this.#finished) return;
    this.#fail(written.failure);
    this.#plan(retryMs);
  }

  noteLedger(text: string): void {
    this.#ledger = text;
    this.#plan(gatherMs);
  }

  /** Takes the unsaved rows in this moment, and writes them. The store may be emptied right after the call. */
  async finish(): Promise<void> {
    this.#finished = true;
    this.#stopListening?.();
    this.#next.stop();
    const { cache, store } = this.#options;
    const waiting = [...this.#changed].map((id) => store.stored(id)).filter((row) => row !== null);
    await this.#writing;
    const newer = new Set(waiting.map((row) => row.record.id));
    const rows = [...this.#underway.filter((row) => !newer.has(row.record.id)), ...waiting];
    const removals = [...this.#removed].filter((id) => !newer.has(id));
    const ledger = this.#ledger;
    for (let at = 0; at < rows.length || at === 0; at += batch) {
      const last = at + batch >= rows.length;
      const written = await cache.write({
        upserts: rows.slice(at, at + batch),
        removals: at === 0 ? removals : [],
        documents: last && ledger !== null ? { [ledgerName]: ledger } : {},
      });
      if (!written.ok) return;
    }
  }

  #listen(): void {
    if (this.#finished) return;
    this.#stopListening = this.#options.store.onRows((changed, removed) => {
      for (const id of changed) {
        this.#changed.add(id);
        this.#removed.delete(id);
      }
      for (const id of removed) {
        this.#removed.add(id);
        this.#changed.delete(id);
      }
      this.#plan(gatherMs);
    });
  }

  #plan(ms: number): void {
    if (this.#finished || this.#writing) return;
    this.#next.setOnce(this.#failing ? Math.max(ms, retryMs) : ms);
  }

  #writeNext(): void {
    this.#writing = this.#write().finally(() => {
      this.#writing = null;
      const isWaiting = this.#changed.size > 0 || this.#removed.size > 0 || this.#ledger !== null;
      if (isWaiting || this.#failing) this.#plan(0);
    });
  }

  async #write(): Promise<void> {
    const { cache, store } = this.#options;
    const ids = [...this.#changed].slice(0, batch);
    const removals = [...this.#removed];
    const ledger = ids.length === this.#changed.size ? this.#ledger : null;
    const upserts = ids.map((id) => store.stored(id)).filter((row): row is StoredIncident => row !== null);
    for (const id of ids) this.#changed.delete(id);
    this.#removed.clear();
    if (ledger !== null) this.#ledger = null;
    this.#underway = upserts;
    const documents: Record<string, string> = ledger === null ? {} : { [ledgerName]: ledger };
    const written = await cache.write({ upserts, removals, documents });
    if (written.ok) {
      this.#underway = [];
      if (this.#failing) this.#options.onProblem(null);
      this.#failing = false;
      this.#options.onStored();
      return;
    }
    for (const id of ids) if (!this.#removed.has(id)) this.#changed.add(id);
    for (const id of removals) if (!this.#changed.has(id)) this.#removed.add(id);
    this.#ledger ??= ledger;
    this.#fail(written.failure);
  }

  #fail(failure: Failure): void {
    this.#failing = true;
    this.#options.onProblem(failure);
  }
}
