import {
  failed,
  mostNotes,
  mostPins,
  ok,
  type Failure,
  type Note,
  type Result,
  type ShiftEntry,
  type VerbReply,
  type Watch,
} from '../../../../src-preload/contract/index.ts';
import { nameOf } from '../../base/errors.ts';
import { cappedText } from '../../base/json.ts';
import { SerialQueue } from '../../base/queues.ts';
import { Timer } from '../../base/timer.ts';
import type { RecordRow } from '../../vault/records.ts';
import { storing } from '../../vault/storageFailure.ts';
import { WriteBehind } from '../../vault/writeBehind.ts';
import type { LocalAccount, ShiftLine } from '../context.ts';
import type { HandoverMessages } from './handover/facts.ts';
import { giveHandover, type HandoverSources } from './handover/handover.ts';
import { NoteList } from './noteList.ts';
import { notesAtStart } from './notesState.ts';
import { cleanNote, emptyNote, noShift, noSuchNote, nothingKept, tooMany } from './noteText.ts';
import { PinList } from './pinList.ts';
import { entryOf, ShiftLog } from './shiftLog.ts';

/** Of a note only the beginning is logged, UTF-16 units. */
const longestExcerpt = 160;
/** The wait before stored data that could not be read are tried again, milliseconds. */
const readAgainMs = 30_000;

/**
 * Notes on incidents, pins, and the log of the shift, for the account whose vault is open. All of it is sealed on this
 * computer, and none of it is ever sent. Changes run one after another; each is on the disk before the next one starts.
 * Without records, pins and log are only in memory, and notes are refused. Owns the slice `watch`.
 */
export class Notes {
  readonly #account: LocalAccount;
  readonly #sources: HandoverSources;
  readonly #notes = new NoteList();
  readonly #pins = new PinList();
  readonly #shiftLog = new ShiftLog();
  /** Lines that are not in the log yet. */
  #waiting: ShiftEntry[] = [];
  /** Rows of the log that are not on the disk yet, by id. */
  readonly #unwritten = new Map<string, RecordRow>();
  readonly #behind: WriteBehind<readonly RecordRow[]>;
  /** Why they are not. */
  #failure: Failure | null = null;
  readonly #readAgain: Timer;
  #damaged = 0;
  /** Why nothing is stored, or nothing could be read. */
  #problem: Failure | null = null;
  #loaded = false;
  #isOver = false;
  readonly #queue = new SerialQueue();

  constructor(account: LocalAccount, sources: HandoverSources) {
    const { scope, clock } = account;
    this.#account = account;
    this.#sources = sources;
    this.#behind = new WriteBehind<readonly RecordRow[]>({
      clock,
      take: (ids) => ids.flatMap((id) => this.#unwritten.get(id) ?? []),
      put: (rows) => this.#put(rows),
      onWritten: (failure) => {
        if (failure === this.#failure) return;
        this.#failure = failure;
        this.#publish();
      },
    });
    this.#readAgain = new Timer(clock, () => void this.#inTurn(() => this.#read()));
    scope.defer(() => this.#finish());
    scope.onEnd(() => {
      this.#show(notesAtStart);
    });
  }

  /** Reads the stored data, and begins a shift if none is running. Never rejects. */
  load(): Promise<void> {
    return this.#inTurn(() => this.#read());
  }

  /** Adds a line to the log of the shift as soon as possible, even while the account ends. */
  log(entry: ShiftLine): void {
    this.#waiting.push(this.#entry(entry));
    void this.#inTurn(() => this.#drain());
  }

  pin(incidentId: string, pinned: boolean): Promise<Result<null>> {
    return this.#change(async () => {
      if (this.#pins.has(incidentId) === pinned) return ok(null);
      if (pinned && this.#pins.isFull) return this.#account.refuse(tooMany('pins', mostPins));
      const kind = pinned ? 'incident-pinned' : 'incident-unpinned';
      const failure = await this.#write([this.#pins.rowOf(incidentId, pinned)], { kind, incidentId });
      if (failure) return failed(failure);
      this.#pins.put(incidentId, pinned);
      return ok(null);
    });
  }

  /** Resolves with the note when it is safe from a power cut. */
  addNote(incidentId: string, text: string): Promise<Result<Note>> {
    const { random, username } = this.#account;
    return this.#writeNote('note-added', text, (cleaned, at) => {
      if (this.#notes.isFull) return this.#account.refuse(tooMany('notes', mostNotes));
      const id = Buffer.from(random.bytes(16)).toString('hex');
      return ok({ id, incidentId, text: cleaned, username, at, changedAt: null });
    });
  }

