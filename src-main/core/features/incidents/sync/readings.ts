import { failed, ok, type Failure, type Result } from '../../../../../src-preload/contract/index.ts';
import { doubled } from '../../../base/backoff.ts';
import { failureNow } from '../../../base/failure.ts';
import type { ReadCall } from '../../../base/readFailures.ts';
import type { ServerTime } from '../../../base/serverTime.ts';
import type { InfrastructureApi, ListIncidentsParams } from '../../../service/api/infrastructure.ts';
import { largestPage } from '../../../service/api/pageLimits.ts';
import { withHold } from '../../../service/transport/largeAnswers.ts';
import type { ConsoleStore } from '../../../state/consoleStore.ts';
import { otherName } from '../../../state/dictionary.ts';
import type { IncidentRecord } from '../../../state/incident.ts';
import type { TimestampUnit } from '../range.ts';
import { AbsenceCount } from './absences.ts';
import { Ledger } from './ledger.ts';
import { readLedger, writeLedger } from './ledgerText.ts';
import { ListReader, narrowList, type ListCall, type ListPages } from './listReader.ts';
import { longestPauseMs } from './plan.ts';
import { probeUnit } from './unitProbe.ts';
import { everything, mayHold, spanMs, type LedgerWindow, type Span, type TickUnit } from './window.ts';
import { readingOf } from './windowReading.ts';

export interface ReadingsOptions {
  readonly api: Pick<InfrastructureApi, 'listIncidents'>;
  readonly store: ConsoleStore;
  readonly serverTime: Pick<ServerTime, 'serverNow'>;
  readonly unit: TimestampUnit;
  readonly intervalMs: number;
  /** Waits for a turn to send one more request; false when the read is no longer wanted. */
  readonly turn: (signal: AbortSignal) => Promise<boolean>;
}

/** The most pages of one window that are followed by cursor: beyond it, reading its parts is quicker. */
const mostPages = 20;
/** The most pages of a list that cannot be split. */
const mostPlainPages = 500;
/** After this time a service that ignored the windows is tried again, milliseconds. */
const retryFilterMs = 3_600_000;

/**
 * What was read and what follows from it: the ledger, the unit, the missing incidents. Each read writes its rows to the
 * store before it writes to the ledger, so that the ledger never claims rows that are missing.
 */
export class Readings {
  readonly #options: ReadingsOptions;
  readonly #reader: ListReader;
  readonly #absences: AbsenceCount;
  #ledger = new Ledger();
  #unit: TickUnit | null;
  #unfiltered: 'ignored' | 'undecided' | null = null;
  /** Server time at which the windows are tried again. */
  #filterRetryAt = 0;
  /** Server time of the last read of the newest window. */
  lastReadAt: number | null = null;
  lastRequestId: string | null = null;
  /** Incidents created before this instant are not stored, Unix milliseconds. */
  keptFrom: number | null = null;

  constructor(options: ReadingsOptions) {
    this.#options = options;
    this.#reader = new ListReader(options);
    this.#absences = new AbsenceCount({ apartMs: options.intervalMs });
    this.#unit = options.unit === 'auto' ? null : options.unit;
  }

  get ledger(): Ledger {
    return this.#ledger;
  }

  get unit(): TickUnit | null {
    return this.#unit;
  }

  get unfiltered(): 'ignored' | 'undecided' | null {
    return this.#unfiltered;
  }

  /** Whether the page size has to be proven again: complete windows or missing incidents rely on an old proof. */
  get proofDue(): boolean {
    if (this.#unfiltered !== null || this.#ledger.page.witness === null) return false;
    return this.#absences.needsProof || this.#ledger.needsProof;
  }

  get absencesWait(): boolean {
    return this.#absences.needsProof;
  }

  /** Loads a stored ledger. Starts from nothing, and returns false, when it does not fit the store or the unit. */
  restore(text: string): boolean {
    const kept = readLedger(text);
    const { unit, store } = this.#options;
    if (!kept || store.incidents.count < kept.incidents) return false;
    if (unit !== 'auto' && kept.unit !== unit) return false;
    if (kept.unit === null && kept.state.windows.length > 1) return false;
    this.#unit = kept.unit;
    this.#ledger = new Ledger(kept.state);
    this.lastReadAt = kept.lastReadAt;
    this.keptFrom = kept.keptFrom;
    return true;
  }

  text(): string {
    return writeLedger(this.#ledger, {
      unit: this.#unit,
      lastReadAt: this.lastReadAt,
      incidents: this.#options.store.incidents.count,
      keptFrom: this.keptFrom,
    });
  }

  /** Another service may answer now: tries the windows before the hour is over. */
  retryFilter(): void {
    this.#filterRetryAt = 0;
  }

