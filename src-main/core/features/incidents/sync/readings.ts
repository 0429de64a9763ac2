import type { Failure } from '../../../../../src-preload/contract/index.ts';
import { doubled } from '../../../base/backoff.ts';
import type { ListIncidentsParams } from '../../../service/api/infrastructure.ts';
import { pollMs } from '../../../state/dataUse.ts';
import type { IncidentRecord } from '../../../state/incident.ts';
import { Ledger } from './ledger.ts';
import { readLedger, writeLedger } from './ledgerText.ts';
import { isRefusal, type ListPages, type SyncCall, type Turn } from './listReader.ts';
import { Lists, mostPages } from './lists.ts';
import { Missing } from './missing.ts';
import { longestPauseMs } from './plan.ts';
import type { ListsAccount } from './syncAccount.ts';
import { areInside, boundsOf, probeUnit } from './unitProbe.ts';
import {
  aheadMs,
  dayMs,
  endsAt,
  isSmallest,
  tickMs,
  tickOf,
  type LedgerWindow,
  type TickUnit,
} from './window.ts';

/** The most pages of a list that cannot be split. */
const mostPlainPages = 500;
/** So many intervals, and so many milliseconds for other windows than the newest, a validator is believed. */
const [believedIntervals, believedMs] = [10, 21_600_000];
/** After this time a service that ignored the windows is tried again, milliseconds. */
const retryFilterMs = 3_600_000;
/** So often a service whose plain list is empty is asked for incidents of any time, milliseconds. */
const reaskEmptyMs = 300_000;
/** Up to so many days before the present an empty service is asked for incidents. */
const daysBack = [-1, 1, 8, 31];
/** Failures because of the window, and not of the connection. */
const ownFailures: ReadonlySet<string> = new Set(['unreadable-answer', 'answer-too-large']);

/**
 * Reads windows of time, and the plain list of a service that follows none, and records in the ledger what that says. The
 * rows are in the store before the ledger claims them.
 */
export class Readings {
  readonly #account: ListsAccount;
  readonly #lists: Lists;
  readonly #missing: Missing;
  #ledger = new Ledger();
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

  constructor(account: ListsAccount, turn: Turn) {
    this.#account = account;
    this.#lists = new Lists(account, turn, (ids) => this.#missing.returned(ids));
    this.#missing = new Missing(account, this.#lists, () => this.#ledger);
  }

  get ledger(): Ledger {
    return this.#ledger;
  }

  get unit(): TickUnit | null {
    return this.#ledger.bounds?.unit ?? null;
  }

  /** Why windows are not used; null while they are. */
  get unfiltered(): 'ignored' | 'undecided' | null {
    return this.#unfiltered;
  }

  get lagMs(): number {
    return this.#missing.lagMs;
  }

  get lastRequestId(): string | null {
    return this.#lists.lastRequestId;
  }

  /** Incidents created before this instant are not stored, Unix milliseconds. */
  get keptFrom(): number | null {
    return this.#lists.keptFrom;
  }

  set keptFrom(instant: number | null) {
    this.#lists.keptFrom = instant;
    if (instant !== null && this.#hasWindows) this.#ledger.beginAt(tickOf(instant, this.#ledger.unit));
  }

  get #hasWindows(): boolean {
    return this.#ledger.bounds !== null && this.#unfiltered === null;
  }

  /** Whether it is proven that all incidents are known. */
  get isComplete(): boolean {
    if (!this.#hasWindows) return this.#ledger.recent.state === 'whole';
    const isShort = this.keptFrom === null && this.#account.store.incidents.count < (this.#total ?? 0);
    return !isShort && this.#ledger.isComplete;
  }

  /** Server time at which a missing incident is to be asked for; null when none is missing. */
  get missingDueAt(): number | null {
    return this.#hasWindows && this.#ledger.bounds?.isOdd === false ? this.#missing.absences.dueAt : null;
  }

  /** Loads a stored ledger. Starts from nothing, and returns false, when it does not fit the store or the unit. */
  restore(text: string): boolean {
    const kept = readLedger(text);
    const { store, deployment } = this.#account;
    const { timestampUnit: unit } = deployment;
    if (!kept || store.incidents.count < kept.incidents) return false;
    const { bounds, windows } = kept.state;
    if (bounds === null ? windows.length > 1 : unit !== 'auto' && bounds.unit !== unit) return false;
    this.#ledger = new Ledger(kept.state);
    this.lastReadAt = kept.lastReadAt;
    this.#lists.keptFrom = kept.keptFrom;
    this.#lists.takeLimit(kept.limit ?? undefined);
    return true;
  }

  text(): string {
    const { lastReadAt, keptFrom } = this;
    const { count: incidents } = this.#account.store.incidents;
    return writeLedger(this.#ledger.state, {
      ...{ lastReadAt, incidents, keptFrom },
      limit: this.#lists.limit ?? null,
    });
  }

