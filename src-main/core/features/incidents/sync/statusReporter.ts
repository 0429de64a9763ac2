import type { ApiConnection, Failure, SyncState } from '../../../../../src-preload/contract/index.ts';
import { freshnessOf } from '../../../base/freshness.ts';
import type { Clock } from '../../../base/ports.ts';
import type { ServerTime } from '../../../base/serverTime.ts';
import type { ConsoleStore } from '../../../state/consoleStore.ts';
import { roundEnd, type PlanFacts } from './plan.ts';
import type { Readings } from './readings.ts';
import { describeSync, describeUnreadable } from './syncState.ts';

export interface StatusFacts {
  readonly readings: Readings;
  /** Why the last read failed; null when it did not. */
  readonly failure: Failure | null;
  readonly reading: boolean;
  readonly nextReadAt: number | null;
  readonly requests: SyncState['requests'];
  readonly plan: PlanFacts;
}

export interface StatusReporterOptions {
  readonly store: ConsoleStore;
  readonly clock: Clock;
  readonly serverTime: Pick<ServerTime, 'serverNow'>;
  readonly intervalMs: number;
  readonly connection: () => ApiConnection['state'];
  readonly facts: () => StatusFacts;
}

/** How often the state is told while much happens. */
const tellMs = 200;

/** Says in the slices `incidents` and `sync` what the reading has come to. */
export class StatusReporter {
  readonly #options: StatusReporterOptions;
  #cancel: (() => void) | null = null;

  constructor(options: StatusReporterOptions) {
    this.#options = options;
  }

  /** Tells within a fraction of a second, once for all that happens until then. */
  tellSoon(): void {
    this.#cancel ??= this.#options.clock.schedule(tellMs, () => {
      this.tell();
    });
  }

  tell(): void {
    this.#cancel?.();
    this.#cancel = null;
    const { store, serverTime, intervalMs, connection } = this.#options;
    const { readings, failure, reading, nextReadAt, requests, plan } = this.#options.facts();
    const { ledger, unit, unfiltered, lastReadAt, lastRequestId } = readings;
    const { count, withoutLocation, notReturned, severities, statuses } = store.incidents;
    const whole = unfiltered === null ? ledger.isComplete : ledger.recent.state === 'complete';
    const anything = lastReadAt !== null || count > 0;
    store.set('incidents', {
      query: store.slice('incidents').query,
      count,
      withoutLocation,
      unreadable: describeUnreadable(ledger),
      completeness: anything ? (whole ? 'complete' : 'at-least') : 'unknown',
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
    store.set('sync', describeSync({ ledger, unit, unfiltered, requests, notReturned, roundEndsAt }));
  }
}
