import { message, type Message } from '../../../base/messages/message.ts';
import type { SyncAccount } from './syncAccount.ts';
import { dayMs } from './window.ts';

/** How long incidents are stored on this computer. With `days` null their age does not matter. */
export interface RetentionPolicy {
  readonly days: number | null;
  /** The largest number of incidents. */
  readonly incidents: number;
  /** How long an incident is stored after the service stopped returning it. */
  readonly notReturnedDays: number;
}

export interface KeptIncident {
  readonly id: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly notReturnedSince: number | null;
}

export interface Forgetting {
  readonly ids: readonly string[];
  /** How many are removed, by reason; each counts once. */
  readonly counts: { readonly notReturned: number; readonly age: number; readonly number: number };
  /** Incidents created before this instant need not be read, Unix milliseconds; null for no limit. */
  readonly keptFrom: number | null;
}

/** The instant before which incidents are too old; null where age does not matter or no time is proven. */
const oldestKept = ({ days }: RetentionPolicy, provenNow: number | null): number | null =>
  days === null || provenNow === null ? null : provenNow - days * dayMs;

/**
 * Which incidents to remove at the proven server time `provenNow`: those that the service has not returned for long, those older than
 * the policy allows, and the oldest beyond the largest number. They are removed only from this computer; nothing that
 * has to be sent is among incidents. Where no time is proven, only their number counts.
 *
 * @param keptFrom the limit of the last removal, which never moves back.
 */
export function forgettable(
  incidents: Iterable<KeptIncident>,
  policy: RetentionPolicy,
  provenNow: number | null,
  keptFrom: number | null = null,
): Forgetting {
  const oldest = oldestKept(policy, provenNow);
  const goneBefore = provenNow === null ? -Infinity : provenNow - policy.notReturnedDays * dayMs;
  const ids: string[] = [];
  const kept: KeptIncident[] = [];
  let notReturned = 0;
  let age = 0;
  for (const incident of incidents) {
    const { id, createdAt, notReturnedSince } = incident;
    if (notReturnedSince !== null && notReturnedSince <= goneBefore) {
      notReturned += 1;
      ids.push(id);
    } else if (oldest !== null && createdAt < oldest) {
      age += 1;
      ids.push(id);
    } else kept.push(incident);
  }
  let from = later(keptFrom, oldest);
  const excess = Math.max(0, kept.length - policy.incidents);
  if (excess > 0) {
    kept.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
    for (const { id, createdAt } of kept.slice(0, excess)) {
      ids.push(id);
      from = later(from, createdAt + 1);
    }
  }
  return { ids, counts: { notReturned, age, number: excess }, keptFrom: from };
}

const later = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.max(a, b);

/** The sentence about a removal; null when nothing was removed. */
export function forgettingSentence(
  { ids, counts }: Forgetting,
  { days, incidents, notReturnedDays }: RetentionPolicy,
): Message | null {
  const { age, number, notReturned } = counts;
  const reasons = [
    ...(age > 0 ? [message('retention.age', { count: age, days: days ?? 0 })] : []),
    ...(number > 0 ? [message('retention.number', { count: number, kept: incidents })] : []),
    ...(notReturned > 0
      ? [message('retention.notReturned', { count: notReturned, days: notReturnedDays })]
      : []),
  ];
  const n = ids.length;
  const [first, second, third] = reasons;
  if (first === undefined) return null;
  if (second === undefined) return message('retention.removed.one', { n, first });
  if (third === undefined) return message('retention.removed.two', { n, first, second });
  return message('retention.removed.three', { n, first, second, third });
}

type RetentionAccount = Pick<
  SyncAccount,
  'store' | 'clock' | 'logger' | 'serverNow' | 'serverTime' | 'deployment' | 'vault'
>;

const everyMs = 600_000;

/** Applies the retention policy to the store from time to time, and reports what was removed. */
export class RetentionSchedule {
  readonly #account: RetentionAccount;
  #dueAt = 0;

  constructor(account: RetentionAccount) {
    this.#account = account;
  }

  /** Removes what is due. Returns the instant before which nothing need be read. */
  review(keptFrom: number | null): number | null {
    const { store, clock, logger, serverTime, vault } = this.#account;
    const { retention } = this.#account.deployment;
    const isOver = store.incidents.count > retention.incidents;
    const provenNow = serverTime.provenNow();
    if (!isOver && (provenNow === null || clock.elapsed() < this.#dueAt)) return keptFrom;
    if (provenNow !== null) this.#dueAt = clock.elapsed() + everyMs;
    const forgetting = forgettable(this.#candidates(isOver, provenNow), retention, provenNow, keptFrom);
    if (forgetting.ids.length > 0) {
      logger.info('incidents-forgotten', { ...forgetting.counts });
      void store.applyRows({ upserts: [], removals: forgetting.ids });
      const said = forgettingSentence(forgetting, retention);
      if (said !== null) vault.note(said);
    }
    return forgetting.keptFrom;
  }

  /** All incidents where their number matters, else only those that may be removed: a million of them takes long. */
  *#candidates(all: boolean, provenNow: number | null): Generator<KeptIncident> {
    const { deployment, serverNow, store } = this.#account;
    const { incidents } = store;
    const now = serverNow();
    const oldest = oldestKept(deployment.retention, provenNow);
    const old = oldest === null ? [] : incidents.idsBetween(null, oldest);
    for (const id of all ? incidents.ids() : new Set([...old, ...incidents.idsNotReturned()])) {
      const stored = incidents.stored(id);
      if (!stored) continue;
      const { createdAt } = stored.record;
      yield {
        id,
        // Among the newest: one without a readable time may be.
        createdAt: Number.isNaN(createdAt) ? now : createdAt,
        notReturnedSince: stored.notReturnedSince,
      };
    }
  }
}
