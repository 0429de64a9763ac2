import type { Message } from '../../../base/messages/message.ts';
import type { Clock, Logger } from '../../../base/ports.ts';
import type { ServerTime } from '../../../base/serverTime.ts';
import type { ConsoleStore } from '../../../state/consoleStore.ts';
import {
  forgettable,
  forgettingSentence,
  oldestKept,
  type KeptIncident,
  type RetentionPolicy,
} from './retention.ts';

export interface RetentionScheduleOptions {
  readonly store: ConsoleStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly serverTime: Pick<ServerTime, 'serverNow'>;
  readonly retention: RetentionPolicy;
  readonly onNotice?: (said: Message) => void;
}

const everyMs = 600_000;

/** Applies the retention policy to the store from time to time, and says what went. */
export class RetentionSchedule {
  readonly #options: RetentionScheduleOptions;
  #dueAt = 0;

  constructor(options: RetentionScheduleOptions) {
    this.#options = options;
  }

  /** Forgets what is due; returns the instant before which nothing need be read. */
  review(keptFrom: number | null): number | null {
    const { store, clock, logger, retention, serverTime, onNotice } = this.#options;
    const isOver = store.incidents.count > retention.incidents;
    if (!isOver && clock.elapsed() < this.#dueAt) return keptFrom;
    this.#dueAt = clock.elapsed() + everyMs;
    const now = serverTime.serverNow();
    const forgetting = forgettable(this.#candidates(isOver, now), retention, now, keptFrom);
    if (forgetting.ids.length > 0) {
      logger.info('incidents-forgotten', { ...forgetting.counts });
      void store.applyRows({ upserts: [], removals: forgetting.ids });
      const said = forgettingSentence(forgetting, retention);
      if (said !== null) onNotice?.(said);
    }
    return forgetting.keptFrom;
  }

  /** All incidents where their number counts; else only those that may go, as a million of them is a long walk. */
  *#candidates(all: boolean, now: number): Generator<KeptIncident> {
    const { incidents } = this.#options.store;
    const oldest = oldestKept(this.#options.retention, now);
    const old = oldest === null ? [] : incidents.idsBetween(null, oldest);
    for (const id of all ? incidents.ids() : new Set([...old, ...incidents.idsNotReturned()])) {
      const stored = incidents.stored(id);
      if (!stored) continue;
      yield { id, createdAt: stored.record.createdAt, notReturnedSince: stored.notReturnedSince };
    }
  }
}