  changeNote(id: string, text: string): Promise<Result<Note>> {
    return this.#writeNote('note-changed', text, (cleaned, at) => {
      const note = this.#notes.note(id);
      return note === null ? this.#account.refuse(noSuchNote) : ok({ ...note, text: cleaned, changedAt: at });
    });
  }

  removeNote(id: string): Promise<Result<null>> {
    return this.#change(async () => {
      const note = this.#notes.note(id);
      if (note === null) return this.#account.refuse(noSuchNote);
      const { incidentId } = note;
      const gone: RecordRow = { table: 'notes', id, text: null };
      const failure = await this.#write([gone], { kind: 'note-removed', incidentId });
      if (failure) return failed(failure);
      this.#notes.drop(id);
      return ok(null);
    });
  }

  /** Notes, the latest first: of one incident or, for null, of all; only those with `text` in them, in any case. */
  readNotes(
    of: { readonly incidentId: string | null; readonly text: string },
    from: number,
    count: number,
  ): { total: number; notes: Note[] } {
    return this.#notes.read(of, from, count);
  }

  /** The log of the present shift, the latest first. */
  readShift(from: number, count: number): { total: number; entries: ShiftEntry[] } {
    return this.#shiftLog.read(from, count);
  }

  beginShift(): Promise<Result<null>> {
    return this.#change(async () => {
      const before = this.#shiftLog.mark;
      const rows = this.#shiftLog.begin(this.#account.serverNow(), this.#account.username);
      return this.#kept(rows, before);
    });
  }

  /**
   * Stores what the next operator sees, offers the report's facts as a download where the policy allows exports, and
   * ends the shift. `notStored`: why the next operator does not see it. When there is no report either, that is the
   * failure. Lines that come meanwhile wait, and belong to the next shift.
   */
  handOver(messages: HandoverMessages): Promise<Result<VerbReply<'handOver'>>> {
    return this.#change(async () => {
      const { state: shift, entries } = this.#shiftLog;
      if (shift === null) return this.#account.refuse(noShift);
      const kept = {
        shift,
        entries,
        notes: this.#notes.notes,
        pins: this.#pins.incidentIds,
        damaged: this.#damaged,
      };
      const given = await giveHandover(this.#account, this.#sources, kept, messages);
      if (!given.ok) return given;
      const before = this.#shiftLog.mark;
      const rows = this.#shiftLog.handOver(this.#account.serverNow(), this.#account.username);
      const written = await this.#kept(rows, before);
      return written.ok ? given : written;
    });
  }

  #writeNote(
    kind: 'note-added' | 'note-changed',
    text: string,
    make: (cleaned: string, at: number) => Result<Note>,
  ): Promise<Result<Note>> {
    return this.#change(async () => {
      if (this.#account.records === null) return this.#account.refuse(nothingKept);
      const cleaned = cleanNote(text);
      if (cleaned === '') return this.#account.refuse(emptyNote);
      const made = make(cleaned, this.#account.serverNow());
      if (!made.ok) return made;
      const { incidentId } = made.value;
      const subject = cappedText(cleaned, longestExcerpt);
      const failure = await this.#write([this.#notes.rowOf(made.value)], { kind, incidentId, subject });
      if (failure) return failed(failure);
      this.#notes.put(made.value);
      return made;
    });
  }

  /** Writes what waits, including lines that other features log at the end of the account. */
  async #finish(): Promise<void> {
    await this.#inTurn(() => this.#drain());
    this.#isOver = true;
    await this.#queue.settled();
    await this.#behind.finish();
  }

  async #read(): Promise<void> {
    const { records, logger, username } = this.#account;
    if (this.#loaded || this.#isOver) return;
    if (records !== null) {
      const { store } = records;
      const reading = await storing(this.#account, 'watch', async () =>
        ok(await Promise.all([store.rows('notes'), store.rows('pins'), store.rows('shift')])),
      );
      if (!reading.ok) {
        this.#problem = reading.failure;
        this.#publish();
        this.#readAgain.setOnce(readAgainMs);
        return;
      }
      const [notes, pins, shift] = reading.value;
      this.#damaged = this.#notes.load(notes) + this.#pins.load(pins) + this.#shiftLog.load(shift);
      if (this.#damaged > 0) logger.warn('watch-rows-damaged', { count: this.#damaged });
    }
    this.#loaded = true;
    this.#problem = records === null ? this.#account.fail(nothingKept) : null;
    const shift = this.#shiftLog.state;
    if (shift === null || shift.handedOverAt !== null) {
      await this.#putLater(this.#shiftLog.begin(this.#account.serverNow(), username));
    }
    await this.#drain();
    this.#publish();
  }

  /** Takes the waiting lines into the log. Those that cannot be written now are written later. */
  async #drain(): Promise<void> {
    if (!this.#loaded || this.#isOver) return;
    const lines = this.#waiting;
    if (lines.length === 0) return;
    this.#waiting = [];
    await this.#putLater(this.#shiftLog.add(lines));
    this.#publish();
  }

  /** Writes rows and their line of the log: both or neither. */
  async #write(rows: readonly RecordRow[], entry: ShiftLine): Promise<Failure | null> {
    const before = this.#shiftLog.mark;
    const result = await this.#kept([...rows, ...this.#shiftLog.add([this.#entry(entry)])], before);
    return result.ok ? null : result.failure;
  }

  async #kept(rows: readonly RecordRow[], before: ShiftLog['mark']): Promise<Result<null>> {
    // Earlier lines of the log first.
    const failure = (await this.#behind.flush([])) ?? (await this.#put(rows));
    if (failure === null) return ok(null);
    this.#shiftLog.restore(before);
    return failed(failure);
  }

  /** Takes rows that are in memory already. */
  async #putLater(rows: readonly RecordRow[]): Promise<void> {
    for (const row of rows) this.#unwritten.set(row.id, row);
    await this.#behind.flush(rows.map(({ id }) => id));
  }

  /** Writes all of these rows or none. */
  async #put(rows: readonly RecordRow[]): Promise<Failure | null> {
    const { records } = this.#account;
    const written = await storing(this.#account, 'watch', async () => ok(await records?.store.write(rows)));
    if (!written.ok) return written.failure;
    for (const row of rows) if (this.#unwritten.get(row.id) === row) this.#unwritten.delete(row.id);
    return null;
  }

  /** An operator's change: runs after all earlier ones, and resolves when it is done. */
  #change<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
    return this.#inTurn(async () => {
      await this.#read();
      if (this.#isOver) return this.#account.refuse({ code: 'signed-out' });
      if (!this.#loaded) return failed(this.#problem ?? this.#account.fail({ code: 'storage-failed' }));
      await this.#drain();
      const result = await work();
      this.#publish();
      return result;
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.run(work);
    done.catch((error: unknown) => {
      const { logger } = this.#account;
      logger.error('notes-broke', { error: nameOf(error) });
    });
    return done;
  }

  #entry(entry: ShiftLine): ShiftEntry {
    return entryOf(entry, { at: this.#account.serverNow(), username: this.#account.username });
  }

  #publish(): void {
    const { scope, records } = this.#account;
    if (scope.isOver) return;
    this.#show({
      pins: this.#pins.incidentIds,
      noted: this.#notes.incidentIds,
      notes: this.#notes.size,
      shift: this.#shiftLog.state,
      damaged: this.#damaged,
      lost: records?.lost ?? null,
      problem: this.#problem ?? this.#failure,
    });
  }

  #show(watch: Omit<Watch, 'revision'>): void {
    const { store } = this.#account;
    store.set('watch', { ...watch, revision: store.slice('watch').revision + 1 });
  }
}
