import type { ApiConnection, Failure, SyncState } from '../../../../../src-preload/contract/index.ts';
import { freshnessOf } from '../../../base/freshness.ts';
import { Timer } from '../../../base/timer.ts';
import type { FeatureOptions } from '../../../vault/account.ts';
import { roundEnd, type PlanFacts } from './plan.ts';
import type { Readings } from './readings.ts';
import { describeSync, describeUnreadable } from './syncState.ts';

export interface StatusFacts {
  readonly readings: Readings;
  /** Why the last read failed; null when it did not. */
  readonly failure: Failure | null;
  /** The time between two reads of the newest window. */
  readonly intervalMs: number;
  readonly reading: boolean;
  readonly nextReadAt: number | null;
  readonly requests: SyncState['requests'];
  readonly plan: PlanFacts;
}

export interface StatusReporterOptions extends Pick<FeatureOptions, 'store' | 'clock' | 'serverTime'> {
  readonly connection: () => ApiConnection['state'];
  readonly facts: () => StatusFacts;
}

/** The shortest time between two reports, milliseconds. */
const tellMs = 200;

/** Writes the result of reading into the slices `incidents` and `sync`. */
export class StatusReporter {
  readonly #options: StatusReporterOptions;
  readonly #timer: Timer;

  constructor(options: StatusReporterOptions) {
    this.#options = options;
    this.#timer = new Timer(options.clock, () => this.tell());
  }

  /** Reports within `tellMs`, once for all changes until then. */
  tellSoon(): void {
    this.#timer.setOnce(tellMs);
  }

  tell(): void {
    this.#timer.stop();
    const { store, serverTime, connection } = this.#options;
    const { readings, failure, intervalMs, reading, nextReadAt, requests, plan } = this.#options.facts();
    const { ledger, unit, unfiltered, lastReadAt, lastRequestId, lagMs } = readings;
    const { count, withoutLocation, notReturned, severities, statuses } = store.incidents;
    const unreadable = describeUnreadable(ledger);
    const isComplete = readings.isComplete && unreadable.count === 0;
    const anything = lastReadAt !== null || count > 0;
    store.set('incidents', {
      query: store.slice('incidents').query,
      count,
      withoutLocation,
      unreadable,
      completeness: anything ? (isComplete ? 'complete' : 'at-least') : 'unknown',
      rangeIgnored: unfiltered === 'ignored',
      severities: [...severities],
      statuses: [...statuses],
      reading,
      lastReadAt,
      nextReadAt,
      lastRequestId,
      failure,
      freshness: freshnessOf({
        lastAt: lastReadAt,
        now: serverTime.serverNow(),
        intervalMs,
        connection: connection(),
        failed: failure !== null,
        hasData: lastReadAt !== null,
      }),
    });
    const roundEndsAt = unfiltered === null ? roundEnd(ledger.windows, plan, requests.perMinute) : null;
    store.set(
      'sync',
      describeSync({ ledger, unit, unfiltered, isComplete, lagMs, requests, notReturned, roundEndsAt }),
    );
  }
}
