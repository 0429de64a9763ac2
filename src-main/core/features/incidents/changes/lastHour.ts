import type { LastHour } from '../../../../../src-preload/contract/index.ts';
import type { RecordChange } from '../../../state/consoleStore.ts';
import { pollMs } from '../../../state/dataUse.ts';
import type { IncidentRecord } from '../../../state/incident.ts';
import type { LocalAccount } from '../../context.ts';
import { isFirstReadingDone } from '../sync/syncState.ts';
import { HourTally, type TalliedIncident } from './hourTally.ts';

export const lastHourAtStart: LastHour = { since: null, came: 0, rose: 0, resolved: 0, unreadMinutes: 0 };

type Counted = Pick<LocalAccount, 'scope' | 'store' | 'clock' | 'serverNow'>;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/**
 * After this many intervals without a reading, data is stale (base/freshness.ts). A gap below a minute is not counted.
 */
const staleIntervals = 4;
/** The estimate of the service's time moves by fractions of a second; those do not start the count again. */
const noteworthyMs = 5_000;

/**
 * Counts how many of all incidents came, rose in severity or were resolved in the last hour. The cache and the first
 * reading are the base to compare with. Changes in a time without readings count when they are read, and that time is
 * shown; after an hour without any the count starts again. Owns the slice `lastHour`, and stores nothing.
 */
export class LastHourCounter {
  readonly #account: Counted;
  readonly #intervalMs: number;
  #tally = new HourTally();
  /** `Clock.elapsed()` when the count started; null before the first reading has ended. */
  #begunAt: number | null = null;
  /** `Clock.elapsed()` of the last good reading, and its server time. */
  #readAt = 0;
  #readServerTime: number | null = null;
  #since: number | null = null;

  /** `intervalMs`: the usual time between two reads of incidents. */
  constructor(account: Counted, intervalMs: number) {
    const { scope, store } = account;
    this.#account = account;
    this.#intervalMs = intervalMs;
    scope.onEnd(() => {
      store.set('lastHour', lastHourAtStart);
    });
    scope.onEnd(
      store.onRecords((records) => {
        this.#take(records);
      }),
    );
    scope.onEnd(
      store.onChange(() => {
        this.#review();
      }),
    );
    this.#review();
  }

  get #minute(): number {
    return Math.floor(this.#account.clock.elapsed() / minuteMs);
  }

  #take(records: readonly RecordChange[]): void {
    if (this.#begunAt === null) return;
    for (const { before, after, arrivedAt } of records) {
      // A read further back found it: it is not new.
      if (before === null && arrivedAt === 0) continue;
      this.#tally.take(after.id, before && this.#tallied(before), this.#tallied(after), this.#minute);
    }
    this.#publish();
  }

  #tallied({ severity, status }: IncidentRecord): TalliedIncident {
    const { store } = this.#account;
    return { severity: store.scale.classOf(severity), open: store.isOpen(status) };
  }

  /** The store's slices changed: a reading may have ended. */
  #review(): void {
    const { store, clock } = this.#account;
    const { lastReadAt } = store.slice('incidents');
    if (lastReadAt === null || lastReadAt === this.#readServerTime) return this.#begin();
    const now = clock.elapsed();
    const gapMs = now - this.#readAt;
    this.#readServerTime = lastReadAt;
    this.#readAt = now;
    if (this.#begunAt === null) return this.#begin();
    if (gapMs <= Math.max(staleIntervals * pollMs(store, this.#intervalMs), minuteMs)) return;
    if (gapMs >= hourMs) {
      this.#tally = new HourTally();
      this.#begunAt = now;
    } else this.#tally.markUnread(Math.floor((now - gapMs) / minuteMs), this.#minute);
    this.#publish();
  }

  #begin(): void {
    if (this.#begunAt !== null || !isFirstReadingDone(this.#account.store)) return;
    this.#begunAt = this.#account.clock.elapsed();
    this.#publish();
    this.#tick();
  }

  /** Drops the counts that are more than an hour old. */
  #tick(): void {
    this.#account.clock.schedule(minuteMs, () => {
      this.#publish();
      this.#tick();
    });
  }

  #publish(): void {
    const { store, clock, serverNow } = this.#account;
    if (this.#begunAt === null) return;
    const since = serverNow() - (clock.elapsed() - this.#begunAt);
    if (this.#since === null || Math.abs(since - this.#since) > noteworthyMs) this.#since = since;
    store.set('lastHour', { since: this.#since, ...this.#tally.counts(this.#minute) });
  }
}
