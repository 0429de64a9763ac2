import type { Alarm, SeverityScale } from '../../../../src-preload/contract/index.ts';
import { levelOf } from '../incidents/index.ts';

/** The least urgent level. An alarm has it when its cause has ended. */
export const lowestLevel = 1;

/** The level of an emergency, which sounds repeatedly. */
export const mostUrgent = 3;

/** Whether an alarm's cause lasts. */
export const isPresent = ({ recoveredAt }: Alarm): boolean => recoveredAt === null;

/** Whether an alarm calls an operator: its cause lasts, and it is not snoozed. */
export const calls = (alarm: Alarm): boolean => isPresent(alarm) && alarm.snoozedUntil === null;

/** The console's own alarms come behind incidents whose severity has the same rank. */
const weightOf = ({ severity }: Alarm, scale: SeverityScale): number =>
  severity === null ? -1 : scale.classOf(severity).weight;

/**
 * How urgent an alarm is beside others. For incidents the severity decides: an escalation sounds louder and the first
 * reading softer, but neither changes the order. An expired session has its own banner, so it is the least urgent here,
 * however loud it sounds.
 */
function rankOf({ kind, severity, level }: Alarm, scale: SeverityScale): number {
  if (kind === 'session') return lowestLevel;
  return severity === null ? level : levelOf(scale.classOf(severity));
}

/** A summary of the first reading is softer than its severity, because it is no news. */
const isNews = ({ kind, severity, level }: Alarm, scale: SeverityScale): boolean =>
  kind !== 'summary' || severity === null || level >= levelOf(scale.classOf(severity));

/**
 * The order of alarms, as a comparison. Alarms whose cause has ended come last, and snoozed ones before those. The
 * others are sorted by severity; of one severity, news come before the first reading, then the newest first.
 */
export const byUrgency =
  (scale: SeverityScale) =>
  (a: Alarm, b: Alarm): number =>
    Number(isPresent(b)) - Number(isPresent(a)) ||
    Number(calls(b)) - Number(calls(a)) ||
    rankOf(b, scale) - rankOf(a, scale) ||
    weightOf(b, scale) - weightOf(a, scale) ||
    Number(isNews(b, scale)) - Number(isNews(a, scale)) ||
    b.at - a.at;
