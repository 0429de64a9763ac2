import type { DronesState, Position } from '../../../src-preload/contract/index.ts';
import { ago, clockTime, tally, locale, type Zone } from '../../base/format.ts';
import { inverse } from '../../base/geodesy.ts';
import { bearingText } from '../../base/units.ts';
import { t } from '../../i18n/index.ts';
import type { Drone } from '../../table/droneTable.ts';
import type { DroneSort } from '../../base/droneOrder.ts';

/** Younger than this a position is one of now: to say how old each is would only flicker. Milliseconds. */
const nowMs = 10_000;

/** `now`, `12 s ago`; of a screen that stands still the time, since nothing on it is of now. */
export function ageWords(at: number, now: number, still: Zone | null = null): string {
  if (still !== null) return clockTime(at, still);
  return now - at < nowMs ? t('drones.now') : ago(at, now);
}

/** A figure whose unit is not specified, as it came. */
export const plainFigure = (value: number): string =>
  new Intl.NumberFormat(locale.value, { maximumFractionDigits: 1 }).format(value);

/** `2.35 km, bearing 047° true`; null without a station. */
export function rangeWords(
  drone: Drone,
  station: Position | null,
  length: (metres: number) => string,
): string | null {
  if (station === null) return null;
  const { metres, bearing } = inverse(station, drone);
  if (metres < 1) return t('coordinates.place.here');
  return t('coordinates.place.range', { range: length(metres), bearing: bearingText(bearing) });
}

/** What a row says beside a drone's name: that it is silent, how far it is, where it is heading. */
export function rowWords(
  drone: Drone,
  {
    silent,
    range,
    sort,
  }: { readonly silent: boolean; readonly range: string | null; readonly sort: DroneSort },
): readonly string[] {
  const { heading, speed } = drone;
  return [
    ...(silent ? [t('drones.silent')] : []),
    ...(sort === 'speed' && speed !== null ? [t('drones.speedOf', { value: plainFigure(speed) })] : []),
    ...(range === null ? [] : [range]),
    ...(heading === null ? [] : [t('drones.headingOf', { bearing: bearingText(heading) })]),
  ];
}

/** `24 drones`, `24 drones, 2 silent`. */
export const countWords = ({ known, silent }: Pick<DronesState, 'known' | 'silent'>): string =>
  tally([t('drones.count', {}, known), ...(silent === 0 ? [] : [t('drones.silentCount', {}, silent)])]);

/** Why no drone is known, and what that means. */
export function emptyWords(empty: NonNullable<DronesState['empty']>): {
  readonly title: string;
  readonly text: string;
} {
  switch (empty) {
    case 'off':
      return { title: t('drones.empty.off'), text: t('drones.empty.offMeans') };
    case 'no-stream':
      return { title: t('drones.empty.noStream'), text: t('drones.empty.noStreamMeans') };
    case 'stream-away':
      return { title: t('drones.empty.streamAway'), text: t('drones.empty.streamAwayMeans') };
    case 'none-yet':
      return { title: t('drones.empty.noneYet'), text: t('drones.empty.noneYetMeans') };
    case 'none-left':
      return { title: t('drones.empty.noneLeft'), text: t('drones.empty.noneLeftMeans') };
  }
}
