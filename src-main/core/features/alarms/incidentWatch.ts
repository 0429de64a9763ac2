import type { IsOpen, SeverityScale } from '../../../../src-preload/contract/index.ts';
import type { Clock } from '../../base/ports.ts';
import type { ConsoleStore } from '../../state/consoleStore.ts';
import type { IncidentRecord } from '../../state/incident.ts';
import { isFirstReadingDone } from '../incidents/index.ts';
import type { Account } from '../../vault/account.ts';
import { NewsTally } from './newsTally.ts';
import { SeverityMemory } from './severityMemory.ts';

export interface IncidentWatchOptions extends Pick<Account, 'scope'> {
  readonly store: ConsoleStore;
  readonly clock: Clock;
  readonly scale: () => SeverityScale;
  readonly isOpen: IsOpen;
  /** Whether an incident of this kind is to be told of. */
  readonly concerns: (record: IncidentRecord) => boolean;
  /** What one change brought. */
  readonly onNews: (tally: NewsTally) => void;
  /** What the first reading brought; `fresh`: nothing was known before it. */
  readonly onFirstReading: (tally: NewsTally, fresh: boolean) => void;
  /** An incident is not kept any more; its last severity. */
  readonly onForgotten: (id: string, severity: string) => void;
}

/** Ids that changed in one writing of the store. */
interface Change {
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** It came while the first reading was under way. */
  readonly first: boolean;
}

/** How long rows are looked at before the event loop gets its turn, milliseconds. */
const turnMs = 8;
const stride = 64;
/** A change of more rows than these begins in a turn of its own: the store's writing had the present one. */
const largeChange = 1000;
/** A first reading that does not come to its end counts as done when it has brought nothing for so long. */
const quietMs = 60_000;

/**
 * Sees in the store's rows which incidents are new or opened again, and whose severity rose.
 *
 * What the cache gave back is the ground to compare with, and so is what was there before the start.
 * It listens from the first moment and looks at what it heard when that ground is known, so that rows
 * may come in any order. What a first reading brings is gathered until the reading is through; an
 * incident that came into being meanwhile is told of at once.
 */
export class IncidentWatch {
  readonly #options: IncidentWatchOptions;
  readonly #memory: SeverityMemory;
  readonly #queue: Change[] = [];
  /** Ids that changed before the ground was known. */
  readonly #early = new Set<string>();
  /** Something was there at the start, or came from the cache. */
  #hadRows: boolean;
  #grounded = false;
  #draining = false;
  /** The first reading is through: from now on what is new is new. */
  #begun = false;
  #firstTally: NewsTally;
  #fresh: boolean | null = null;
  #cancelQuiet: (() => void) | null = null;

  constructor(options: IncidentWatchOptions) {
    this.#options = options;
    const { scope, store, scale } = options;
    this.#memory = new SeverityMemory(scale);
    this.#firstTally = new NewsTally(scale());
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

  /** Learns what is there already, in pieces. Rows that change meanwhile are looked at afterwards. */
  async ground(): Promise<void> {
    const { store } = this.#options;
    let turnEnds = performance.now() + turnMs;
    let count = 0;
    for (const id of store.incidents.ids()) {
      if ((count += 1) % stride === 0 && performance.now() > turnEnds) {
        await nextTurn();
        if (this.#options.scope.isOver) return;
        turnEnds = performance.now() + turnMs;
      }
      const record = store.incidents.recordOf(id);
      if (record && !this.#early.has(id)) this.#learn(record);
    }
    if (this.#hadRows) for (const id of this.#early) this.#learnIfOld(id);
    this.#early.clear();
    this.#grounded = true;
    await this.#drain();
  }

  /** The store's slices changed: the first reading may be through. */
  review(): void {
    if (this.#begun || !this.#grounded || this.#draining) return;
    if (isFirstReadingDone(this.#options.store)) this.#begin();
  }

  #begin(): void {
    this.#begun = true;
    this.#cancelQuiet?.();
    this.#options.onFirstReading(this.#firstTally, this.#fresh ?? false);
    this.#firstTally = new NewsTally(this.#options.scale());
  }

  #awaitQuiet(): void {
    this.#cancelQuiet?.();
    this.#cancelQuiet = this.#options.clock.schedule(quietMs, () => {
      if (this.#begun || this.#draining || !this.#grounded) this.#awaitQuiet();
      else this.#begin();
    });
  }

  async #drain(): Promise<void> {
    if (!this.#grounded || this.#draining) return;
    this.#draining = true;
    try {
      for (
        let change = this.#queue.shift();
        change && !this.#options.scope.isOver;
        change = this.#queue.shift()
      ) {
        await this.#takeChange(change);
      }
    } finally {
      this.#draining = false;
    }
    if (!this.#options.scope.isOver) this.review();
  }

  async #takeChange({ changed, removed, first }: Change): Promise<void> {
    const tally = new NewsTally(this.#options.scale());
    if (first) this.#fresh ??= this.#memory.size === 0;
    for (const id of removed) this.#forget(id);
    if (changed.length > largeChange) await nextTurn();
    let turnEnds = performance.now() + turnMs;
    for (let at = 0; at < changed.length && !this.#options.scope.isOver; at += 1) {
      if (at % stride === stride - 1 && performance.now() > turnEnds) {
        await nextTurn();
        turnEnds = performance.now() + turnMs;
      }
      this.#look(changed[at] ?? '', tally, first);
    }
    if (!this.#options.scope.isOver && tally.count > 0) this.#options.onNews(tally);
  }

  /** Compares a row as it is now with what was known of it. */
  #look(id: string, tally: NewsTally, first: boolean): void {
    const { store, concerns } = this.#options;
    const record = store.incidents.recordOf(id);
    if (!record) return;
    const change = this.#memory.take(id, this.#severityOf(record));
    if (change.kind === 'no-rise' || !concerns(record)) return;
    if (change.kind === 'rose') {
      tally.add({ kind: 'escalation', record, before: change.before });
      return;
    }
    if (change.kind === 'opened') {
      tally.add({ kind: 'incident', record, before: null });
      return;
    }
    // What was created before the first reading was there already; the sync knows which were.
    const arrived = !first || store.stored(id)?.arrivedAt !== 0;
    (arrived ? tally : this.#firstTally).add({ kind: 'incident', record, before: null });
  }

  #forget(id: string): void {
    // It may have come back since.
    if (this.#options.store.incidents.has(id)) return;
    const severity = this.#memory.severityOf(id);
    this.#memory.forget(id);
    if (severity !== null) this.#options.onForgotten(id, severity);
  }

  #learn(record: IncidentRecord): void {
    if (!this.#memory.has(record.id)) this.#memory.take(record.id, this.#severityOf(record));
  }

  #severityOf({ severity, status }: IncidentRecord): string | null {
    return this.#options.isOpen(status) ? severity : null;
  }

  /** A row that changed before its ground was known: one that was seen before is not new. */
  #learnIfOld(id: string): void {
    const stored = this.#options.store.stored(id);
    if (stored && stored.firstSeenAt !== stored.lastSeenAt) this.#learn(stored.record);
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
