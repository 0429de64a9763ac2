import type {
  Alarm,
  AlarmArea,
  AlarmKind,
  AlarmSettings,
  SirenState,
} from '../../../src-preload/contract/index.ts';
import { t, type MessageKey } from '../../i18n/index.ts';
import { messageText } from '../../base/messages.ts';
import { inLine, shortMoment, type Zone } from '../../base/format.ts';
import { extentText } from '../../base/mapText.ts';

export const kindWords: Readonly<Record<AlarmKind, MessageKey>> = {
  incident: 'alarms.kinds.incident',
  escalation: 'alarms.kinds.escalation',
  summary: 'alarms.kinds.summary',
  integration: 'alarms.kinds.integration',
  session: 'alarms.kinds.session',
  upload: 'alarms.kinds.upload',
  record: 'alarms.kinds.record',
  connection: 'alarms.kinds.connection',
  drone: 'alarms.kinds.drone',
};

export const leastWords: Readonly<Record<AlarmSettings['least'], MessageKey>> = {
  critical: 'alarms.least.critical',
  high: 'alarms.least.high',
  medium: 'alarms.least.medium',
  low: 'alarms.least.low',
  none: 'alarms.least.none',
};

export const notificationWords: Readonly<Record<AlarmSettings['notifications'], MessageKey>> = {
  off: 'alarms.notificationWords.off',
  brief: 'alarms.notificationWords.brief',
  details: 'alarms.notificationWords.details',
};

/** `Muted until 14:05 UTC`; null while nothing is muted. */
export function muteWords({ mutedUntil }: SirenState, now: number, zone: Zone): string | null {
  if (mutedUntil === null || mutedUntil <= now) return null;
  return t('alarms.mutedUntil', { time: shortMoment(mutedUntil, now, zone) });
}

/** What a locked console says of its alarms: `3 alarms, the worst critical`; null when there is none. */
export function lockWords({ unacknowledged, worstSeverity }: SirenState): string | null {
  if (unacknowledged === 0) return null;
  if (worstSeverity === null) return t('alarms.count', {}, unacknowledged);
  return t('alarms.countOne', { severity: inLine(worstSeverity) }, unacknowledged);
}

/** Kind and severity, and nothing that a passer-by may not read: `New incident, critical`. */
export function briefWords(kind: AlarmKind | null, severity: string | null): string {
  const what = t(kind === null ? 'alarms.kinds.any' : kindWords[kind]);
  return severity === null ? what : t('alarms.brief', { kind: what, severity: inLine(severity) });
}

/** A desktop notification's text. Details need the setting and an open console, which mirrors the alarms. */
export function notificationText(siren: SirenState, active: readonly Alarm[] | null): string {
  const brief = briefWords(siren.kind, siren.severity);
  if (siren.notifications !== 'details' || active === null) return brief;
  const newest = newestOf(active);
  return newest === null ? brief : messageText(newest.sentence);
}

/** The latest of the alarms that are not acknowledged; null when there is none. */
export const newestOf = (active: readonly Alarm[]): Alarm | null =>
  active.reduce<Alarm | null>((newest, one) => (newest === null || one.at > newest.at ? one : newest), null);

/** `Everywhere`, `Map view: 30.0° N – 50.0° N, …`, `Drawn area, 5 corners: …`. */
export function areaWords(area: AlarmArea): string {
  switch (area.kind) {
    case 'everywhere':
      return t('alarms.area.everywhere');
    case 'view':
      return extentText([area.west, area.south, area.east, area.north]);
    case 'polygon':
      return t('alarms.area.corners', { extent: extentText(extentOf(area.ring)) }, area.ring.length);
  }
}

function extentOf(ring: readonly (readonly [number, number])[]): [number, number, number, number] {
  const longitudes = ring.map(([longitude]) => longitude);
  const latitudes = ring.map(([, latitude]) => latitude);
  return [
    turned(Math.min(...longitudes)),
    Math.min(...latitudes),
    turned(Math.max(...longitudes)),
    Math.max(...latitudes),
  ];
}

/** A longitude within -180 to 180. */
const turned = (longitude: number): number => ((((longitude + 180) % 360) + 360) % 360) - 180;
