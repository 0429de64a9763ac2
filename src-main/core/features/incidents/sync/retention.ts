import { message, type Message } from '../../../base/messages/message.ts';

/** How long incidents are kept on this computer. `days` null keeps them whatever their age. */
export interface RetentionPolicy {
  readonly days: number | null;
  /** The largest number of incidents. */
  readonly incidents: number;
  /** How long an incident is kept after the service no longer returned it. */
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
  /** How many of them for which reason; each is counted once. */
  readonly counts: { readonly notReturned: number; readonly age: number; readonly number: number };
  /** Nothing created before this instant need be read any more, Unix milliseconds; null for no bound. */
  readonly keptFrom: number | null;
}

const dayMs = 86_400_000;

/** The instant before which incidents are too old to be kept; null where age does not count. */
export const oldestKept = ({ days }: RetentionPolicy, now: number): number | null =>
  days === null ? null : now - days * dayMs;

/**
 * Which incidents to forget at server time `now`: those that the service has not returned for long,
 * those older than the policy allows, and, beyond the largest number, the oldest. They leave this
 * computer only; nothing that waits to be sent is among incidents.
 *
 * @param keptFrom the bound of the last forgetting, which never moves back.
 */
export function forgettable(
  incidents: Iterable<KeptIncident>,
  policy: RetentionPolicy,
  now: number,
  keptFrom: number | null = null,
): Forgetting {
  const oldest = oldestKept(policy, now);
  const ids: string[] = [];
  const kept: KeptIncident[] = [];
  let notReturned = 0;
  let age = 0;
  for (const incident of incidents) {
    const { id, createdAt, notReturnedSince } = incident;
    if (notReturnedSince !== null && now - notReturnedSince >= policy.notReturnedDays * dayMs) {
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
    for (const { id } of kept.slice(0, excess)) ids.push(id);
    from = later(from, (kept[excess - 1]?.createdAt ?? now) + 1);
  }
  return { ids, counts: { notReturned, age, number: excess }, keptFrom: from };
}

const later = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.max(a, b);

/** What an operator is told of a forgetting; null when nothing went. */
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
