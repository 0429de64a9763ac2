import type {
  Alarm,
  AlarmArea,
  AlarmKind,
  AlarmSettings,
  SirenState,
} from '../../src-preload/contract/index.ts';
import { counted, shortMoment, type Zone } from './format.ts';
import { extentText } from './mapWords.ts';

export const kindWords: Readonly<Record<AlarmKind, string>> = {
  incident: 'New incident',
  escalation: 'Incident escalated',
  summary: 'Incidents',
  integration: 'Integration down',
  session: 'Session ended',
  upload: 'Upload needs a decision',
};

export const leastWords: Readonly<Record<AlarmSettings['least'], string>> = {
  critical: 'Critical',
  high: 'High and above',
  medium: 'Medium and above',
  low: 'Low and above',
  none: 'None',
};

export const notificationWords: Readonly<Record<AlarmSettings['notifications'], string>> = {
  off: 'Off',
  brief: 'Kind and severity',
  details: 'With details',
};

/** `Muted until 14:05 UTC`; null while nothing is muted. */
export function muteWords({ mutedUntil }: SirenState, now: number, zone: Zone): string | null {
  if (mutedUntil === null || mutedUntil <= now) return null;
  return `Muted until ${shortMoment(mutedUntil, now, zone)}`;
}

/** What a locked console says of its alarms: `3 alarms, the worst critical`; null when there is none. */
export function lockWords({ unacknowledged, worstSeverity }: SirenState): string | null {
  if (unacknowledged === 0) return null;
  const alarms = counted(unacknowledged, 'alarm', 'alarms');
  if (worstSeverity === null) return alarms;
  return unacknowledged === 1 ? `${alarms}, ${worstSeverity}` : `${alarms}, the worst ${worstSeverity}`;
}

/** Kind and severity, and nothing that a passer-by may not read: `New incident, critical`. */
export function briefWords(kind: AlarmKind | null, severity: string | null): string {
  const what = kind === null ? 'Alarm' : kindWords[kind];
  return severity === null ? what : `${what}, ${severity}`;
}

/** A desktop notification's text. Details need the setting and an open console, which mirrors the alarms. */
export function notificationText(siren: SirenState, active: readonly Alarm[] | null): string {
  const brief = briefWords(siren.kind, siren.severity);
  if (siren.notifications !== 'details' || active === null) return brief;
  return newestOf(active)?.sentence ?? brief;
}

/** The latest of the alarms that are not acknowledged; null when there is none. */
export const newestOf = (active: readonly Alarm[]): Alarm | null =>
  active.reduce<Alarm | null>((newest, one) => (newest === null || one.at > newest.at ? one : newest), null);

/** `Everywhere`, `Map view: 30.0° N – 50.0° N, …`, `Drawn area, 5 corners: …`. */
export function areaWords(area: AlarmArea): string {
  switch (area.kind) {
    case 'everywhere':
      return 'Everywhere';
    case 'view':
      return extentText([area.west, area.south, area.east, area.north]);
    case 'polygon':
      return `${counted(area.ring.length, 'corner', 'corners')}, ${extentText(extentOf(area.ring))}`;
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
