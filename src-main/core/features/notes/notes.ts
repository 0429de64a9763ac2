import {
  failed,
  ok,
  type Note,
  type Result,
  type ShiftEntry,
  type VerbReply,
  type Watch,
} from '../../../../src-preload/contract/index.ts';
import type { Clock, Logger, Random } from '../../base/ports.ts';
import type { ServerTime } from '../../base/serverTime.ts';
import type { ConsoleStore } from '../../state/consoleStore.ts';
import type { Account } from '../../vault/account.ts';
import type { Downloads } from '../exports/index.ts';
import type { HandoverMessages, HandoverSources } from './handover/facts.ts';
import { makeHandover } from './handover/handover.ts';
import type { Handovers } from './handover/handovers.ts';
import { openActionsOf } from './handover/openActions.ts';
import { NoteRepository, type LogEntry } from './noteRepository.ts';
import { watchAtStart } from './notesState.ts';

export interface NotesOptions extends HandoverSources, Account {
  readonly store: ConsoleStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: Random;
  readonly serverTime: Pick<ServerTime, 'serverNow'>;
  readonly downloads: Pick<Downloads, 'put'>;
  readonly handovers: Pick<Handovers, 'give'>;
}

/**
 * Watching and handing over, for the account whose vault is open: notes on incidents, pins, and the log of
 * the shift. All of it is sealed on this computer, and nothing of it is ever sent. Owns the slice `watch`.
 */
export class Notes {
  readonly #options: NotesOptions;
  readonly #repository: NoteRepository;

  constructor(options: NotesOptions) {
    const { scope, store, serverTime } = options;
    const publish = (watch: Omit<Watch, 'revision'>): void => {
      store.set('watch', { ...watch, revision: store.slice('watch').revision + 1 });
    };
    this.#options = options;
    this.#repository = new NoteRepository({ ...options, now: () => serverTime.serverNow(), publish });
    scope.onEnd(() => {
      publish(watchAtStart);
    });
  }

  /** Takes up what is stored. Never rejects. */
  load(): Promise<void> {
    return this.#repository.load();
  }

  /** Adds a line to the log of the shift, also while the account ends. */
  log(entry: LogEntry): void {
    this.#repository.log(entry);
  }

  pin(incidentId: string, pinned: boolean): Promise<Result<null>> {
    return this.#repository.pin(incidentId, pinned);
  }

  /** Answers with the note once it would survive a power cut. */
  addNote(incidentId: string, text: string): Promise<Result<Note>> {
    return this.#repository.addNote(incidentId, text);
  }

  changeNote(id: string, text: string): Promise<Result<Note>> {
    return this.#repository.changeNote(id, text);
  }

  removeNote(id: string): Promise<Result<null>> {
    return this.#repository.removeNote(id);
  }

  /** Notes, the latest first; of one incident, or all for null; with `text` in them, whatever its case. */
  readNotes(
    of: { readonly incidentId: string | null; readonly text: string },
    from: number,
    count: number,
  ): { total: number; notes: Note[] } {
    return this.#repository.readNotes(of, from, count);
  }

  /** The log of the present shift, the latest first. */
  readShift(from: number, count: number): { total: number; entries: ShiftEntry[] } {
    return this.#repository.readShift(from, count);
  }

  beginShift(): Promise<Result<null>> {
    return this.#repository.beginShift();
  }

  /**
   * Stores what the next operator sees, makes what the report says a download where the policy allows exports,
   * and ends the shift. `notStored`: why the next operator does not see it; without a report either, that is the failure.
   */
  handOver(messages: HandoverMessages): Promise<Result<VerbReply<'handOver'>>> {
    const { store, handovers } = this.#options;
    return this.#repository.handOver(async (kept, username) => {
      const isAllowed = store.slice('policy').exports;
      const report = isAllowed ? await makeHandover(this.#options, kept, messages) : ok(null);
      if (!report.ok) return report;
      const { summary, successor } = messages;
      const notStored = await handovers.give({
        from: username,
        summary,
        successor,
        shift: kept.shift.startedAt,
        ...openActionsOf(this.#options, kept.pins),
      });
      if (report.value === null && notStored !== null) return failed(notStored);
      return ok({ report: report.value, notStored });
    });
  }
}
