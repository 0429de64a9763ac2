import {
  failed,
  ok,
  type ApiConnection,
  type Failure,
  type IncidentQuery,
  type IncidentsMeta,
  type Result,
} from '../../../src-preload/contract/index.ts';
import { freshnessOf } from '../domain/freshness.ts';
import { makeFailure } from '../domain/failure.ts';
import { sameValue } from '../domain/json.ts';
import type { StationTime } from '../domain/stationTime.ts';
import type { Clock, Logger, Random } from '../ports.ts';
import type { ConsoleStore } from '../store/consoleStore.ts';
import { AbsenceCount } from './absences.ts';
import type { IncidentHarvest, IncidentReader } from './incidentReader.ts';
import { pauseAfterFailures, withJitter } from './pace.ts';

export const incidentsAtStart: IncidentsMeta = {
  query: { range: 'all', severities: [], statuses: [], limit: null },
  count: 0,
  withoutLocation: 0,
  unreadable: { count: 0, examples: [] },
  completeness: 'unknown',
  rangeIgnored: false,
  severities: [],
  statuses: [],
  reading: false,
  lastReadAt: null,
  nextReadAt: null,
  lastRequestId: null,
  failure: null,
  freshness: 'none',
};

export interface IncidentPollerOptions {
  readonly reader: Pick<IncidentReader, 'read'>;
  readonly store: ConsoleStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly stationTime: Pick<StationTime, 'stationNow'>;
  readonly intervalMs: number;
  readonly connection: () => ApiConnection['state'];
}

interface Round {
  readonly query: IncidentQuery;
  readonly abort: AbortController;
  readonly done: Promise<Result<null>>;
}

const exampleLimit = 20;
/** How soon a read follows the return of the connection, at most. */
const recoveryMs = 1000;

/**
 * Keeps the incidents read: on an interval with jitter, at once when the operator asks or changes
 * the query, and soon after the connection came back. One read at a time. A failed read changes no
 * row. A missing scope (403) stops the reading until the operator checks again or a new token comes
 * (interface: Authentication).
 */
export class IncidentPoller {
  readonly #options: IncidentPollerOptions;
  #running = false;
  #round: Round | null = null;
  #cancelNext: (() => void) | null = null;
  #failures = 0;
  #refused = false;
  #lastQuery: IncidentQuery | null = null;
  #absences: AbsenceCount;

  constructor(options: IncidentPollerOptions) {
    this.#options = options;
    this.#absences = this.#countAbsences();
  }

