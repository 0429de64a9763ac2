import { failed, openRule, type Failure, type Result } from '../../../../../src-preload/contract/index.ts';
import { doubled } from '../../../base/backoff.ts';
import { failureNow } from '../../../base/failure.ts';
import type { ServerTime } from '../../../base/serverTime.ts';
import type { InfrastructureApi, ListIncidentsParams } from '../../../service/api/infrastructure.ts';
import { withHold } from '../../../service/transport/largeAnswers.ts';
import type { Line } from '../../../service/transport/line.ts';
import type { ConsoleStore } from '../../../state/consoleStore.ts';
import type { IncidentRecord } from '../../../state/incident.ts';
import type { TimestampUnit } from '../range.ts';
import { Absences } from './absences.ts';
import { timesIn } from './answeredRows.ts';
import { edgesFor } from './edges.ts';
import { Ledger } from './ledger.ts';
import { readLedger, writeLedger } from './ledgerText.ts';
import {
  isRefusal,
  ListReader,
  narrowList,
  type ListCall,
  type ListPages,
  type SyncCall,
} from './listReader.ts';
import { longestPauseMs } from './plan.ts';
import { probeUnit, type Bounds } from './unitProbe.ts';
import {
  aheadMs,
  endsAt,
  isSmallest,
  mayHold,
  settledMs,
  tickMs,
  tickOf,
  type LedgerWindow,
  type Span,
  type TickUnit,
} from './window.ts';

export interface ReadingsOptions {
  readonly api: Pick<InfrastructureApi, 'listIncidents'>;
  readonly store: ConsoleStore;
  readonly serverTime: Pick<ServerTime, 'serverNow'>;
  readonly unit: TimestampUnit;
  /** The limit that is asked for first; null for none. */
  readonly pageSize: number | null;
  readonly intervalMs: number;
  readonly line: Pick<Line, 'lastRate'>;
  /** Waits for a turn to send one more request; false when the read is no longer wanted. */
  readonly turn: (signal: AbortSignal) => Promise<boolean>;
}

/** The most pages of one window that are followed by cursor: beyond it, reading its parts is quicker. */
const mostPages = 20;
/** The most pages of a list that cannot be split. */
const mostPlainPages = 500;
/** Answers in a row of a service that returned what it had lacked, so that each of its replicas is asked. */
const doubtedAnswers = 3;
/** So many intervals a fickle service has to return an incident before that is asked for. */
const fickleIntervals = 20;
/** So many answers in a row of a fickle service that lacked an incident were cut, and came not from another replica. */
const mostLacks = 4;
/** A page should take so long, seconds, but has at least so many rows. */
const [pageSeconds, leastFit] = [4, 25];
/** So many intervals, and so many milliseconds for other windows than the newest, a validator is believed. */
const [believedIntervals, believedMs] = [10, 21_600_000];
/** After this time a service that ignored the windows is tried again, milliseconds. */
const retryFilterMs = 3_600_000;
/** So often a service whose plain list is empty is asked for incidents of any time, milliseconds. */
const reaskEmptyMs = 300_000;
const dayMs = 86_400_000;
/** Up to so many days before the present an empty service is asked for incidents. */
const daysBack = [-1, 1, 8, 31];

/** Open incidents are asked for first. The deployment's extra words for closed do not matter here. */
const isOpen = openRule();

/**
 * What was read and what follows from it: the ledger, the form of requests that the service takes, the missing incidents.
 * Each read writes its rows to the store before it writes to the ledger, so that the ledger never claims rows that are
 * missing.
 */
export class Readings {
  readonly #options: ReadingsOptions;
  readonly #reader: ListReader;
  readonly #absences: Absences;
  /** The limits that are asked for, one after another where the service refuses them; undefined for none. */
  #limits: readonly (number | undefined)[];
  #ledger = new Ledger();
  /** Null while it is not known. */
  #bounds: Bounds | null = null;
  #unfiltered: 'ignored' | 'undecided' | null = null;
  /** Server time at which an empty service was last asked for incidents of any time. */
  #emptyAt = 0;
  /** How many incidents the service said there are in all. */
  #total: number | null = null;
  /** Server time at which the windows are tried again. */
  #filterRetryAt = 0;
  /** No validator of this service came with two answers that differ. */
  #isBelieved = true;
  /** Server time of the last read of the newest window. */
  lastReadAt: number | null = null;
  lastRequestId: string | null = null;
  /** By so much an answer may be older than its time: one lacked a young incident that another one had. */
  lagMs = 0;
  /** Incidents created before this instant are not stored, Unix milliseconds. */
  keptFrom: number | null = null;

