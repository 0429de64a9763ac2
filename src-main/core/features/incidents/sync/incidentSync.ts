import {
  failed,
  ok,
  type Failure,
  type IncidentQuery,
  type Result,
} from '../../../../../src-preload/contract/index.ts';
import { withJitter } from '../../../base/backoff.ts';
import { freshnessOf } from '../../../base/freshness.ts';
import type { ReadMode } from '../../../base/readFailures.ts';
import { sleep } from '../../../base/sleep.ts';
import { Timer } from '../../../base/timer.ts';
import { isUsedUp, pollMs } from '../../../state/dataUse.ts';
import { rangeStart } from '../range.ts';
import type { SyncCall } from './listReader.ts';
import { Pace } from './pace.ts';
import { chooseWindow, type PlanFacts } from './plan.ts';
import { Readings } from './readings.ts';
import { RequestBudget } from './requestBudget.ts';
import { RetentionSchedule } from './retention.ts';
import type { SyncAccount } from './syncAccount.ts';
import { SyncBackoff } from './syncBackoff.ts';
import { describeSync, incidentsAtStart, syncAtStart } from './syncState.ts';
import { dayMs, tickOf } from './window.ts';

/** The most reads that run at once: more during the first reading, to hide the latency. */
const inFirst = 4;
const inRolling = 2;
/** The longest time between the connection's return and the next read. */
const recoveryMs = 1000;
const perSeverityIntervals = 20;
/** Requests in an interval that are enough for a service of one page, whatever it answers. */
const leastPerInterval = 7;
/** So often each page may be read in an interval. */
const readsOfPage = 3;
/** So many windows are read for each missing incident that is asked for. */
const perMissing = 2;
/** The shortest time between two reads of the newest window because of events. */
const pokeMs = 2_000;
/** The shortest time between two reports, and between two texts of the ledger, milliseconds. */
const [tellMs, ledgerMs] = [200, 5_000];

/**
 * Reads and updates all incidents: the newest window at an interval with jitter; between those reads the windows that
 * were not read, those that confirm them, the missing incidents, and the other windows in turn. The operator's query only filters the view
 * and gives priority here.
 *
 * A failed read changes no row and delays all reads. A missing scope (403) stops reading until the operator checks
 * again or a new token comes (interface: Authentication).
 */
export class IncidentSync {
  readonly #account: SyncAccount;
  readonly #budget: RequestBudget;
  /** The running reads. */
  readonly #jobs = new Set<AbortController>();
  /** Passes the ledger on for storage, at most once in a few seconds, since it is written whole. */
  readonly #ledgerStore: Timer;
  readonly #retention: RetentionSchedule;
  readonly #report: Timer;
  readonly #backoff: SyncBackoff;
  readonly #readings: Readings;
  readonly #pace: Pace;
  #running = false;
  #recentDueAt = 0;
  #perSeverityDueAt = 0;
  /** Server time of the operator's last refresh. */
  #freshFrom = 0;
  #pokedAt = -Infinity;
  /** Reads of windows since the last one for a missing incident. */
  #sinceMissing = 0;
  #recent: Promise<Result<null>> | null = null;
  readonly #nextPump: Timer;

