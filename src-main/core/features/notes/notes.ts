import {
  failed,
  ok,
  type Note,
  type Result,
  type ShiftEntry,
  type VerbReply,
} from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import type { Clock, Logger, Random } from '../../base/ports.ts';
import type { ServerTime } from '../../base/serverTime.ts';
import type { ConsoleStore } from '../../state/consoleStore.ts';
import type { VaultRecords } from '../../vault/records.ts';
import type { Downloads } from '../exports/index.ts';
import { AccountNotes, type LogEntry } from './accountNotes.ts';
import type { HandoverMessages, HandoverSources } from './handover/facts.ts';
import { makeHandover } from './handover/handover.ts';
import type { Handovers } from './handover/handovers.ts';
import { openActionsOf } from './handover/openActions.ts';
import { watchAtStart } from './notesState.ts';

export interface NotesOptions extends HandoverSources {
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
  #run: AccountNotes | null = null;
  /** The one whose vault is being left: what ends with it is still written down. */
  #leaving: AccountNotes | null = null;

  constructor(options: NotesOptions) {
    this.#options = options;
  }

  /** Takes up what is stored; `records` null: nothing can be. Never rejects. */
  start(records: VaultRecords | null, username: string): Promise<void> {
    const { store, serverTime } = this.#options;
    const run: AccountNotes = new AccountNotes({
      ...this.#options,
      records,
      username,
      now: () => serverTime.serverNow(),
      publish: (watch) => {
        if (this.#run !== run) return;
        store.set('watch', { ...watch, revision: store.slice('watch').revision + 1 });
      },
    });
    this.#run = run;
    return run.load();
  }

  /**
   * Forgets all, once it is written; what others log until `others` settles is written too. Done when
   * nothing uses what `start` was given. Never rejects.
   */
  async stop(others: Promise<unknown>): Promise<void> {
    const { store } = this.#options;
    const run = this.#run;
    this.#run = null;
    this.#leaving = run;
    store.set('watch', { ...watchAtStart, revision: store.slice('watch').revision + 1 });
    await others.catch(() => undefined);
    if (this.#leaving === run) this.#leaving = null;
    await run?.finish();
  }

  /** Adds a line to the log of the shift, if somebody is signed in. */
  log(entry: LogEntry): void {
    (this.#run ?? this.#leaving)?.log(entry);
  }

  pin(incidentId: string, pinned: boolean): Promise<Result<null>> {
    return this.#with((run) => run.pin(incidentId, pinned));
  }

  /** Answers with the note once it would survive a power cut. */
  addNote(incidentId: string, text: string): Promise<Result<Note>> {
    return this.#with((run) => run.addNote(incidentId, text));
  }

  changeNote(id: string, text: string): Promise<Result<Note>> {
    return this.#with((run) => run.changeNote(id, text));
  }

  removeNote(id: string): Promise<Result<null>> {
    return this.#with((run) => run.removeNote(id));
  }

  /** Notes, the latest first; of one incident, or all for null; with `text` in them, whatever its case. */
  readNotes(
    of: { readonly incidentId: string | null; readonly text: string },
    from: number,
    count: number,
  ): { total: number; notes: Note[] } {
    return this.#run?.readNotes(of, from, count) ?? { total: 0, notes: [] };
  }

  /** The log of the present shift, the latest first. */
  readShift(from: number, count: number): { total: number; entries: ShiftEntry[] } {
    return this.#run?.readShift(from, count) ?? { total: 0, entries: [] };
  }

  beginShift(): Promise<Result<null>> {
    return this.#with((run) => run.beginShift());
  }

  /**
   * Stores what the next operator sees, makes what the report says a download where the policy allows exports, and ends the
   * shift. `notStored`: why the next operator does not see it; without a report either, that is the failure.
   */
  handOver(messages: HandoverMessages): Promise<Result<VerbReply<'handOver'>>> {
    const { store, handovers } = this.#options;
    return this.#with((run) =>
      run.handOver(async (kept, username) => {
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
      }),
    );
  }

  #with<T>(work: (run: AccountNotes) => Promise<Result<T>>): Promise<Result<T>> {
    if (this.#run !== null) return work(this.#run);
    const at = this.#options.serverTime.serverNow();
    return Promise.resolve(failed(makeFailure({ code: 'signed-out', at })));
  }
}