  constructor(options: ReadingsOptions) {
    this.#options = options;
    this.#reader = new ListReader(options);
    this.#absences = new Absences({ apartMs: options.intervalMs });
    const { pageSize } = options;
    const less = [100, 50].filter((limit) => limit < (pageSize ?? 0));
    this.#limits = [...(pageSize === null ? [] : [pageSize, ...less]), undefined];
  }

  get ledger(): Ledger {
    return this.#ledger;
  }

  get unit(): TickUnit | null {
    return this.#bounds?.unit ?? null;
  }

  get unfiltered(): 'ignored' | 'undecided' | null {
    return this.#unfiltered;
  }

  /** Whether it is proven that all incidents are known. */
  get isComplete(): boolean {
    if (this.#bounds === null || this.#unfiltered !== null) return this.#ledger.recent.state === 'whole';
    const { count } = this.#options.store.incidents;
    const isShort = this.keptFrom === null && count < (this.#total ?? 0);
    return !this.#bounds.isOdd && !isShort && this.#ledger.isComplete;
  }

  /** Server time at which a missing incident is to be asked for; null when none is missing. */
  get missingDueAt(): number | null {
    return this.#bounds?.isOdd === false && this.#unfiltered === null ? this.#absences.dueAt : null;
  }

  /** Loads a stored ledger. Starts from nothing, and returns false, when it does not fit the store or the unit. */
  restore(text: string): boolean {
    const kept = readLedger(text);
    const { unit, store } = this.#options;
    if (!kept || store.incidents.count < kept.incidents) return false;
    if (unit !== 'auto' && kept.bounds !== null && kept.bounds.unit !== unit) return false;
    if (kept.bounds === null && kept.state.windows.length > 1) return false;
    this.#bounds = kept.bounds;
    this.#ledger = new Ledger(kept.state);
    this.lastReadAt = kept.lastReadAt;
    this.keptFrom = kept.keptFrom;
    const at = this.#limits.indexOf(kept.limit ?? undefined);
    if (at > 0) this.#limits = this.#limits.slice(at);
    return true;
  }

  text(): string {
    return writeLedger(this.#ledger.state, {
      bounds: this.#bounds,
      limit: this.#limit ?? null,
      lastReadAt: this.lastReadAt,
      incidents: this.#options.store.incidents.count,
      keptFrom: this.keptFrom,
    });
  }

  /** Another service may answer now: tries the windows before the hour is over. */
  retryFilter(): void {
    this.#filterRetryAt = 0;
  }

  /** Adds the windows that are to confirm what was read once, and begins again where that leads nowhere. */
  confirm(): void {
    if (this.#bounds === null) return;
    this.#ledger.reconsider(this.#now());
    this.#ledger.confirm();
  }

  /** Reads one window. Until the unit is known, and for a service that ignores windows, this is the plain list. */
  async window(window: LedgerWindow, call: SyncCall): Promise<Failure | null> {
    const rest = this.#filterRetryAt - this.#now();
    // A longer wait than the hour came from a wrong clock.
    if (this.#unfiltered !== null && (rest <= 0 || rest > retryFilterMs)) {
      this.#unfiltered = null;
      this.#bounds = null;
    }
    const bounds = this.#bounds;
    if (bounds === null || this.#unfiltered !== null) return this.#plain(window, call);
    const part = this.#ledger.askable(window, bounds.unit, this.#now());
    return part === null ? null : this.#window(part, bounds, call);
  }

  async #window(window: LedgerWindow, bounds: Bounds, call: SyncCall): Promise<Failure | null> {
    const { unit, isOdd } = bounds;
    const span: Span = { from: window.from, to: window.to };
    window.busy = true;
    const first = window.wholeAt === null;
    const expected = this.#expected(window, unit);
    const fresh: number[] = [];
    const params = this.#params(window);
    const of = JSON.stringify(params);
    const { validator: before } = window;
    const validator = !call.recheck && this.#believes(window, of) ? before : null;
    const limits = { mostPages, expectsRows: expected.length > 0, validator };
    const pages = await this.#readAndKeep(
      params,
      { ...call, ...limits },
      () => (first ? (this.lastReadAt ?? Infinity) : -Infinity),
      fresh,
    );
    if (pages === null) return this.#cancelled(window);
    if (!pages.ok) return this.#refused(window, unit, pages.failure);
    const { rows, failure, total, isUnchanged, validator: given } = pages.value;
    if (isUnchanged) return this.#unchanged(window, unit, pages.value);
    if (window.to === null) this.lastReadAt = this.#now();
    if (failure !== null) return this.#failed(window, failure);
    // Meanwhile another read has found that the service ignores windows.
    if (!this.#ledger.windows.includes(window)) return null;
    if (!isOdd && !areInside(rows, span, bounds)) {
      window.busy = false;
      return this.#probe(rows, call);
    }
    // Some services say with each window how many there are in all.
    const isOwn = total !== null && total !== this.#total && total > rows.length;
    const reading = { ...pages.value, cut: pages.value.cut || isOwn };
    const facts = { unit, now: this.#now(), limit: this.#limit };
    const isSame = given !== null && before?.etag === given.etag && before.modified === given.modified;
    // A row has changed, and the validator has not.
    if (isSame && before.of === of && window.validator === null) this.#isBelieved = false;
    const verdict = this.#ledger.take(window, reading, facts);
    window.validator =
      verdict === 'whole' && !isOdd && given !== null ? { ...given, of, since: this.#now() } : null;
    for (const at of fresh) this.#ledger.named(at, window, { ...facts, first, isOdd });
    if (verdict === 'saturated' && isSmallest(window)) {
      window.busy = true;
      const narrowed = await this.narrow(window, call);
      window.busy = false;
      const known = this.#options.store.incidents.idsBetween(...this.#ms(window, unit)).length;
      window.rows = Math.max(window.rows, known);
      return narrowed;
    }
    if (verdict !== 'whole' || isOdd || pages.value.isBlank) return null;
    return this.#compare(window, { unit, first, expected }, pages.value, call);
  }

  /**
   * Whether the service may be asked if a window's answer is as it was. Not where anything contradicts that answer, and
   * for some hours only: a validator may not show what was removed.
   */
  #believes({ to, state, lacks, validator }: LedgerWindow, of: string): boolean {
    if (validator?.of !== of || !this.#isBelieved || state === 'unread' || lacks > 0) return false;
    const age = this.#now() - validator.since;
    const mostAge = to === null ? believedIntervals * this.#options.intervalMs : believedMs;
    return age >= 0 && age < mostAge && !this.#absences.isDoubted(this.#now());
  }

  /** The window's answer is as it was, so all its rows were returned. */
  #unchanged(window: LedgerWindow, unit: TickUnit, { requestId }: ListPages): null {
    const now = this.#now();
    window.busy = false;
    // Meanwhile another answer has shown a change: it is read whole next.
    if (window.validator === null || !this.#ledger.windows.includes(window)) return null;
    this.#ledger.unchanged(window, now);
    const [from, to] = this.#ms(window, unit);
    this.#options.store.saw({ from: from + tickMs(unit), to: to - tickMs(unit) }, now);
    this.lastRequestId = requestId;
    if (window.to === null) this.lastReadAt = now;
    return null;
  }

  /** Rows have changed: the windows of their time are read whole. */
  rowsChanged(ids: readonly string[]): void {
    const { unit } = this;
    if (unit === null || this.#ledger.windows.every(({ validator }) => validator === null)) return;
    let [from, to] = [Infinity, -Infinity];
    for (const id of ids) {
      const at = this.#options.store.incidents.recordOf(id)?.createdAt ?? NaN;
      [from, to] = [Math.min(from, at), Math.max(to, at)];
    }
    // One without a time may be in any window.
    const [first, last] = Number.isNaN(from) ? [0, Infinity] : [tickOf(from, unit), tickOf(to, unit)];
    this.#ledger.changed(first - 2, last + 2);
  }

  /**
   * Reads the plain list, in the largest form that the service takes, and finds out how it follows windows unless that
   * is known.
   */
  async #plain(window: LedgerWindow, call: SyncCall): Promise<Failure | null> {
    window.busy = true;
    const isDecided = this.#unfiltered !== null;
    const { store } = this.#options;
    const limits = { mostPages: isDecided ? mostPlainPages : 1, expectsRows: store.incidents.count === 0 };
    const liveSince = (): number => this.lastReadAt ?? Infinity;
    let pages = await this.#readAndKeep(this.#params(null), { ...call, ...limits }, liveSince);
    while (pages !== null && !pages.ok && isRefusal(pages.failure) && this.#limits.length > 1) {
      this.#limits = this.#limits.slice(1);
      if (!(await this.#options.turn(call.signal))) return this.#cancelled(window);
      pages = await this.#readAndKeep(this.#params(null), { ...call, ...limits }, liveSince);
    }
    if (pages === null) return this.#cancelled(window);
    if (!pages.ok) {
      return this.#failed(window, pages.failure);
    }
    const { rows, failure, followed, cut, total } = pages.value;
    this.lastReadAt = this.#now();
    this.#total = total;
    if (failure !== null) return this.#failed(window, failure);
    const count = rows.length + pages.value.unreadableCount;
    if (isDecided) {
      const whole = !cut && (followed || count === 0 || count === total);
      this.#ledger.takePlain(pages.value, whole, this.#now());
      return null;
    }
    const isAsked = this.#now() - this.#emptyAt < reaskEmptyMs;
    const samples = rows.length > 0 || isAsked ? rows : await this.#anyTime(call);
    if (!('length' in samples)) return this.#failed(window, samples);
    if (samples.length > 0) {
      window.busy = false;
      const probed = await this.#probe(samples, call);
      if (probed !== null) return this.#failed(window, probed);
      // What the plain list shows of the density spares a read of all time.
      if (this.#bounds === null) return this.#plain(this.#ledger.recent, call);
      const { unit, isOdd } = this.#bounds;
      this.#ledger.begin(this.#seen(rows, unit), pages.value.largestPage);
      if (isOdd) this.#ledger.doubt();
      if (this.keptFrom !== null) this.#ledger.beginAt(tickOf(this.keptFrom, unit));
      return null;
    }
    this.#ledger.takePlain(pages.value, count === 0 && !cut, this.#now());
    return null;
  }

  /**
   * Incidents of any time, where the plain list is empty: it may have only those of the last day, or its first page may
   * have lost all its rows to a filter after the limit.
   */
  async #anyTime(call: SyncCall): Promise<readonly IncidentRecord[] | Failure> {
    for (const days of daysBack) {
      for (const unit of ['milliseconds', 'seconds'] as const) {
        const to = tickOf(this.#now() - days * dayMs, unit);
        const pages = await this.#peek({ startTime: 0, endTime: to }, call);
        if (!pages.ok && !isRefusal(pages.failure)) return pages.failure;
        if (pages.ok && pages.value.rows.length > 0) return pages.value.rows;
      }
    }
    this.#emptyAt = this.#now();
    return [];
  }

  #seen(rows: readonly IncidentRecord[], unit: TickUnit): number[] {
    const tick = tickMs(unit);
    const times = timesIn(rows, unit);
    const { pages, recent } = this.#ledger;
    return edgesFor(recent, { times, target: pages.target, now: Math.floor(this.#now() / tick) });
  }

  /** An incident that a whole answer lacked is asked for: if it is returned, the answer was not whole. */
  async #compare(
    window: LedgerWindow,
    read: { readonly unit: TickUnit; readonly first: boolean; readonly expected: readonly string[] },
    { rows, unreadableCount }: ListPages,
    call: SyncCall,
  ): Promise<Failure | null> {
    const returned = new Set(rows.map(({ id }) => id));
    // A record without a usable id may be any incident.
    if (unreadableCount > 0) return null;
    const { incidents } = this.#options.store;
    const { unit, first, expected } = read;
    // Meanwhile another answer may have given one another time.
    const still = new Set(this.#expected(window, unit));
    const missing = expected.filter((id) => still.has(id) && !returned.has(id));
    window.lacks = missing.length > 0 ? window.lacks + 1 : 0;
    const now = this.#now();
    const isFickle = this.#absences.isFickle(now);
    const lacksOften = isFickle && window.lacks >= mostLacks;
    this.rowsChanged(missing);
    const lacked = missing
      .filter((id) => !(lacksOften ? this.#absences.wasAsked(id) : this.#absences.has(id)))
      .map((id) => ({ id, record: incidents.recordOf(id) }))
      .flatMap(({ id, record }) =>
        record ? [{ id, at: record.createdAt, order: isOpen(record.status) ? 0 : 1 }] : [],
      )
      .sort((a, b) => a.order - b.order);
    const [sample] = lacked;
    if (!sample) return null;
    // Replicas that differ return most of them soon.
    const rest = (isFickle ? fickleIntervals : 1) * this.#options.intervalMs;
    for (const one of lacked) this.#absences.add(one, now + rest);
    // Parts of a window help where answers are cut, not where replicas differ: those differ from answer to answer.
    if (isFickle && !lacksOften) {
      this.#ledger.unsettle(now);
      return null;
    }
    const failure = await this.#ask([sample], unit, call);
    if (failure !== null) return failure;
    if (this.#absences.has(sample.id)) return null;
    const isOld = sample.at < now - settledMs;
    if (!isOld) this.lagMs = settledMs;
    const isCut = !isFickle && isOld;
    this.#ledger.short(window, { rows: isCut ? rows.length : null, first, unit, now: this.#now() });
    return null;
  }

  /** Asks for the missing incidents that are due, by their own window. */
  async missing(call: SyncCall): Promise<Failure | null> {
    const { unit } = this;
    if (unit === null) return null;
    return this.#ask(this.#absences.next(this.#now(), !this.#ledger.pages.strict), unit, call, true);
  }

  /** Asks for incidents by their own window: several times, where it returned what it had lacked. */
  async #ask(
    wanted: readonly { readonly id: string; readonly at: number }[],
    unit: TickUnit,
    call: SyncCall,
    hasTurn = false,
  ): Promise<Failure | null> {
    const ticks = wanted.map(({ at }) => tickOf(at, unit));
    if (ticks.length === 0) return null;
    const span = { from: Math.min(...ticks), to: Math.max(...ticks) + 1 };
    const ids = wanted.map(({ id }) => id);
    for (let left = this.#absences.isDoubted(this.#now()) ? doubtedAnswers : 1; left > 0; left -= 1) {
      const pages = await this.#peek(this.#between(span.from, span.to), call, hasTurn);
      hasTurn = false;
      if (!pages.ok && !isRefusal(pages.failure)) return pages.failure;
      const isGood = pages.ok && this.#provesAbsence(pages.value, span);
      if (isGood && left > 1) continue;
      if (pages.ok && pages.value.isBlank) this.#absences.lackedByOwn(ids);
      const marks = this.#absences.answered(ids, isGood, this.#now());
      if (marks.length > 0) await this.#options.store.applyRows({ upserts: [], removals: [], marks });
      return null;
    }
    return null;
  }

  /** Whether an incident of a window's time that is not in its answer is not among what the service returns. */
  #provesAbsence({ rows, unreadableCount, cut, isBlank }: ListPages, span: Span): boolean {
    // Where answers were cut below every limit, so may this one be before the incident.
    const isFull = rows.length >= (this.#ledger.pages.strict ? 1 : (this.#limit ?? Infinity));
    return (
      !cut &&
      !isBlank &&
      unreadableCount === 0 &&
      !isFull &&
      this.#bounds !== null &&
      areInside(rows, span, this.#bounds)
    );
  }

  /** The service returned incidents: one that its own window lacked contradicts all that was read meanwhile. */
  #returned(ids: readonly string[]): void {
    if (!this.#absences.returned(ids, this.#now())) return;
    this.#ledger.unsettle(this.#now());
    this.#ledger.pages.relearn();
  }

  /**
   * Asks for the incidents of a window beyond its full page, for each severity and status. It may find more, but proves
   * nothing, since the sets of values are open.
   */
  async narrow(window: LedgerWindow | null, call: SyncCall): Promise<Failure | null> {
    return narrowList(this.#options.store.incidents, async (filter) => {
      if (!(await this.#options.turn(call.signal))) return this.#cancelled(null);
      const limits = { mostPages, expectsRows: false };
      const params = { ...this.#params(window), ...filter };
      const pages = await this.#readAndKeep(params, { ...call, ...limits }, () => Infinity);
      if (pages === null) return this.#cancelled(null);
      return pages.ok ? null : pages.failure;
    });
  }

  /**
   * Reads a list and writes the rows of each page; null when the read is no longer wanted. Large lists are read one
   * after another, each until its rows are written. `fresh` takes the creation times of rows that were not known.
   */
  #readAndKeep(
    params: ListIncidentsParams,
    call: Omit<ListCall, 'hold' | 'onPage'>,
    liveSince: () => number,
    fresh: number[] = [],
  ): Promise<Result<ListPages> | null> {
    let isKept = true;
    return withHold(async (hold) => {
      const pages = await this.#reader.read(params, {
        ...call,
        hold,
        onPage: async (rows, requestId) => {
          this.#fit();
          if (!call.signal.aborted) isKept &&= await this.#keep(rows, requestId, liveSince(), fresh);
        },
      });
      return isKept && !call.signal.aborted ? pages : null;
    });
  }

  /** A page takes some seconds at most, so that its rows are shown soon, and little is lost with a connection. */
  #fit(): void {
    const { lastRate } = this.#options.line;
    const { bytesPerRow } = this.#reader;
    if (lastRate === null || bytesPerRow === null) return;
    this.#ledger.pages.fits = Math.max(leastFit, Math.floor((lastRate * pageSeconds) / bytesPerRow));
  }

  /** One more list within a read, when its turn comes. */
  async #peek(
    params: Pick<ListIncidentsParams, 'startTime' | 'endTime'>,
    call: SyncCall,
    hasTurn = false,
  ): Promise<Result<ListPages>> {
    if (!hasTurn && !(await this.#options.turn(call.signal))) return failed(this.#cancelled(null));
    const limits = { mostPages: 1, expectsRows: false };
    const asked = { ...params, ...this.#params(null) };
    const pages = await this.#readAndKeep(asked, { ...call, ...limits }, () => Infinity);
    return pages ?? failed(this.#cancelled(null));
  }

  /** Finds out how the service follows windows. */
  async #probe(rows: readonly IncidentRecord[], call: SyncCall): Promise<Failure | null> {
    const found = await probeUnit(rows, (params) => this.#peek(params, call));
    if (!found.ok) return found.failure;
    const { unit } = this.#options;
    const wanted = unit === 'auto' || unit === found.value.unit;
    switch (found.value.unit) {
      case 'seconds':
      case 'milliseconds': {
        if (!wanted) return this.#unfilter('undecided');
        // A second probe means that rows came from outside of a window.
        this.#bounds =
          this.#bounds === null ? found.value : { ...found.value, shift: 0, margin: 1, isOdd: true };
        return null;
      }
      case 'ignored':
      case 'undecided':
        return this.#unfilter(found.value.unit);
    }
  }

  /** Stops splitting: the service ignores its windows, or reads them in another unit. */
  #unfilter(finding: 'ignored' | 'undecided'): null {
    this.#unfiltered = finding;
    this.#filterRetryAt = this.#now() + retryFilterMs;
    this.#ledger.flatten();
    return null;
  }

  /** Writes rows; false when the store was emptied meanwhile. Rows created since `liveSince` count as new. */
  async #keep(
    rows: readonly IncidentRecord[],
    requestId: string | null,
    liveSince: number,
    fresh: number[],
  ): Promise<boolean> {
    const { store } = this.#options;
    const now = this.#now();
    const { keptFrom } = this;
    // One without a readable time has no age to be forgotten by.
    const wanted = keptFrom === null ? rows : rows.filter(({ createdAt }) => !(createdAt < keptFrom));
    const upserts = wanted.map((record) => {
      if (!store.incidents.has(record.id)) fresh.push(record.createdAt);
      return { record, sighting: { seenAt: now, arrivedAt: record.createdAt >= liveSince ? now : 0 } };
    });
    this.lastRequestId = requestId;
    this.#returned(rows.map(({ id }) => id));
    return store.applyRows({ upserts, removals: [] });
  }

  /** Ids of the known incidents that an answer for a window must have. */
  #expected(window: LedgerWindow, unit: TickUnit): string[] {
    const { incidents } = this.#options.store;
    const [from, to] = this.#ms(window, unit);
    const gone = new Set(incidents.idsNotReturned());
    const tick = tickMs(unit);
    return incidents.idsBetween(from + tick, to - tick).filter((id) => !gone.has(id));
  }

  #ms(window: LedgerWindow, unit: TickUnit): [number, number] {
    const { from, to } = window;
    return [from * tickMs(unit), to === null ? endsAt(this.#now(), aheadMs(window)) : to * tickMs(unit)];
  }

  get #limit(): number | undefined {
    return this.#limits[0];
  }

  #params(window: LedgerWindow | null): ListIncidentsParams {
    const limit = this.#limit === undefined ? {} : { limit: this.#limit };
    if (window === null) return limit;
    const ahead = aheadMs({ confirms: window.confirms || this.#bounds?.isOdd === true });
    const end = window.to ?? tickOf(endsAt(this.#now(), ahead), this.unit ?? 'seconds');
    return { ...this.#between(window.from, end), ...limit };
  }

  /** What the service takes for a time from tick `from` to `to`. */
  #between(from: number, to: number): Required<Pick<ListIncidentsParams, 'startTime' | 'endTime'>> {
    const { shift, margin } = this.#bounds ?? { shift: 0, margin: 0 };
    return { startTime: Math.max(0, from + shift - margin), endTime: to + shift + margin };
  }

  /** The service refused a window, or its answer is too large: it is asked for less. */
  #refused(window: LedgerWindow, unit: TickUnit, failure: Failure): Failure | null {
    window.busy = false;
    if (isRefusal(failure) || failure.code === 'answer-too-large') {
      if (this.#ledger.refused(window, unit, this.#now())) return null;
      if (window.to === null && this.#limits.length > 1) {
        this.#limits = this.#limits.slice(1);
        return null;
      }
    }
    const said = this.#failed(window, failure);
    // The window is named as failed: the others need not wait for it.
    return window.to !== null && isRefusal(failure) ? null : said;
  }

  #failed(window: LedgerWindow, failure: Failure): Failure {
    this.lastRequestId = failure.requestId ?? this.lastRequestId;
    const stubborn = failure.code === 'service-error' && window.failures >= 2;
    const own = window.to !== null && (stubborn || isRefusal(failure) || ownFailures.has(failure.code));
    const retryAt = this.#now() + doubled(30_000, window.failures, longestPauseMs);
    this.#ledger.failed(window, own, retryAt);
    return failure;
  }

  #cancelled(window: LedgerWindow | null): Failure {
    if (window) window.busy = false;
    return failureNow(this.#options, { code: 'cancelled' });
  }

  #now(): number {
    return this.#options.serverTime.serverNow();
  }
}

/** Failures because of the window, and not of the connection. */
const ownFailures: ReadonlySet<string> = new Set(['unreadable-answer', 'answer-too-large']);

/** Whether all rows may be in the answer for a span. */
const areInside = (rows: readonly IncidentRecord[], { from, to }: Span, { unit, margin }: Bounds): boolean =>
  rows.every(({ createdAt }) =>
    mayHold({ from: from - margin, to: to === null ? null : to + margin }, createdAt, unit),
  );
