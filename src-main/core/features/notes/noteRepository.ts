import {
  failed,
  mostNotes,
  mostPins,
  ok,
  type Failure,
  type Note,
  type Result,
  type ShiftEntry,
  type Watch,
} from '../../../../src-preload/contract/index.ts';
import { makeFailure, type FailureParts } from '../../base/failure.ts';
import { cappedText } from '../../base/json.ts';
import { bounded } from '../../base/messages/message.ts';
import type { Clock, Logger, Random } from '../../base/ports.ts';
import { SerialQueue } from '../../base/queues.ts';
import type { Account } from '../../vault/account.ts';
import type { RecordRow } from '../../vault/records.ts';
import { storing } from '../../vault/storageFailure.ts';
import type { WatchKept } from './handover/facts.ts';
import { emptyNote, noShift, noSuchNote, nothingKept, tooMany } from './messages.ts';
import { NoteList } from './noteList.ts';
import { WatchRows } from './noteRows.ts';
import { cleanNote } from './noteText.ts';
import { PinList } from './pinList.ts';
import { ShiftLog } from './shiftLog.ts';

/** A line for the log; who and when is known here. */
export type LogEntry = Pick<ShiftEntry, 'kind'> &
  Partial<Pick<ShiftEntry, 'subject' | 'alarm' | 'incidentId' | 'outcome'>>;

/** Without records pins and log are in memory, and notes are refused. */
export interface NoteRepositoryOptions extends Account {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Server time, Unix milliseconds. */
  readonly now: () => number;
  readonly publish: (watch: Omit<Watch, 'revision'>) => void;
}

/** Of a line's subject, and of what an alarm said as JSON, UTF-16 units; of a note only its first words. */
const longestSubject = 4_000;
const longestExcerpt = 160;

/** Notes, pins and the log of one open vault. Changes are made one after the other, each durable before the next. */
export class NoteRepository {
  readonly #options: NoteRepositoryOptions;
  readonly #notes = new NoteList();
  readonly #pins = new PinList();
  readonly #shiftLog = new ShiftLog();
  /** Lines that are not in the log yet. */
  #waiting: ShiftEntry[] = [];
  readonly #rows: WatchRows;
  #damaged = 0;
  /** Why nothing is kept, or nothing could be read. */
  #problem: Failure | null = null;
  #loaded = false;
  #isOver = false;
  readonly #queue = new SerialQueue();

