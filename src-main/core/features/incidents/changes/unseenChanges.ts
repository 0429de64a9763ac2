import type { Changes } from '../../../../../src-preload/contract/index.ts';
import type { Clock, Logger } from '../../../base/ports.ts';
import type { ServerTime } from '../../../base/serverTime.ts';
import type { ConsoleStore, RecordChange } from '../../../state/consoleStore.ts';
import { PersistedDocument } from '../../../vault/persistedDocument.ts';
import type { VaultRecords } from '../../../vault/records.ts';
import { ChangeList, readChanges, type ChangeEntry } from './changeList.ts';

export const changesAtStart: Changes = { changed: [], fresh: [] };

export interface UnseenChangesOptions {
  readonly store: ConsoleStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly serverTime: Pick<ServerTime, 'serverNow'>;
}

interface Run {
  readonly list: ChangeList;
  readonly document: PersistedDocument;
  readonly stop: () => void;
  /** Null where the console has not watched before: what it reads first is not new then. */
  watchedUntil: number | null;
}

/**
 * What changed of incidents since the operator last opened their details, sealed in the vault of the account.
 * Owns the slice `changes`.
 */
export class UnseenChanges {
  readonly #options: UnseenChangesOptions;
  #run: Run | null = null;

  constructor(options: UnseenChangesOptions) {
    this.#options = options;
  }

  /** Reads the document of the account; `records` null: there is none. Changes meanwhile wait. Never rejects. */
  async start(records: VaultRecords | null): Promise<void> {
    const { store, clock, logger, serverTime } = this.#options;
    const list = new ChangeList();
    const document = new PersistedDocument({
      id: 'changes',
      records: records?.store ?? null,
      clock,
      logger,
      text: () => list.text(serverTime.serverNow()),
    });
    let early: RecordChange[] | null = [];
    const stop = store.onRecords((records) => {
      if (early === null) this.#take(run, records);
      else
        early = early.concat(records.filter(({ before, arrivedAt }) => before !== null || arrivedAt !== 0));
    });
    const run: Run = { list, document, stop, watchedUntil: null };
    this.#run = run;
    const kept = readChanges(await document.restore());
    if (this.#run !== run) return;
    run.watchedUntil = kept?.watchedUntil ?? null;
    list.load(kept?.entries ?? []);
    const waited = early;
    early = null;
    this.#publish(run);
    this.#take(run, waited);
    // From now on there is a time up to which the console has watched.
    document.note();
  }

  /** Writes the document and forgets all; resolves when the actions are in use no longer. Never rejects. */
  async stop(): Promise<void> {
    const run = this.#run;
    if (run === null) return;
    this.#run = null;
    run.stop();
    this.#options.store.set('changes', changesAtStart);
    run.document.note();
    await run.document.finish();
  }

  /** The operator opens the details of an incident: its changes, which then count as seen. */
  see(incidentId: string): Pick<ChangeEntry, 'isNew' | 'changes'> {
    const run = this.#run;
    const entry = run?.list.see(incidentId) ?? null;
    if (run === null || entry === null) return { isNew: false, changes: [] };
    this.#changed(run);
    return { isNew: entry.isNew, changes: entry.changes };
  }

  #take(run: Run, records: readonly RecordChange[]): void {
    const at = this.#options.serverTime.serverNow();
    let news = false;
    for (const { before, after, arrivedAt } of records) {
      if (before !== null) news = run.list.note(before, after, at) || news;
      else if (arrivedAt !== 0 || (run.watchedUntil !== null && after.createdAt > run.watchedUntil)) {
        run.list.noteNew(after.id);
        news = true;
      }
    }
    if (news) this.#changed(run);
  }

  #changed(run: Run): void {
    this.#publish(run);
    run.document.note();
  }

  #publish({ list }: Run): void {
    this.#options.store.set('changes', list.ids);
  }
}