  /** Another service may answer now: tries the windows before the hour is over. */
  retryFilter(): void {
    this.#filterRetryAt = 0;
  }

  /** Adds the windows that are to confirm what was read once, and begins again where that leads nowhere. */
  confirm(): void {
    if (this.#ledger.bounds === null) return;
    this.#ledger.reconsider(this.#now());
    this.#ledger.confirm();
  }

  /** Reads one window. Until the unit is known, and for a service that ignores windows, this is the plain list. */
  async window(window: LedgerWindow, call: SyncCall): Promise<Failure | null> {
    const rest = this.#filterRetryAt - this.#now();
    // A longer wait than the hour came from a wrong clock.
    if (this.#unfiltered !== null && (rest <= 0 || rest > retryFilterMs)) {
      this.#unfiltered = null;
      this.#ledger.bounds = null;
    }
    const part = this.#hasWindows ? this.#ledger.askable(window, this.#now()) : window;
    if (part === null) return null;
    part.busy = true;
    try {
      return await (this.#hasWindows ? this.#window(part, call) : this.#plain(part, call));
    } finally {
      part.busy = false;
    }
  }

  async #window(window: LedgerWindow, call: SyncCall): Promise<Failure | null> {
    const ledger = this.#ledger;
    const { bounds } = ledger;
    if (bounds === null) return null;
    const first = window.wholeAt === null;
    const expected = this.#expected(window);
    const fresh: number[] = [];
    const params = this.#params(window);
    const of = JSON.stringify([params, this.#lists.limit]);
    const { validator: before } = window;
    const validator = !call.recheck && this.#believes(window, of) ? before : null;
    const liveSince = (): number => (first ? (this.lastReadAt ?? Infinity) : -Infinity);
    const how = { mostPages, expectsRows: expected.length > 0, validator, liveSince, fresh };
    const pages = await this.#lists.read(params, call, how);
    ledger.pages.fits = this.#lists.fits;
    if (!pages.ok) return this.#refused(window, pages.failure);
    const { rows, failure, total, isUnchanged, isBlank, unreadableCount, validator: given } = pages.value;
    if (isUnchanged) return this.#unchanged(window, pages.value);
    const now = this.#now();
    if (window.to === null) this.lastReadAt = now;
    if (failure !== null) return this.#failed(window, failure);
    // Meanwhile another read has found that the service ignores windows.
    if (!ledger.windows.includes(window)) return null;
    if (!bounds.isOdd && !areInside(rows, window, bounds)) return this.#probe(rows, call);
    // Some services say with each window how many there are in all.
    const isOwn = total !== null && total !== this.#total && total > rows.length;
    const isSame = given !== null && before?.etag === given.etag && before.modified === given.modified;
    // A row has changed, and the validator has not.
    if (isSame && before.of === of && window.validator === null) this.#isBelieved = false;
    const reading = { ...pages.value, cut: pages.value.cut || isOwn };
    const verdict = ledger.take(window, reading, this.#lists.limit, now);
    window.validator =
      verdict === 'whole' && !bounds.isOdd && given !== null ? { ...given, of, since: now } : null;
    for (const at of fresh) ledger.named(at, window, first, now);
    if (verdict === 'saturated' && isSmallest(window)) {
      const stopped = await this.askPerSeverity(window, call);
      const known = this.#account.store.incidents.idsBetween(...this.#ms(window)).length;
      window.rows = Math.max(window.rows, known);
      return stopped;
    }
    // A record without a usable id may be any incident.
    if (verdict !== 'whole' || bounds.isOdd || isBlank || unreadableCount > 0) return null;
    const returned = new Set(rows.map(({ id }) => id));
    // Meanwhile another answer may have given one another time.
    const still = new Set(this.#expected(window));
    const missing = expected.filter((id) => still.has(id) && !returned.has(id));
    this.rowsChanged(missing);
    return this.#missing.lacked(missing, { window, rows: rows.length, first }, call);
  }

  /**
   * Whether the service may be asked if a window's answer is as it was. Not where anything contradicts that answer, and
   * for some hours only: a validator may not show what was removed.
   */
  #believes({ to, state, lacks, validator }: LedgerWindow, of: string): boolean {
    if (validator?.of !== of || !this.#isBelieved || state === 'unread' || lacks > 0) return false;
    const { store, deployment } = this.#account;
    const { incidentsMs: intervalMs } = deployment.pollIntervals;
    const age = this.#now() - validator.since;
    const mostAge = to === null ? believedIntervals * pollMs(store, intervalMs) : believedMs;
    return age >= 0 && age < mostAge && !this.#missing.isDoubted;
  }

  /** The window's answer is as it was, so all its rows were returned. */
  #unchanged(window: LedgerWindow, { requestId }: ListPages): null {
    const now = this.#now();
    // Meanwhile another answer has shown a change: it is read whole next.
    if (window.validator === null || !this.#ledger.windows.includes(window)) return null;
    this.#ledger.unchanged(window, now);
    const [from, to] = this.#ms(window);
    const tick = tickMs(this.#ledger.unit);
    this.#account.store.saw({ from: from + tick, to: to - tick }, now);
    this.#lists.lastRequestId = requestId;
    if (window.to === null) this.lastReadAt = now;
    return null;
  }

  /** Rows have changed: the windows of their time are read whole. */
  rowsChanged(ids: readonly string[]): void {
    const { unit } = this;
    if (unit === null || this.#ledger.windows.every(({ validator }) => validator === null)) return;
    let [from, to] = [Infinity, -Infinity];
    for (const id of ids) {
      const at = this.#account.store.incidents.recordOf(id)?.createdAt ?? NaN;
      [from, to] = [Math.min(from, at), Math.max(to, at)];
    }
    // One without a time may be in any window.
    const [first, last] = Number.isNaN(from) ? [0, Infinity] : [tickOf(from, unit), tickOf(to, unit)];
    this.#ledger.rowsChanged(first - 2, last + 2);
  }

  /**
   * Reads the plain list, in the largest form that the service takes, and finds out how it follows windows unless that
   * is known.
   */
  async #plain(window: LedgerWindow, call: SyncCall): Promise<Failure | null> {
    const isDecided = this.#unfiltered !== null;
    const how = {
      mostPages: isDecided ? mostPlainPages : 1,
      expectsRows: this.#account.store.incidents.count === 0,
      liveSince: () => this.lastReadAt ?? Infinity,
    };
    let pages = await this.#lists.read({}, call, how);
    while (!pages.ok && isRefusal(pages.failure) && this.#lists.askForLess())
      pages = await this.#lists.peek({}, call, how);
    this.#ledger.pages.fits = this.#lists.fits;
    if (!pages.ok) return this.#failed(window, pages.failure);
    const { rows, failure, followed, cut, total, unreadableCount } = pages.value;
    this.lastReadAt = this.#now();
    this.#total = total;
    if (failure !== null) return this.#failed(window, failure);
    const count = rows.length + unreadableCount;
    const isAll = !cut && (count === 0 || (isDecided && (followed || count === total)));
    if (!isDecided) {
      const isAsked = this.#now() - this.#emptyAt < reaskEmptyMs;
      const samples = rows.length > 0 || isAsked ? rows : await this.#anyTime(call);
      if (!('length' in samples)) return this.#failed(window, samples);
      if (samples.length > 0) {
        const probed = await this.#probe(samples, call);
        if (probed !== null) return this.#failed(window, probed);
        if (this.unit === null) return this.#plain(this.#ledger.recent, call);
        // What the plain list shows of the density spares a read of all time.
        this.#ledger.begin(pages.value, this.#now());
        this.keptFrom = this.#lists.keptFrom;
        return null;
      }
    }
    this.#ledger.takePlain(pages.value, isAll, this.#now());
    return null;
  }

  /**
   * Incidents of any time, where the plain list is empty: it may have only those of the last day, or its first page may
   * have lost all its rows to a filter after the limit.
   */
  async #anyTime(call: SyncCall): Promise<readonly IncidentRecord[] | Failure> {
    for (const days of daysBack) {
      for (const unit of ['milliseconds', 'seconds'] as const) {
        const endTime = tickOf(this.#now() - days * dayMs, unit);
        const pages = await this.#lists.peek({ startTime: 0, endTime }, call);
        if (!pages.ok && !isRefusal(pages.failure)) return pages.failure;
        if (pages.ok && pages.value.rows.length > 0) return pages.value.rows;
      }
    }
    this.#emptyAt = this.#now();
    return [];
  }

  /** Asks for the missing incidents that are due, by their own window. */
  missing(call: SyncCall): Promise<Failure | null> {
    return this.#missing.ask(call);
  }

  /** Asks for the incidents of a window, or of any time, beyond its full page. */
  askPerSeverity(window: LedgerWindow | null, call: SyncCall): Promise<Failure | null> {
    return this.#lists.askPerSeverity(window === null ? {} : this.#params(window), call);
  }

  /** Finds out how the service follows windows. One that ignores them, or reads them in another unit, is not split. */
  async #probe(rows: readonly IncidentRecord[], call: SyncCall): Promise<Failure | null> {
    const found = await probeUnit(rows, (params) => this.#lists.peek(params, call));
    if (!found.ok) return found.failure;
    const wanted = this.#account.deployment.timestampUnit;
    const bounds = 'isOdd' in found.value ? found.value : null;
    if (bounds === null || (wanted !== 'auto' && wanted !== bounds.unit)) {
      this.#unfiltered = found.value.unit === 'ignored' ? 'ignored' : 'undecided';
      this.#filterRetryAt = this.#now() + retryFilterMs;
      this.#ledger.flatten();
      return null;
    }
    // A second probe means that rows came from outside of a window.
    const isAgain = this.unit !== null;
    this.#ledger.bounds = isAgain ? { unit: bounds.unit, shift: 0, margin: 1, isOdd: true } : bounds;
    return null;
  }

  /** Ids of the known incidents that an answer for a window must have. */
  #expected(window: LedgerWindow): string[] {
    const { incidents } = this.#account.store;
    const [from, to] = this.#ms(window);
    const gone = new Set(incidents.idsNotReturned());
    const tick = tickMs(this.#ledger.unit);
    return incidents.idsBetween(from + tick, to - tick).filter((id) => !gone.has(id));
  }

  #ms({ from, to, confirms }: LedgerWindow): [number, number] {
    const tick = tickMs(this.#ledger.unit);
    return [from * tick, to === null ? endsAt(this.#now(), aheadMs({ confirms })) : to * tick];
  }

  #params({ from, to, confirms }: LedgerWindow): ListIncidentsParams {
    const { bounds, unit } = this.#ledger;
    if (bounds === null) return {};
    return boundsOf(bounds, from, to ?? tickOf(endsAt(this.#now(), aheadMs({ confirms })), unit));
  }

  /** The service refused a window, or its answer is too large: it is asked for less. */
  #refused(window: LedgerWindow, failure: Failure): Failure | null {
    if (isRefusal(failure) || failure.code === 'answer-too-large') {
      if (this.#ledger.refused(window, this.#now())) return null;
      if (window.to === null && this.#lists.askForLess()) return null;
    }
    const said = this.#failed(window, failure);
    // The window is named as failed: the others need not wait for it.
    return window.to !== null && isRefusal(failure) ? null : said;
  }

  #failed(window: LedgerWindow, failure: Failure): Failure {
    if (failure.code === 'cancelled') return failure;
    this.#lists.lastRequestId = failure.requestId ?? this.lastRequestId;
    const stubborn = failure.code === 'service-error' && window.failures >= 2;
    const own = window.to !== null && (stubborn || isRefusal(failure) || ownFailures.has(failure.code));
    const retryAt = this.#now() + doubled(30_000, window.failures, longestPauseMs);
    this.#ledger.failed(window, own, retryAt);
    return failure;
  }

  #now(): number {
    return this.#account.serverNow();
  }
}
