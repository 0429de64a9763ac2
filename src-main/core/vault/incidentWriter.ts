import type { Failure } from '../../../src-preload/contract/index.ts';
import type { Clock } from '../base/ports.ts';
import type { ConsoleStore } from '../state/consoleStore.ts';
import type { CacheChange, IncidentCache } from '../state/incidentCache.ts';
import { WriteBehind } from './writeBehind.ts';

export interface IncidentWriterOptions {
  readonly cache: IncidentCache;
  readonly store: ConsoleStore;
  readonly clock: Clock;
  /** A change is on the disk. */
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
/** The most incidents in one write. */
const most = 2000;
const ledgerName = 'ledger';
/** The key of the ledger among the ids of incidents. */
const ledgerKey = '';

/**
 * Stores the store's incidents in one open vault: reads them into the store once, and then writes changes.
 *
 * The ledger claims that the incidents in its windows are known. So it is written with the last of the rows that were
 * known when it was passed on, and never before them: after a kill it must not claim rows that are missing.
 */
export class IncidentWriter {
  readonly #options: IncidentWriterOptions;
  readonly #behind: WriteBehind<CacheChange>;
  /** The latest one, until it is written. */
  #ledger: string | null = null;
  #stopListening: (() => void) | null = null;
  #isOver = false;
  #isRestored = false;
  #isFailing = false;

  constructor(options: IncidentWriterOptions) {
    const { cache, clock } = options;
    this.#options = options;
    this.#behind = new WriteBehind({
      clock,
      gatherMs,
      most,
      take: (keys, isLast) => this.#take(keys, isLast),
      put: async (change) => {
        const written = await cache.write(change);
        if (!written.ok) return written.failure;
        if (this.#ledger === change.documents[ledgerName]) this.#ledger = null;
        return null;
      },
      onWritten: (problem) => {
        this.#written(problem);
      },
    });
  }

  /** Reads the stored records into the store, and from then on writes its changes. */
  async restore(): Promise<Restored> {
    const { cache, store, onProblem } = this.#options;
    const { epoch } = store;
    const current = (): boolean => !this.#isOver && store.epoch === epoch;
    const loaded = await cache.load(async (rows) => {
      if (current()) await store.restore(rows);
    });
    const ledger = await cache.document(ledgerName);
    this.#listen();
    if (!loaded.ok) {
      this.#isFailing = true;
      onProblem(loaded.failure);
      return { incidents: 0, damaged: 0, older: false, ledger: null };
    }
    // Damaged or older rows are missing: the ledger must not claim them.
    const trusted = ledger.ok && loaded.value.damaged === 0 && !loaded.value.older ? ledger.value : null;
    this.#ledger ??= trusted;
    // On a full or read-only disk the operator must learn of it at the opening, and not with the first change, which
    // may never come offline.
    await this.#behind.flush([ledgerKey]);
    this.#isRestored = true;
    return { ...loaded.value, ledger: trusted };
  }

  noteLedger(text: string): void {
    this.#ledger = text;
    this.#behind.note([ledgerKey]);
  }

  /** Takes the unsaved rows in this moment, and writes them. The store may be emptied right after the call. */
  finish(): Promise<void> {
    this.#isOver = true;
    this.#stopListening?.();
    return this.#behind.finish();
  }

  #listen(): void {
    if (this.#isOver) return;
    this.#stopListening = this.#options.store.onRows((changed, removed) => {
      this.#behind.note([...changed, ...removed]);
    });
  }

  #take(keys: readonly string[], isLast: boolean): CacheChange {
    const ids = keys.filter((key) => key !== ledgerKey);
    const rows = ids.map((id) => [id, this.#options.store.incidents.stored(id)] as const);
    return {
      upserts: rows.flatMap(([, row]) => row ?? []),
      removals: rows.flatMap(([id, row]) => (row === null ? id : [])),
      documents: isLast && this.#ledger !== null ? { [ledgerName]: this.#ledger } : {},
    };
  }

  #written(problem: Failure | null): void {
    const { onStored, onProblem } = this.#options;
    if (problem !== null || this.#isFailing) onProblem(problem);
    this.#isFailing = problem !== null;
    if (problem === null && this.#isRestored) onStored();
  }
}