  constructor(options: NoteRepositoryOptions) {
    this.#options = options;
    this.#rows = new WatchRows({
      ...options,
      store: options.records?.store ?? null,
      onRetry: () => {
        void this.#inTurn(() => (this.#loaded ? this.#drain() : this.#read()));
      },
    });
    options.scope.defer(() => this.#finish());
  }

  /** Takes up what is kept, and begins a shift where none runs. Never rejects. */
  load(): Promise<void> {
    return this.#inTurn(() => this.#read());
  }

  /** Adds a line to the log of the shift, as soon as it can be. */
  log(entry: LogEntry): void {
    this.#waiting.push(this.#line(entry));
    void this.#inTurn(() => this.#drain());
  }

  pin(incidentId: string, pinned: boolean): Promise<Result<null>> {
    return this.#change(async () => {
      if (this.#pins.has(incidentId) === pinned) return ok(null);
      if (pinned && this.#pins.isFull) return this.#fail(tooMany('pins', mostPins));
      const kind = pinned ? 'incident-pinned' : 'incident-unpinned';
      const failure = await this.#write([this.#pins.rowOf(incidentId, pinned)], { kind, incidentId });
      if (failure) return failed(failure);
      this.#pins.put(incidentId, pinned);
      return ok(null);
    });
  }

  addNote(incidentId: string, text: string): Promise<Result<Note>> {
    const { random, username } = this.#options;
    return this.#writeNote('note-added', text, (cleaned, at) => {
      if (this.#notes.isFull) return this.#fail(tooMany('notes', mostNotes));
      const id = Buffer.from(random.bytes(16)).toString('hex');
      return ok({ id, incidentId, text: cleaned, username, at, changedAt: null });
    });
  }

  changeNote(id: string, text: string): Promise<Result<Note>> {
    return this.#writeNote('note-changed', text, (cleaned, at) => {
      const note = this.#notes.note(id);
      return note === null ? this.#fail(noSuchNote) : ok({ ...note, text: cleaned, changedAt: at });
    });
  }

  removeNote(id: string): Promise<Result<null>> {
    return this.#change(async () => {
      const note = this.#notes.note(id);
      if (note === null) return this.#fail(noSuchNote);
      const { incidentId } = note;
      const gone: RecordRow = { table: 'notes', id, text: null };
      const failure = await this.#write([gone], { kind: 'note-removed', incidentId });
      if (failure) return failed(failure);
      this.#notes.drop(id);
      return ok(null);
    });
  }

  readNotes(
    of: { readonly incidentId: string | null; readonly text: string },
    from: number,
    count: number,
  ): { total: number; notes: Note[] } {
    return this.#notes.read(of, from, count);
  }

  readShift(from: number, count: number): { total: number; entries: ShiftEntry[] } {
    return this.#shiftLog.read(from, count);
  }

  beginShift(): Promise<Result<null>> {
    return this.#change(async () => {
      const before = this.#shiftLog.mark;
      const rows = this.#shiftLog.begin(this.#options.now(), this.#options.username);
      return this.#kept(rows, before);
    });
  }

  /**
   * Ends the shift once `report` has made something of it. Lines that come meanwhile wait, and belong to
   * the next shift.
   */
  handOver<T>(report: (kept: WatchKept, username: string) => Promise<Result<T>>): Promise<Result<T>> {
    const { now, username } = this.#options;
    return this.#change(async () => {
      const shift = this.#shiftLog.state;
      if (shift === null) return this.#fail(noShift);
      const { entries } = this.#shiftLog;
      const kept = {
        shift,
        entries,
        notes: this.#notes.notes,
        pins: this.#pins.incidentIds,
        damaged: this.#damaged,
      };
      const made = await report(kept, username);
      if (!made.ok) return made;
      const before = this.#shiftLog.mark;
      const written = await this.#kept(this.#shiftLog.handOver(now(), username), before);
      return written.ok ? made : written;
    });
  }

  #writeNote(
    kind: 'note-added' | 'note-changed',
    text: string,
    make: (cleaned: string, at: number) => Result<Note>,
  ): Promise<Result<Note>> {
    return this.#change(async () => {
      if (this.#options.records === null) return this.#fail(nothingKept);
      const cleaned = cleanNote(text);
      if (cleaned === '') return this.#fail(emptyNote);
      const made = make(cleaned, this.#options.now());
      if (!made.ok) return made;
      const { incidentId } = made.value;
      const subject = cappedText(cleaned, longestExcerpt);
      const failure = await this.#write([this.#notes.rowOf(made.value)], { kind, incidentId, subject });
      if (failure) return failed(failure);
      this.#notes.put(made.value);
      return made;
    });
  }

  /** Writes what waits, also what others log at the end of the account. */
  async #finish(): Promise<void> {
    await this.#inTurn(() => this.#drain());
    this.#isOver = true;
    this.#rows.stop();
    await this.#queue.settled();
  }

  async #read(): Promise<void> {
    const { records, logger, now, username } = this.#options;
    if (this.#loaded || this.#isOver) return;
    if (records !== null) {
      const { store } = records;
      const reading = await storing({ what: 'watch', logger, now }, async () =>
        ok(await Promise.all([store.rows('notes'), store.rows('pins'), store.rows('shift')])),
      );
      if (!reading.ok) {
        this.#problem = reading.failure;
        this.#publish();
        this.#rows.retryLater();
        return;
      }
      const [notes, pins, shift] = reading.value;
      this.#damaged = this.#notes.load(notes) + this.#pins.load(pins) + this.#shiftLog.load(shift);
      if (this.#damaged > 0) logger.warn('watch-rows-damaged', { count: this.#damaged });
    }
    this.#loaded = true;
    this.#problem = records === null ? this.#failure(nothingKept) : null;
    const shift = this.#shiftLog.state;
    if (shift === null || shift.handedOverAt !== null) {
      await this.#rows.putLater(this.#shiftLog.begin(now(), username));
    }
    await this.#drain();
    this.#publish();
  }

  /** Writes the lines that wait, all at once. What cannot be written is in memory, and written later. */
  async #drain(): Promise<void> {
    if (!this.#loaded || this.#isOver) return;
    const lines = this.#waiting;
    if (lines.length === 0 && !this.#rows.areWaiting) return;
    this.#waiting = [];
    await this.#rows.putLater(this.#shiftLog.add(lines));
    this.#publish();
  }

  /** Writes rows and their line of the log: both or neither. */
  async #write(rows: readonly RecordRow[], entry: LogEntry): Promise<Failure | null> {
    const before = this.#shiftLog.mark;
    const result = await this.#kept([...rows, ...this.#shiftLog.add([this.#line(entry)])], before);
    return result.ok ? null : result.failure;
  }

  async #kept(rows: readonly RecordRow[], before: ShiftLog['mark']): Promise<Result<null>> {
    const failure = await this.#rows.put(rows);
    if (failure === null) return ok(null);
    this.#shiftLog.restore(before);
    return failed(failure);
  }

  /** Something that an operator asks for: after all before it, and answered once it is done. */
  #change<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
    return this.#inTurn(async () => {
      await this.#read();
      if (this.#isOver) return this.#fail({ code: 'signed-out' });
      if (!this.#loaded) return failed(this.#problem ?? this.#failure({ code: 'storage-failed' }));
      await this.#drain();
      const result = await work();
      this.#publish();
      return result;
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.run(work);
    done.catch((error: unknown) => {
      const { logger } = this.#options;
      logger.error('watch-broke', { error: error instanceof Error ? error.name : 'unknown' });
    });
    return done;
  }

  #line({ kind, subject = null, alarm = null, incidentId = null, outcome = null }: LogEntry): ShiftEntry {
    const { now, username } = this.#options;
    const capped = subject === null ? null : cappedText(subject, longestSubject);
    const said = alarm && bounded(alarm, longestSubject);
    return { at: now(), username, kind, subject: capped, alarm: said, incidentId, outcome };
  }

  #publish(): void {
    const { scope, records, publish } = this.#options;
    if (scope.isOver) return;
    publish({
      pins: this.#pins.incidentIds,
      noted: this.#notes.incidentIds,
      notes: this.#notes.size,
      shift: this.#shiftLog.state,
      damaged: this.#damaged,
      lost: records?.lost ?? null,
      problem: this.#problem ?? this.#rows.failure,
    });
  }

  #failure(parts: Omit<FailureParts, 'at'>): Failure {
    return makeFailure({ ...parts, at: this.#options.now() });
  }

  #fail(parts: Omit<FailureParts, 'at'>): Result<never> {
    return failed(this.#failure(parts));
  }
}