  /** Reads one window. For a service that ignores windows this is the plain list. */
  async window(window: LedgerWindow, call: ReadCall): Promise<Failure | null> {
    const { store } = this.#options;
    const rest = this.#filterRetryAt - this.#now();
    // A longer wait than the hour came from a wrong clock.
    if (this.#unfiltered !== null && (rest <= 0 || rest > retryFilterMs)) this.#tryFilter();
    const span: Span = { from: window.from, to: window.to };
    window.busy = true;
    const wasComplete = window.completeAt !== null;
    const expected = wasComplete ? this.#known(span) : [];
    const isPlain = this.#unit === null || this.#unfiltered !== null;
    const limits = {
      mostPages: isPlain ? mostPlainPages : mostPages,
      expectsRows: expected.length > 0 || store.incidents.count === 0,
    };
    const pages = await this.#readAndKeep(this.#params(span), { ...call, ...limits }, () =>
      wasComplete ? -Infinity : (this.lastReadAt ?? Infinity),
    );
    if (pages === null) return this.#cancelled(window);
    if (!pages.ok) return this.#failed(window, pages.failure);
    const { rows, failure } = pages.value;
    if (window.to === null) this.lastReadAt = this.#now();
    if (failure !== null) return this.#failed(window, failure);
    // Meanwhile another read has found that the service ignores windows.
    if (!this.#ledger.windows.includes(window)) return null;
    if (this.#unit !== null && this.#unfiltered === null && this.#isOutside(span, rows)) {
      this.#unfilter('ignored');
      return null;
    }
    if (this.#unit === null && this.#unfiltered === null && rows.length > 0) {
      const probed = await this.#probe(rows, call);
      if (probed !== null) return this.#failed(window, probed);
    }
    return this.#judge(window, pages.value, expected, call);
  }

  /** Reads the window again that showed the page size. */
  async witness(call: ReadCall): Promise<Failure | null> {
    const span = this.#ledger.page.witness ?? everything;
    const limits = { mostPages: 1, expectsRows: true };
    const pages = await this.#readAndKeep(
      this.#params(span),
      { ...call, ...limits },
      () => this.lastReadAt ?? Infinity,
    );
    if (pages === null) return this.#cancelled(null);
    if (!pages.ok) return pages.failure;
    if (this.#isOutside(span, pages.value.rows)) this.#unfilter('ignored');
    else if (this.#ledger.takeWitness(pages.value.largestPage, this.#now()) === 'proven')
      await this.#settleAbsences();
    else this.#absences.contradicted();
    return null;
  }

  /**
   * Asks for the incidents of a window beyond its full page, for each severity and status. It may find more, but proves
   * nothing, since the sets of values are open.
   */
  async narrow(span: Span, call: ReadCall): Promise<Failure | null> {
    const { severities, statuses } = this.#options.store.incidents;
    // In the service's spellings: it may not compare them as the console does.
    const asked = (values: readonly string[]): string[] => values.filter((value) => value !== otherName);
    return narrowList({ severities: asked(severities), statuses: asked(statuses) }, async (filter) => {
      if (!(await this.#options.turn(call.signal))) return failed(this.#cancelled(null));
      const limits = { mostPages, expectsRows: false };
      const params = { ...this.#params(span), ...filter };
      const pages = await this.#readAndKeep(params, { ...call, ...limits }, () => Infinity);
      if (pages === null) return failed(this.#cancelled(null));
      if (!pages.ok) return pages;
      return ok(pages.value.largestPage >= Math.min(this.#ledger.page.size ?? largestPage, largestPage));
    });
  }

  /**
   * Reads a list and writes its rows; null when the read is no longer wanted. Large lists are read one after another,
   * each until its rows are written.
   */
  #readAndKeep(
    params: ListIncidentsParams,
    call: Omit<ListCall, 'hold'>,
    liveSince: () => number,
  ): Promise<Result<ListPages> | null> {
    return withHold(async (hold) => {
      const pages = await this.#reader.read(params, { ...call, hold });
      if (call.signal.aborted) return null;
      if (!pages.ok) return pages;
      const isKept = await this.#keep(pages.value, liveSince());
      return isKept && !call.signal.aborted ? pages : null;
    });
  }

  /** One more list within a read, when its turn comes. Its rows are not written. */
  async #glance(params: ListIncidentsParams, call: ReadCall): Promise<Result<ListPages>> {
    if (!(await this.#options.turn(call.signal))) return failed(this.#cancelled(null));
    const limits = { mostPages: 1, expectsRows: false };
    const pages = await withHold((hold) => this.#reader.read(params, { ...call, ...limits, hold }));
    return call.signal.aborted ? failed(this.#cancelled(null)) : pages;
  }

  async #judge(
    window: LedgerWindow,
    pages: ListPages,
    expected: readonly string[],
    call: ReadCall,
  ): Promise<Failure | null> {
    const before = this.#ledger.page.provenRead;
    const unit = this.#unfiltered === null ? this.#unit : null;
    const verdict = this.#ledger.take(window, readingOf(pages), unit, this.#now());
    if (this.#ledger.page.provenRead > before) await this.#settleAbsences();
    switch (verdict) {
      case 'complete': {
        const returned = new Set(pages.rows.map(({ id }) => id));
        const unreadable = pages.unreadableCount > 0;
        const rests = window.proofNeeded > this.#ledger.page.provenRead;
        const gone = this.#absences.afterRead({ expected, returned, unreadable }, rests, this.#now());
        if (gone.length > 0) await this.#options.store.applyRows({ upserts: [], removals: [], marks: gone });
        return null;
      }
      case 'split':
        return null;
      case 'saturated': {
        if (this.#unfiltered !== null) return null;
        window.busy = true;
        const failure = await this.narrow(window, call);
        window.busy = false;
        window.rows = Math.max(window.rows, this.#known(window).length);
        return failure;
      }
    }
  }

  async #probe(rows: readonly IncidentRecord[], call: ReadCall): Promise<Failure | null> {
    const found = await probeUnit(rows, (params) => this.#glance(params, call));
    if (!found.ok) return found.failure;
    switch (found.value) {
      case 'seconds':
      case 'milliseconds':
        this.#unit = found.value;
        return null;
      case 'ignored':
      case 'undecided':
        this.#unfiltered = found.value;
        this.#filterRetryAt = this.#now() + retryFilterMs;
        return null;
    }
  }

  /** Stops splitting: the service ignores its windows, or reads them in another unit. */
  #unfilter(finding: 'ignored'): void {
    this.#unfiltered = finding;
    this.#filterRetryAt = this.#now() + retryFilterMs;
    this.#ledger.flatten();
    this.#absences.contradicted();
  }

  #tryFilter(): void {
    this.#unfiltered = null;
    if (this.#options.unit === 'auto') this.#unit = null;
  }

  /** Writes rows; false when the store was emptied meanwhile. Rows created since `liveSince` count as new. */
  async #keep({ rows, requestId }: ListPages, liveSince: number): Promise<boolean> {
    const { store } = this.#options;
    const now = this.#now();
    const { keptFrom } = this;
    // One without a readable time has no age to be forgotten by.
    const wanted = keptFrom === null ? rows : rows.filter(({ createdAt }) => !(createdAt < keptFrom));
    const upserts = wanted.map((record) => ({
      record,
      sighting: { seenAt: now, arrivedAt: record.createdAt >= liveSince ? now : 0 },
    }));
    this.lastRequestId = requestId;
    this.#absences.returned(new Set(rows.map(({ id }) => id)));
    return store.applyRows({ upserts, removals: [] });
  }

  async #settleAbsences(): Promise<void> {
    const marks = this.#absences.proven();
    if (marks.length > 0) await this.#options.store.applyRows({ upserts: [], removals: [], marks });
  }

  /** Ids of the known incidents that an answer for `span` must have. */
  #known(span: Span): string[] {
    const { from, to } = this.#unit === null ? everything : spanMs(span, this.#unit);
    return this.#options.store.incidents.idsBetween(from, to);
  }

  #isOutside(span: Span, rows: readonly IncidentRecord[]): boolean {
    const unit = this.#unit;
    return unit !== null && rows.some(({ createdAt }) => !mayHold(span, createdAt, unit));
  }

  #params({ from, to }: Span): ListIncidentsParams {
    return {
      ...(from === null ? {} : { startTime: from }),
      ...(to === null ? {} : { endTime: to }),
      limit: largestPage,
    };
  }

  #failed(window: LedgerWindow, failure: Failure): Failure {
    const now = this.#now();
    this.lastRequestId = failure.requestId ?? this.lastRequestId;
    if (failure.code === 'answer-too-large' && this.#unit !== null && this.#unfiltered === null) {
      if (this.#ledger.splitUnseen(window, this.#unit, now)) return failure;
    }
    const stubborn = failure.code === 'service-error' && window.failures >= 2;
    const own = window.to !== null && (stubborn || ownFailures.has(failure.code));
    this.#ledger.failed(window, own, now + doubled(30_000, window.failures, longestPauseMs));
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
const ownFailures: ReadonlySet<string> = new Set(['bad-request', 'unreadable-answer', 'answer-too-large']);
