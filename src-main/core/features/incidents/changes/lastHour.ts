import { openRule, scaleOf, type LastHour } from '../../../../../src-preload/contract/index.ts';
import type { Clock } from '../../../base/ports.ts';
import type { ServerTime } from '../../../base/serverTime.ts';
import type { ConsoleStore, RecordChange } from '../../../state/consoleStore.ts';
import type { IncidentRecord } from '../../../state/incident.ts';
import { isFirstReadingDone } from '../sync/syncState.ts';
import { HourTally, type TalliedIncident } from './hourTally.ts';

export const lastHourAtStart: LastHour = { since: null, came: 0, rose: 0, resolved: 0, unreadMinutes: 0 };

export interface LastHourOptions {
  readonly store: ConsoleStore;
  readonly clock: Clock;
  readonly serverTime: Pick<ServerTime, 'serverNow'>;
  /** The usual time between two reads of incidents, milliseconds. */
  readonly intervalMs: number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** After so many intervals without a reading data is stale (domain/freshness.ts); less than a minute is no gap here. */
const staleIntervals = 4;
/** The estimate of the service's time moves by fractions of a second, which is no other beginning. */
const noteworthyMs = 5_000;

interface Run {
  readonly stops: readonly (() => void)[];
  tally: HourTally;
  /** `Clock.elapsed()` when counting began; null before the first reading is through. */
  begunAt: number | null;
  /** `Clock.elapsed()` of the last good reading, and its server time. */
  readAt: number;
  readServerTime: number | null;
  since: number | null;
}

/**
 * Counts which incidents came, rose in severity or were resolved in the last hour, of all incidents. What the cache
 * gave back and what a first reading brings is the ground to compare with. What happened in a time without readings
 * counts when it is read, and that time is said; after an hour without any the counting begins again. Owns the slice
 * `lastHour`; nothing of it is stored.
 */
export class LastHourCounter {
  readonly #options: LastHourOptions;
  #run: Run | null = null;
  #cancel: (() => void) | null = null;

  constructor(options: LastHourOptions) {
    this.#options = options;
  }

  start(): void {
    const { store } = this.#options;
    const run: Run = {
      tally: new HourTally(),
      begunAt: null,
      readAt: 0,
      readServerTime: null,
      since: null,
      stops: [
        store.onRecords((records) => {
          this.#take(run, records);
        }),
        store.onChange(() => {
          this.#review(run);
        }),
      ],
    };
    this.#run = run;
    this.#review(run);
  }

  /** Forgets all. */
  stop(): void {
    for (const stop of this.#run?.stops ?? []) stop();
    this.#run = null;
    this.#cancel?.();
    this.#options.store.set('lastHour', lastHourAtStart);
  }

  get #minute(): number {
    return Math.floor(this.#options.clock.elapsed() / minuteMs);
  }

  #take(run: Run, records: readonly RecordChange[]): void {
    if (run.begunAt === null) return;
    for (const { before, after, arrivedAt } of records) {
      // Found by reading further back: it was there.
      if (before === null && arrivedAt === 0) continue;
      run.tally.take(after.id, before && this.#tallied(before), this.#tallied(after), this.#minute);
    }
    this.#publish(run);
  }

  #tallied({ severity, status }: IncidentRecord): TalliedIncident {
    const { severities, closedStatuses } = this.#options.store.slice('app');
    return { severity: scaleOf(severities).classOf(severity), open: openRule(closedStatuses)(status) };
  }

  /** The store's slices changed: a reading may have come to its end. */
  #review(run: Run): void {
    const { store, clock, intervalMs } = this.#options;
    const { lastReadAt } = store.slice('incidents');
    if (lastReadAt === null || lastReadAt === run.readServerTime) return this.#begin(run);
    const now = clock.elapsed();
    const gapMs = now - run.readAt;
    run.readServerTime = lastReadAt;
    run.readAt = now;
    if (run.begunAt === null) return this.#begin(run);
    if (gapMs <= Math.max(staleIntervals * intervalMs, minuteMs)) return;
    if (gapMs >= hourMs) {
      run.tally = new HourTally();
      run.begunAt = now;
    } else run.tally.markUnread(Math.floor((now - gapMs) / minuteMs), this.#minute);
    this.#publish(run);
  }

  #begin(run: Run): void {
    if (run.begunAt !== null || !isFirstReadingDone(this.#options.store)) return;
    run.begunAt = this.#options.clock.elapsed();
    this.#publish(run);
    this.#tick(run);
  }

  /** What was counted an hour ago is no longer. */
  #tick(run: Run): void {
    this.#cancel = this.#options.clock.schedule(minuteMs, () => {
      this.#publish(run);
      this.#tick(run);
    });
  }

  #publish(run: Run): void {
    const { store, clock, serverTime } = this.#options;
    if (run.begunAt === null) return;
    const since = serverTime.serverNow() - (clock.elapsed() - run.begunAt);
    if (run.since === null || Math.abs(since - run.since) > noteworthyMs) run.since = since;
    store.set('lastHour', { since: run.since, ...run.tally.counts(this.#minute) });
  }
}
