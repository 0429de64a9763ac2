import type { AlarmSettings } from '../../../src-preload/contract/index.ts';

/**
 * The severities that have an order, the least first. The set of values is open (interface: the
 * complete set is not shown), so a severity may be none of them.
 */
const order = ['low', 'medium', 'high', 'critical'] as const;

function rankOf(severity: string): number | null {
  const rank = (order as readonly string[]).indexOf(severity.trim().toLowerCase());
  return rank < 0 ? null : rank;
}

/** Whether a severity is at or above the least that alarms. One without an order is, but for `none`. */
export function reaches(severity: string, least: AlarmSettings['least']): boolean {
  if (least === 'none') return false;
  const rank = rankOf(severity);
  return rank === null || rank >= order.indexOf(least);
}

/** Whether a change of severity is a rise. Where one of the two has no order, nothing proves that it is none. */
export function rose(before: string, after: string): boolean {
  if (before.trim().toLowerCase() === after.trim().toLowerCase()) return false;
  const [from, to] = [rankOf(before), rankOf(after)];
  return from === null || to === null || to > from;
}

/** Sorts severities: greater for the worse. One without an order stands between medium and high. */
export const weightOf = (severity: string): number => rankOf(severity) ?? 1.5;

/** How urgent an incident of a severity sounds. */
export function levelOf(severity: string): 1 | 2 | 3 {
  const weight = weightOf(severity);
  return weight >= 3 ? 3 : weight >= 2 ? 2 : 1;
}

/** The worst of some severities; null when there is none. */
export function worstOf(severities: readonly (string | null)[]): string | null {
  let worst: string | null = null;
  for (const severity of severities) {
    if (severity !== null && (worst === null || weightOf(severity) > weightOf(worst))) worst = severity;
  }
  return worst;
}
