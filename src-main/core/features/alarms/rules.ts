import { foldWord, type Alarm, type AlarmSettings } from '../../../../src-preload/contract/index.ts';
import { calls, mostUrgent } from './alarmOrder.ts';

/** The least severity that alarms for an incident of this type, however it is written. */
export const leastFor = (
  { least, types }: Pick<AlarmSettings, 'least' | 'types'>,
  type: string,
): AlarmSettings['least'] => types.find((rule) => foldWord(rule.type) === foldWord(type))?.least ?? least;

/** Whether a server time (Unix ms) lies in the quiet hours, by this computer's time of day. */
export function isQuiet(hours: AlarmSettings['quietHours'], now: number): boolean {
  if (hours === null) return false;
  const time = new Date(now);
  const minute = time.getHours() * 60 + time.getMinutes();
  return hours.from <= hours.to
    ? minute >= hours.from && minute < hours.to
    : minute >= hours.from || minute < hours.to;
}

/** What of some alarms is heard: in quiet hours emergencies alone. */
export const heardOf = (
  alarms: readonly Alarm[],
  { quietHours }: Pick<AlarmSettings, 'quietHours'>,
  now: number,
): readonly Alarm[] =>
  isQuiet(quietHours, now) ? alarms.filter(({ level }) => level === mostUrgent) : alarms;

/** When an alarm becomes an emergency because nobody acknowledged it, server time; null for never. */
export const escalatesAt = (
  alarm: Alarm,
  { escalateAfterMs }: Pick<AlarmSettings, 'escalateAfterMs'>,
): number | null =>
  escalateAfterMs === null || alarm.escalatedAt !== null || !calls(alarm) ? null : alarm.at + escalateAfterMs;
