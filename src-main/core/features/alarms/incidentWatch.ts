import { Timer } from '../../base/timer.ts';
import { Yielding } from '../../base/yielding.ts';
import type { IncidentRecord } from '../../state/incident.ts';
import type { LocalAccount } from '../context.ts';
import { isFirstReadingDone } from '../incidents/index.ts';
import { NewsTally } from './newsTally.ts';
import { SeverityMemory } from './severityMemory.ts';

export interface IncidentWatchOptions {
  /** Whether such an incident alarms. */
  readonly concerns: (record: IncidentRecord) => boolean;
  /** The news of one change. */
  readonly onNews: (tally: NewsTally) => void;
  /** The news of the first reading. `fresh`: nothing was known before it. */
  readonly onFirstReading: (tally: NewsTally, fresh: boolean) => void;
  /** An incident was removed from the store; its last severity. */
  readonly onForgotten: (id: string, severity: string) => void;
}

/** Ids that changed in one write to the store. */
interface Change {
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** It came during the first reading. */
  readonly first: boolean;
}

/** A change of more rows than this begins in a later turn, because the write to the store used the present one. */
const largeChange = 1000;
/** A first reading that does not end counts as done when it has brought nothing for this long. */
const quietMs = 60_000;

/**
 * Finds in the store's rows which incidents are new or opened again, and whose severity rose.
 *
 * The base to compare with is what was in the store at the start and what the cache restored. The watch listens from
 * the first moment and compares when that base is known, so that rows may come in any order. The news of a first
 * reading is collected until the reading ends; an incident that was created meanwhile alarms at once.
 */
export class IncidentWatch {
  readonly #account: LocalAccount;
  readonly #options: IncidentWatchOptions;
  readonly #memory: SeverityMemory;
  readonly #queue: Change[] = [];
  /** Ids that changed before the base was known. */
  readonly #early = new Set<string>();
  /** The store had rows at the start, or the cache restored some. */
  #hadRows: boolean;
  #grounded = false;
  #draining = false;
  /** The first reading has ended: a new row is a new incident from now on. */
  #begun = false;
  #firstTally: NewsTally;
  #fresh: boolean | null = null;
  readonly #quiet: Timer;

  constructor(account: LocalAccount, options: IncidentWatchOptions) {
    const { scope, store, clock } = account;
    this.#account = account;
    this.#options = options;
    this.#quiet = new Timer(clock, () => {
      if (this.#begun || this.#draining || !this.#grounded) this.#awaitQuiet();
      else this.#begin();
    });
    this.#memory = new SeverityMemory(() => store.scale);
    this.#firstTally = new NewsTally(store.scale);
    this.#hadRows = store.incidents.count > 0;
    const stops = [
      store.onRestored((batch) => {
        this.#hadRows ||= batch.length > 0;
        for (const { record } of batch) if (!this.#early.has(record.id)) this.#learn(record);
      }),
      store.onRows((changed, removed) => {
        this.#queue.push({ changed, removed, first: !this.#begun });
        if (!this.#grounded) for (const id of changed) this.#early.add(id);
        if (!this.#begun) this.#awaitQuiet();
        void this.#drain();
      }),
    ];
    for (const stop of stops) scope.onEnd(stop);
  }

  /** Learns the present rows, in pieces. Rows that change meanwhile are compared afterwards. */
  async ground(): Promise<void> {
    const { store } = this.#account;
    const yielding = new Yielding();
    for (const id of store.incidents.ids()) {
      if (yielding.over) {
        await yielding.next();
        if (this.#account.scope.isOver) return;
      }
      const record = store.incidents.recordOf(id);
      if (record && !this.#early.has(id)) this.#learn(record);
    }
    if (this.#hadRows) for (const id of this.#early) this.#learnIfOld(id);
    this.#early.clear();
    this.#grounded = true;
    await this.#drain();
  }

  /** The store's slices changed: the first reading may have ended. */
  review(): void {
    if (this.#begun || !this.#grounded || this.#draining) return;
    if (isFirstReadingDone(this.#account.store)) this.#begin();
  }

  #begin(): void {
    this.#begun = true;
    this.#quiet.stop();
    this.#options.onFirstReading(this.#firstTally, this.#fresh ?? false);
    this.#firstTally = new NewsTally(this.#account.store.scale);
  }

  #awaitQuiet(): void {
    this.#quiet.set(quietMs);
  }

  async #drain(): Promise<void> {
    if (!this.#grounded || this.#draining) return;
    this.#draining = true;
    try {
      for (
        let change = this.#queue.shift();
        change && !this.#account.scope.isOver;
        change = this.#queue.shift()
      ) {
        await this.#takeChange(change);
      }
    } finally {
      this.#draining = false;
    }
    if (!this.#account.scope.isOver) this.review();
  }

  async #takeChange({ changed, removed, first }: Change): Promise<void> {
    const tally = new NewsTally(this.#account.store.scale);
    if (first) this.#fresh ??= this.#memory.size === 0;
    for (const id of removed) this.#forget(id);
    const yielding = new Yielding();
    if (changed.length > largeChange) await yielding.next();
    for (const id of changed) {
      if (yielding.over) await yielding.next();
      if (this.#account.scope.isOver) return;
      this.#look(id, tally, first);
    }
    if (tally.count > 0 && !this.#account.scope.isOver) this.#options.onNews(tally);
  }

  /** Compares the present row with what was known about it. */
  #look(id: string, tally: NewsTally, first: boolean): void {
    const { store } = this.#account;
    const record = store.incidents.recordOf(id);
    if (!record) return;
    const change = this.#memory.take(id, this.#severityOf(record));
    if (change.kind === 'no-rise' || !this.#options.concerns(record)) return;
    if (change.kind === 'rose') {
      tally.add({ kind: 'escalation', record, before: change.before });
      return;
    }
    if (change.kind === 'opened') {
      tally.add({ kind: 'incident', record, before: null });
      return;
    }
    // An incident created before the first reading was there already. `arrivedAt` is 0 for those.
    const arrived = !first || store.incidents.stored(id)?.arrivedAt !== 0;
    (arrived ? tally : this.#firstTally).add({ kind: 'incident', record, before: null });
  }

  #forget(id: string): void {
    // It may have come back meanwhile.
    if (this.#account.store.incidents.has(id)) return;
    const severity = this.#memory.severityOf(id);
    this.#memory.forget(id);
    if (severity !== null) this.#options.onForgotten(id, severity);
  }

  #learn(record: IncidentRecord): void {
    if (!this.#memory.has(record.id)) this.#memory.take(record.id, this.#severityOf(record));
  }

  #severityOf({ severity, status }: IncidentRecord): string | null {
    return this.#account.store.isOpen(status) ? severity : null;
  }

  /** A row that changed before its base was known: one that was seen before is not new. */
  #learnIfOld(id: string): void {
    const stored = this.#account.store.incidents.stored(id);
    if (stored && stored.firstSeenAt !== stored.lastSeenAt) this.#learn(stored.record);
  }
}