  /** Begins to read, for an operator who has just signed in. */
  start(): void {
    if (this.#running) return;
    this.#running = true;
    this.#patch(incidentsAtStart);
    void this.#begin({ interactive: false, recheck: false });
  }

  /** Ends reading and forgets the query: the next operator starts from the beginning. */
  stop(): void {
    this.#running = false;
    this.#supersede();
    this.#cancel();
    this.#failures = 0;
    this.#refused = false;
    this.#lastQuery = null;
    this.#absences = this.#countAbsences();
    this.#options.store.set('incidents', incidentsAtStart);
  }

  /** Reads at once, also when a scope was missing before; answers when it is read. */
  refresh(): Promise<Result<null>> {
    if (!this.#running) return Promise.resolve(failed(this.#failure('signed-out')));
    if (this.#round) return this.#round.done;
    return this.#begin({ interactive: true, recheck: true });
  }

  /** Replaces the query and reads at once; a read for the old one is given up. */
  setQuery(query: IncidentQuery): void {
    if (sameValue(query, this.#meta.query)) return;
    this.#patch({ query });
    const rechecking = this.#refused && this.#round !== null;
    this.#supersede();
    if (!this.#refused || rechecking) void this.#begin({ interactive: true, recheck: rechecking });
  }

  /** A new token may carry the scope that was missing, and serves what failed for want of one. */
  tokenChanged(): void {
    if (!this.#running || (!this.#refused && this.#meta.failure === null)) return;
    this.#refused = false;
    this.#soon();
  }

  connectionReturned(): void {
    if (this.#running && !this.#refused && this.#meta.failure !== null) this.#soon();
  }

  /** The machine slept: what is shown is older than it says. */
  wake(): void {
    if (this.#running && !this.#refused) this.#soon();
  }

  /** Derives the freshness anew, as time has passed or the connection changed. */
  review(): void {
    if (this.#running) this.#patch({});
  }

  get #meta(): IncidentsMeta {
    return this.#options.store.slice('incidents');
  }

  #begin(how: { readonly interactive: boolean; readonly recheck: boolean }): Promise<Result<null>> {
    this.#cancel();
    const { query } = this.#meta;
    const abort = new AbortController();
    this.#patch({ reading: true, nextReadAt: null });
    const done = this.#run(query, { ...how, signal: abort.signal });
    this.#round = { query, abort, done };
    return done;
  }

  async #run(
    query: IncidentQuery,
    how: { readonly interactive: boolean; readonly recheck: boolean; readonly signal: AbortSignal },
  ): Promise<Result<null>> {
    const { store, reader } = this.#options;
    const epoch = store.epoch;
    const superseded = (): boolean => how.signal.aborted || store.epoch !== epoch;
    const harvest = await reader.read(query, how);
    if (superseded()) return failed(this.#failure('cancelled'));
    if (harvest.ok && !(await this.#take(query, harvest.value, superseded)))
      return failed(this.#failure('cancelled'));
    this.#round = null;
    const failure = harvest.ok ? harvest.value.failure : harvest.failure;
    this.#conclude(failure);
    return failure === null ? ok(null) : failed(failure);
  }

  /** Writes what was read; false when it is not wanted any more. */
  async #take(query: IncidentQuery, harvest: IncidentHarvest, superseded: () => boolean): Promise<boolean> {
    const { store, stationTime } = this.#options;
    const now = stationTime.stationNow();
    const { lastReadAt } = this.#meta;
    const sameQuery = sameValue(query, this.#lastQuery);
    const arrivedAt = (createdAt: number): number =>
      lastReadAt !== null && (sameQuery || createdAt >= lastReadAt) ? now : 0;
    const upserts = [...harvest.rows.values()].map((record) => ({
      record,
      sighting: { seenAt: now, arrivedAt: arrivedAt(record.createdAt) },
    }));
    const absent = this.#absences.afterRead(harvest, store.incidents, now);
    // Under a limit the operator asked to see what the service returns for it, and no more.
    const limited = query.limit !== null && harvest.failure === null;
    const removals = limited ? notReturned(store.incidents.ids(), harvest) : absent;
    if (!(await store.applyRows({ upserts, removals })) || superseded()) return false;
    this.#lastQuery = query;
    this.#patch({
      unreadable: {
        count: harvest.unreadable.length,
        examples: harvest.unreadable.slice(0, exampleLimit).map((record) => ({ ...record })),
      },
      completeness: harvest.cut ? 'at-least' : 'complete',
      rangeIgnored: harvest.rangeIgnored,
      lastReadAt: now,
      lastRequestId: harvest.requestId,
    });
    return true;
  }

  #conclude(failure: Failure | null): void {
    const { random, intervalMs, logger, stationTime } = this.#options;
    if (failure === null) {
      this.#failures = 0;
      this.#refused = false;
      this.#patch({ reading: false, failure: null });
      this.#schedule(withJitter(intervalMs, random));
      return;
    }
    this.#failures += 1;
    logger.warn('incidents-not-read', {
      code: failure.code,
      requestId: failure.requestId,
      failures: this.#failures,
    });
    this.#patch({ reading: false, failure, lastRequestId: failure.requestId ?? this.#meta.lastRequestId });
    if (failure.code === 'not-granted') {
      this.#refused = true;
      return;
    }
    const retryAfterMs = failure.retryAt === null ? null : failure.retryAt - stationTime.stationNow();
    this.#schedule(pauseAfterFailures({ intervalMs, failures: this.#failures, retryAfterMs, random }));
  }

  #schedule(ms: number): void {
    const { clock, stationTime } = this.#options;
    this.#cancel();
    this.#cancelNext = clock.schedule(ms, () => {
      this.#cancelNext = null;
      void this.#begin({ interactive: false, recheck: false });
    });
    this.#patch({ nextReadAt: stationTime.stationNow() + ms });
  }

  /** A read within a second: not at once, as all stations of a field get their link back together. */
  #soon(): void {
    if (!this.#round) this.#schedule(Math.round(recoveryMs * this.#options.random.fraction()));
  }

  #supersede(): void {
    this.#round?.abort.abort();
    this.#round = null;
  }

  #cancel(): void {
    this.#cancelNext?.();
    this.#cancelNext = null;
  }

  #patch(change: Partial<IncidentsMeta>): void {
    const { store, stationTime, intervalMs, connection } = this.#options;
    const { count, withoutLocation, severities, statuses } = store.incidents;
    const next = { ...this.#meta, ...change };
    store.set('incidents', {
      ...next,
      count,
      withoutLocation,
      severities: [...severities],
      statuses: [...statuses],
      freshness: freshnessOf({
        lastAt: next.lastReadAt,
        now: stationTime.stationNow(),
        intervalMs,
        connection: connection(),
        hasData: next.lastReadAt !== null,
      }),
    });
  }

  #countAbsences(): AbsenceCount {
    return new AbsenceCount({ apartMs: this.#options.intervalMs / 2 });
  }

  #failure(code: 'cancelled' | 'signed-out'): Failure {
    return makeFailure({ code, at: this.#options.stationTime.stationNow() });
  }
}

const notReturned = (known: Iterable<string>, { rows }: IncidentHarvest): string[] =>
  [...known].filter((id) => !rows.has(id));
