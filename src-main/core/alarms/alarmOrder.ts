import type { Alarm, SeverityScale } from '../../../src-preload/contract/index.ts';

/** The least urgent level, which every alarm has once what it tells of has passed. */
export const lowestLevel = 1;

/** The level of an emergency, which sounds again and again. */
export const mostUrgent = 3;

/** Whether an alarm still tells of something that is so. */
export const isPresent = ({ recoveredAt }: Alarm): boolean => recoveredAt === null;

/** Whether an alarm calls for somebody: what it tells of is so, and nobody has put it off. */
export const calls = (alarm: Alarm): boolean => isPresent(alarm) && alarm.snoozedUntil === null;

/** Behind every severity of its level: an incident goes before what the console tells of itself. */
const weightOf = ({ severity }: Alarm, scale: SeverityScale): number =>
  severity === null ? -1 : scale.classOf(severity).weight;

/**
 * The order in which alarms need somebody, as a comparison: what has passed comes last, however urgent it was,
 * and what is snoozed before that; then level, severity, and what waits longest. A new alarm never hides one that nobody has attended to.
 */
export const byUrgency =
  (scale: SeverityScale) =>
  (a: Alarm, b: Alarm): number =>
    Number(isPresent(b)) - Number(isPresent(a)) ||
    Number(calls(b)) - Number(calls(a)) ||
    b.level - a.level ||
    weightOf(b, scale) - weightOf(a, scale) ||
    a.at - b.at;
