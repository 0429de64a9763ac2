import type { Alarm, SirenState } from '../../../../src-preload/contract/index.ts';
import { markOf } from '../../../base/severities.ts';
import type { SirenLevel } from './tones.ts';

/** How long after its last sound the most urgent level sounds again, in milliseconds. */
export const repeatMs = 10_000;

/** What this page has already let be heard. */
export interface Heard {
  /** The last alarm counted; one that was there when the page came is not announced again. */
  readonly sequence: number;
  /** When something last sounded, on a clock that only grows; null when nothing did. */
  readonly at: number | null;
}

export interface SirenMoment {
  readonly siren: SirenState;
  /** Null while the console is locked, when no alarm is mirrored. */
  readonly active: readonly Alarm[] | null;
  readonly heard: Heard;
  /** Server time, which `mutedUntil` is in. */
  readonly serverNow: number;
  /** The clock of `heard.at`. */
  readonly at: number;
}

export const isMuted = ({ mutedUntil }: SirenState, serverNow: number): boolean =>
  mutedUntil !== null && mutedUntil > serverNow;

/** Whether an alarm of the most urgent level waits to be acknowledged. */
export function isUrgent(siren: SirenState, active: readonly Alarm[] | null): boolean {
  if (active !== null) return active.some(({ level }) => level === 3);
  // Locked, only the latest level and the worst severity are known.
  const worst = siren.worstSeverity === null ? null : markOf(siren.worstSeverity);
  return siren.unacknowledged > 0 && (siren.level === 3 || worst === 'critical' || worst === 'unknown');
}

/**
 * Which pattern is to sound now; null for none. Each alarm sounds once, unless it was acknowledged before
 * it could; the most urgent sounds again and again.
 */
export function soundDue({ siren, active, heard, serverNow, at }: SirenMoment): SirenLevel | null {
  if (!siren.sound || isMuted(siren, serverNow)) return null;
  if (siren.sequence > heard.sequence && siren.unacknowledged > 0) return levelOf(siren.level);
  const rested = heard.at === null || at - heard.at >= repeatMs;
  return rested && isUrgent(siren, active) ? 3 : null;
}

/** Level 0 is that of no alarm yet; a sound that was asked for is never swallowed. */
const levelOf = (level: number): SirenLevel => (level >= 3 ? 3 : level === 2 ? 2 : 1);
