import type { Changes } from '../../../../../src-preload/contract/index.ts';
import type { RecordChange } from '../../../state/consoleStore.ts';
import { PersistedDocument } from '../../../vault/persistedDocument.ts';
import type { LocalAccount } from '../../context.ts';
import { ChangeList, readChanges, type ChangeEntry } from './changeList.ts';

export const changesAtStart: Changes = { changed: [], fresh: [], last: 0 };

/**
 * The changes of incidents since the operator last opened their details, sealed in the account's vault. Listens from
 * the start; what it hears before `load` ends waits. Owns the slice `changes`.
 */
export class UnseenChanges {
  readonly #account: LocalAccount;
  readonly #list: ChangeList;
  readonly #document: PersistedDocument;
  #early: RecordChange[] | null = [];
  /** Null where the console has not watched before: then nothing in the first reading is new. */
  #watchedUntil: number | null = null;

  constructor(account: LocalAccount) {
    const { scope, store, serverNow } = account;
    this.#account = account;
    this.#list = new ChangeList(store);
    scope.onEnd(() => {
      store.set('changes', changesAtStart);
    });
    this.#document = new PersistedDocument(account, 'changes', () => this.#list.text(serverNow()));
    scope.onEnd(() => {
      // The console watched until now. Before the stored list is loaded it must not be overwritten.
      if (this.#early === null) this.#document.note();
    });
    const stop = store.onRecords((records) => {
      if (this.#early === null) this.#take(records);
      else
        this.#early = this.#early.concat(
          records.filter(({ before, arrivedAt }) => before !== null || arrivedAt !== 0),
        );
    });
    scope.onEnd(stop);
  }

  /** Reads the stored list. Never rejects. */
  async load(): Promise<void> {
    const kept = readChanges(await this.#document.restore());
    if (this.#account.scope.isOver) return;
    this.#watchedUntil = kept?.watchedUntil ?? null;
    this.#list.load(kept?.entries ?? []);
    const waited = this.#early ?? [];
    this.#early = null;
    this.#publish();
    this.#take(waited);
    // Stores the time since which the console watches.
    this.#document.note();
  }

  /** The operator opens the details of an incident. Returns its changes, which then count as seen. */
  see(incidentId: string): Pick<ChangeEntry, 'isNew' | 'changes'> {
    const entry = this.#list.see(incidentId);
    if (entry === null) return { isNew: false, changes: [] };
    this.#changed();
    return { isNew: entry.isNew, changes: entry.changes };
  }

  /** The operator has seen all of them, up to the number `last`. */
  seeAll(last: number): void {
    this.#list.seeAll(last);
    this.#changed();
  }

  #take(records: readonly RecordChange[]): void {
    const at = this.#account.serverNow();
    let news = false;
    for (const { before, after, arrivedAt } of records) {
      if (before !== null) news = this.#list.note(before, after, at) || news;
      else if (arrivedAt !== 0 || (this.#watchedUntil !== null && after.createdAt > this.#watchedUntil)) {
        this.#list.noteNew(after.id);
        news = true;
      }
    }
    if (news) this.#changed();
  }

  #changed(): void {
    this.#publish();
    this.#document.note();
  }

  #publish(): void {
    this.#account.store.set('changes', this.#list.unseen);
  }
}
