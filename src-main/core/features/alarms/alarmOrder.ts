import type { Alarm, SeverityScale } from '../../../../src-preload/contract/index.ts';
import { levelOf } from '../incidents/index.ts';

/** The least urgent level, which every alarm has once what it tells of has passed. */
export const lowestLevel = 1;

/** The level of an emergency, which sounds again and again. */
export const mostUrgent = 3;

/** Whether an alarm still tells of something that is so. */
export const isPresent = ({ recoveredAt }: Alarm): boolean => recoveredAt === null;

/** Whether an alarm calls for somebody: what it tells of is so, and nobody has put it off. */
export const calls = (alarm: Alarm): boolean => isPresent(alarm) && alarm.snoozedUntil === null;

/** Behind every severity of its rank: an incident goes before what the console tells of itself. */
const weightOf = ({ severity }: Alarm, scale: SeverityScale): number =>
  severity === null ? -1 : scale.classOf(severity).weight;

/**
 * How urgent an alarm is beside others. Of incidents the severity says it: that one sounds louder since nobody
 * acknowledged it, or softer as one of the first reading, puts it neither above nor below another. The end of
 * the session has banners of its own, and is the least urgent here, however loud it sounds.
 */
function rankOf({ kind, severity, level }: Alarm, scale: SeverityScale): number {
  if (kind === 'session') return lowestLevel;
  return severity === null ? level : levelOf(scale.classOf(severity));
}

/**
 * The order in which alarms need somebody, as a comparison: what has passed comes last, however urgent it was,
 * and what is snoozed before that; then severity, and what waits longest. A new alarm never hides one that
 * nobody has attended to.
 */
export const byUrgency =
  (scale: SeverityScale) =>
  (a: Alarm, b: Alarm): number =>
    Number(isPresent(b)) - Number(isPresent(a)) ||
    Number(calls(b)) - Number(calls(a)) ||
    rankOf(b, scale) - rankOf(a, scale) ||
    weightOf(b, scale) - weightOf(a, scale) ||
    a.at - b.at;