  constructor(account: SyncAccount) {
    this.#account = account;
    const { scope, clock, store, vault } = account;
    this.#nextPump = new Timer(clock, () => this.#pump());
    const needed = (): number => (this.#isFirst('twice') ? Infinity : this.#neededPerMinute());
    this.#budget = new RequestBudget(account, needed);
    this.#readings = new Readings(account, (signal) => this.#turn(signal));
    this.#pace = new Pace(account);
    this.#ledgerStore = new Timer(clock, () => vault.noteLedger(this.#readings.text()));
    this.#retention = new RetentionSchedule(account);
    this.#backoff = new SyncBackoff(account);
    this.#report = new Timer(clock, () => this.#tell());
    scope.onEnd(store.onRows((changed) => this.#readings.rowsChanged(changed)));
    scope.onEnd(() => {
      if (this.#running && this.#ledgerStore.isSet) vault.noteLedger(this.#readings.text());
      this.#ledgerStore.stop();
      this.#running = false;
      for (const job of this.#jobs) job.abort();
      this.#jobs.clear();
      store.set('incidents', incidentsAtStart);
      store.set('sync', syncAtStart);
    });
  }

  /** Starts reading, once. `ledger` is the text of an earlier run, whose rows are in the store already. */
  start({ ledger }: { readonly ledger: string | null }): void {
    const { logger, clock } = this.#account;
    this.#running = true;
    if (ledger !== null && !this.#readings.restore(ledger)) logger.warn('ledger-not-restored');
    this.#recentDueAt = clock.elapsed();
    this.#forget();
    this.#tell();
    this.#pump();
  }

  /** Reads the newest window at once, also after a missing scope, and then the windows with open incidents. */
  refresh(): Promise<Result<null>> {
    if (!this.#running) return Promise.resolve(this.#account.refuse({ code: 'signed-out' }));
    this.#freshFrom = this.#account.serverNow();
    this.#pace.hurry();
    return this.#recent ?? this.#readRecent({ interactive: true, recheck: true });
  }

  /** Replaces the view's filter. The incidents that it shows are read first. */
  setQuery(query: IncidentQuery): void {
    this.#account.store.patch('incidents', { query });
    if (this.#running) this.#pump();
  }

  /**
   * An event concerns an incident: reads its window, and the newest window, which has new incidents. Any number of
   * events causes at most one read in two seconds.
   */
  requestRead(id: string): void {
    if (!this.#running || this.#backoff.failures.refused) return;
    const { clock, store } = this.#account;
    const { unit, unfiltered, ledger } = this.#readings;
    const known = store.incidents.recordOf(id);
    if (known && unit !== null && unfiltered === null) {
      ledger.hasten(known.createdAt);
      this.#pace.hurry();
    }
    const at = Math.max(clock.elapsed(), this.#pokedAt + pokeMs);
    if (this.#recentDueAt <= at) return;
    this.#recentDueAt = at;
    this.#pokedAt = at;
    this.#pump();
  }

  /** A new token may have the missing scope. Retries what failed without a token. */
  tokenChanged(): void {
    if (!this.#running || (!this.#backoff.failures.refused && this.#backoff.failures.latest === null)) return;
    this.#backoff.failures.granted();
    this.#soon();
  }

  connectionReturned(): void {
    if (!this.#running || this.#backoff.failures.refused || this.#backoff.failures.latest === null) return;
    this.#readings.retryFilter();
    this.#soon();
  }

  /** The machine slept: the data are older than shown. */
  wake(): void {
    if (this.#running && !this.#backoff.failures.refused) this.#soon();
  }

  /** Derives the freshness again: time passed, or the connection changed. */
  review(): void {
    if (this.#running) this.#tell();
  }

  /** The usual time between two reads of the newest window, milliseconds. */
  get #intervalMs(): number {
    return this.#account.deployment.pollIntervals.incidentsMs;
  }

  /** Starts the reads that are due, within the budget, and plans the next call. */
  #pump(): void {
    this.#nextPump.stop();
    if (!this.#running || this.#backoff.failures.refused) return;
    const { clock } = this.#account;
    for (;;) {
      const now = clock.elapsed();
      const { pausedUntil } = this.#backoff;
      if (now < pausedUntil) return this.#pumpIn(pausedUntil - now);
      const isRecentDue = now >= this.#recentDueAt || this.#readings.ledger.recent.state === 'unread';
      if (!this.#recent && isRecentDue) {
        const wait = this.#budget.waitMs(true);
        if (wait > 0) return this.#pumpIn(wait);
        void this.#readRecent({ interactive: false, recheck: false });
        continue;
      }
      const idleMs = this.#recent ? Infinity : this.#recentDueAt - now;
      if (isUsedUp(this.#account.store)) return this.#pumpIn(idleMs);
      const { hasUnread } = this.#readings.ledger;
      if (this.#jobs.size >= this.#account.line.readsAtOnce(hasUnread ? inFirst : inRolling))
        return this.#pumpIn(idleMs);
      const restMs = hasUnread ? 0 : this.#pace.restMs;
      if (restMs > 0) return this.#pumpIn(Math.min(restMs, idleMs));
      const next = this.#next();
      if (typeof next === 'number') return this.#pumpIn(Math.min(next, idleMs));
      const wait = this.#budget.waitMs(false);
      if (wait > 0) return this.#pumpIn(Math.min(wait, idleMs));
      this.#budget.take(false);
      void this.#run({ interactive: false, recheck: false }, async (call) => {
        let bytes = 0;
        const failure = await next({ ...call, onAnswer: (more) => (bytes += more) });
        const { size: windows, hasUnsettled: proves } = this.#readings.ledger;
        if (!hasUnread) this.#pace.took({ ms: clock.elapsed() - now, bytes }, { windows, proves });
        return failure;
      });
    }
  }

  #pumpIn(ms: number): void {
    if (Number.isFinite(ms)) this.#nextPump.set(Math.max(1, ms));
  }

  /** Whether windows are still to be read first: those of the first split, or of both. */
  #isFirst(read: 'once' | 'twice'): boolean {
    const { unfiltered, ledger } = this.#readings;
    return unfiltered === null && !(read === 'once' ? ledger.wasRead : ledger.wasReadTwice);
  }

  /**
   * The requests a minute that suffice to read each page several times in an interval. A service that contradicts itself would else
   * be read without pause.
   */
  #neededPerMinute(): number {
    const { store } = this.#account;
    const pages = Math.ceil(store.incidents.count / this.#readings.ledger.pages.largest);
    return ((leastPerInterval + readsOfPage * pages) * 60_000) / this.#intervalMs;
  }

  /** The next read beside the newest window, or in how many milliseconds to ask again. */
  #next(): number | ((call: SyncCall) => Promise<Failure | null>) {
    const readings = this.#readings;
    const { ledger } = readings;
    const { clock } = this.#account;
    const intervalMs = this.#intervalMs;
    if (readings.unfiltered !== null) {
      const wait = this.#perSeverityDueAt - clock.elapsed();
      if (wait > 0 || ledger.recent.state !== 'saturated') return Math.max(wait, intervalMs);
      this.#perSeverityDueAt = clock.elapsed() + perSeverityIntervals * intervalMs;
      return (call) => readings.askPerSeverity(null, call);
    }
    // Until the unit is known there is one window, which is also the newest.
    if (readings.unit === null) return intervalMs;
    readings.confirm();
    const facts = this.#planFacts();
    const { window, dueAt } = chooseWindow(ledger.windows, facts);
    const missingAt = readings.missingDueAt;
    if (
      missingAt !== null &&
      missingAt <= facts.now &&
      (window === null || this.#sinceMissing >= perMissing)
    ) {
      this.#sinceMissing = 0;
      return (call) => readings.missing(call);
    }
    this.#sinceMissing += 1;
    if (window) return (call) => readings.window(window, call);
    const next = Math.min(dueAt ?? Infinity, missingAt ?? Infinity);
    return next === Infinity ? intervalMs : Math.max(1, next - facts.now);
  }

  #planFacts(): PlanFacts {
    const { serverNow, store } = this.#account;
    const intervalMs = pollMs(store, this.#intervalMs);
    const { unit } = this.#readings;
    const now = serverNow();
    const from = rangeStart(store.slice('incidents').query.range, now);
    const ticks = (at: number): number => tickOf(at, unit ?? 'seconds');
    const preferFrom = from === null ? 0 : ticks(from);
    return { now, intervalMs, preferFrom, recentFrom: ticks(now - dayMs), freshFrom: this.#freshFrom };
  }

  /** Reads the newest window. Callers during a read share its result. */
  #readRecent(how: ReadMode): Promise<Result<null>> {
    const { random, clock } = this.#account;
    this.#recent = this.#run(how, async (call) => {
      const turn = await this.#turn(call.signal, true);
      const began = clock.elapsed();
      this.#recentDueAt = began + withJitter(this.#pace.pollMs, random);
      const readings = this.#readings;
      let bytes = 0;
      try {
        return turn
          ? await readings.window(readings.ledger.recent, { ...call, onAnswer: (more) => (bytes += more) })
          : this.#account.fail({ code: 'cancelled' });
      } finally {
        this.#pace.tookRecent({ ms: clock.elapsed() - began, bytes });
        if (!call.signal.aborted) this.#recent = null;
      }
    });
    this.#tell();
    return this.#recent;
  }

  async #run(how: ReadMode, read: (call: SyncCall) => Promise<Failure | null>): Promise<Result<null>> {
    const { store } = this.#account;
    const { epoch } = store;
    const job = new AbortController();
    this.#jobs.add(job);
    const failure = await read({ ...how, signal: job.signal, onAnswer: () => undefined }).catch(
      (error: unknown) => {
        // A bug in one read must not stop all reading.
        this.#account.logger.error('incident-read-broke', {
          error: error instanceof Error ? error.name : '',
        });
        return this.#account.fail({ code: 'internal' });
      },
    );
    this.#jobs.delete(job);
    if (job.signal.aborted || store.epoch !== epoch) return this.#account.refuse({ code: 'cancelled' });
    this.#conclude(failure, how);
    return failure === null ? ok(null) : failed(failure);
  }

  #conclude(failure: Failure | null, how: ReadMode): void {
    if (failure === null) {
      this.#backoff.succeeded(how);
      this.#forget();
      this.#ledgerStore.setOnce(ledgerMs);
    } else {
      this.#backoff.failed(failure);
      // The newest window comes first: it shows whether the service is back.
      this.#recentDueAt = Math.min(this.#recentDueAt, this.#backoff.pausedUntil);
    }
    if (this.#isFirst('once') && failure === null && this.#jobs.size > 0) this.#report.setOnce(tellMs);
    else this.#tell();
    this.#pump();
  }

  #forget(): void {
    this.#readings.keptFrom = this.#retention.review(this.#readings.keptFrom);
  }

  /** Waits for a turn to send a request; false when the read is no longer wanted. */
  async #turn(signal: AbortSignal, urgent = false): Promise<boolean> {
    while (!signal.aborted) {
      if (this.#budget.take(urgent)) return true;
      if (!(await sleep(this.#account.clock, this.#budget.waitMs(urgent), signal))) return false;
    }
    return false;
  }

  /** Reads within a second: not at once, because all consoles of a field get their link back together. */
  #soon(): void {
    const { clock, random } = this.#account;
    const at = clock.elapsed() + Math.round(recoveryMs * random.fraction());
    this.#backoff.resume(at);
    this.#recentDueAt = Math.min(this.#recentDueAt, at);
    this.#readings.ledger.clear();
    this.#pump();
  }

  /** Writes the result of reading into the slices `incidents` and `sync`. */
  #tell(): void {
    this.#report.stop();
    const { store, clock, serverNow, connection } = this.#account;
    const { lastMinute, perMinute } = this.#budget;
    const { pausedUntil, failures } = this.#backoff;
    const { latest: failure, refused } = failures;
    const { lastReadAt } = this.#readings;
    const now = serverNow();
    const nextIn = Math.max(this.#recentDueAt, pausedUntil) - clock.elapsed();
    const { incidents, sync } = describeSync(this.#readings, store, {
      failure,
      reading: this.#recent !== null || (this.#isFirst('once') && this.#jobs.size > 0),
      nextReadAt: refused || this.#recent !== null ? null : now + Math.max(0, nextIn),
      freshness: freshnessOf({
        ...{ lastAt: lastReadAt, now, hasData: lastReadAt !== null },
        intervalMs: this.#pace.pollMs,
        connection: connection('infrastructure').state,
        failed: failure !== null,
      }),
      requests: { lastMinute, perMinute },
      plan: this.#planFacts(),
    });
    store.set('incidents', incidents);
    store.set('sync', sync);
  }
}
