import type { Alarm, AlarmSettings, SirenState } from '../../../../src-preload/contract/index.ts';
import { mostUrgent } from './alarmOrder.ts';
import { sirenAtStart } from './alarmsState.ts';

/** The longest mute that an operator can set, milliseconds. */
const longestMuteMs = 60 * 60_000;

/**
 * Whether a mute holds. One that ends later than the longest mute was set by a clock that was wrong: it counts as over,
 * since an alarm too many is better than one too few.
 */
export const isMuted = (mutedUntil: number | null, now: number): boolean =>
  mutedUntil !== null && mutedUntil > now && mutedUntil - now <= longestMuteMs;

/** Whether a server time (Unix ms) lies in the quiet hours, by this computer's time of day. */
function isQuiet(hours: AlarmSettings['quietHours'], now: number): boolean {
  if (hours === null) return false;
  const time = new Date(now);
  const minute = time.getHours() * 60 + time.getMinutes();
  return hours.from <= hours.to
    ? minute >= hours.from && minute < hours.to
    : minute >= hours.from || minute < hours.to;
}

/** The alarms that sound: in quiet hours only emergencies. */
export const heardOf = (
  alarms: readonly Alarm[],
  { quietHours }: Pick<AlarmSettings, 'quietHours'>,
  now: number,
): readonly Alarm[] =>
  isQuiet(quietHours, now) ? alarms.filter(({ level }) => level === mostUrgent) : alarms;

/** What decides how an alarm sounds. */
type Sounding = Pick<Alarm, 'level' | 'kind' | 'severity'>;

/** What sounded last. */
export type Sounded = Pick<SirenState, 'sequence' | 'level' | 'kind' | 'severity'>;

/**
 * What sounds when these alarms come together: the most urgent one, once. A mute silences the sound; the alarms stay on
 * the screen.
 */
export function soundedAfter(before: Sounded, alarms: readonly Sounding[], muted: boolean): Sounded {
  const [first] = [...alarms].sort((a, b) => b.level - a.level);
  if (!first || muted) return before;
  const { level, kind, severity } = first;
  return { sequence: before.sequence + 1, level, kind, severity };
}

export interface SirenFacts {
  readonly sounded: Sounded;
  readonly unacknowledged: number;
  readonly worstSeverity: string | null;
  readonly mutedUntil: number | null;
  readonly settings: Pick<AlarmSettings, 'sound' | 'notifications'>;
}

/** The slice `siren`: the part that a locked console may show. */
export const sirenOf = ({ sounded, settings, ...rest }: SirenFacts): SirenState => ({
  ...sounded,
  ...rest,
  sound: settings.sound,
  notifications: settings.notifications,
});

/** Silence. The sequence stays as it is, so that a page does not take a lower number for a sound that it has played. */
export const silentAfter = ({ sequence }: Pick<SirenState, 'sequence'>): SirenState => ({
  ...sirenAtStart,
  sequence,
});
