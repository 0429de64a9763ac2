import type { LengthUnits, NearbyPlace } from '../../../src-preload/contract/index.ts';
import { t } from '../../i18n/index.ts';
import { wholeLength } from '../../base/units.ts';

/** `12 km NW of Vienna, AT`, or `near Vienna, AT`. */
export function nearbyText({ town: name, country, metres, from }: NearbyPlace, units: LengthUnits): string {
  const town = country === '' ? name : `${name}, ${country}`;
  return from === null
    ? t('coordinates.nearby.beside', { town })
    : t(`coordinates.nearby.${from}`, { distance: wholeLength(metres, units), town });
}
