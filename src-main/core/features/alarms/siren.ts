import type { Alarm, AlarmSettings, SirenState } from '../../../../src-preload/contract/index.ts';
import { sirenAtStart } from './alarmsState.ts';

/** The longest mute that can be asked for, milliseconds. */
const longestMuteMs = 60 * 60_000;

/**
 * Whether a mute holds. One that would last longer than any that can be asked for was timed by a
 * clock since corrected: then it is over, since an alarm too many is better than one too few.
 */
export const isMuted = (mutedUntil: number | null, now: number): boolean =>
  mutedUntil !== null && mutedUntil > now && mutedUntil - now <= longestMuteMs;

/** What of an alarm is heard. */
type Sounding = Pick<Alarm, 'level' | 'kind' | 'severity'>;

/** What sounded last. */
export type Sounded = Pick<SirenState, 'sequence' | 'level' | 'kind' | 'severity'>;

/**
 * What sounds when these alarms come at once: the most urgent of them, one time. A mute keeps it
 * silent, and the alarms stay to be seen.
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

/** The slice `siren`: what a locked console may show. */
export const sirenOf = ({ sounded, settings, ...rest }: SirenFacts): SirenState => ({
  ...sounded,
  ...rest,
  sound: settings.sound,
  notifications: settings.notifications,
});

/** Silent again; the sequence goes on, so that a page does not take a lower number for one it has heard. */
export const silentAfter = ({ sequence }: Pick<SirenState, 'sequence'>): SirenState => ({
  ...sirenAtStart,
  sequence,
});
