import type { LengthUnits } from '../../src-preload/contract/index.ts';
import { t, type MessageKey } from '../i18n/index.ts';
import { locale } from './format.ts';

interface Unit {
  /** Metres, or square metres, that make one. */
  readonly size: number;
  /** From how many metres on it is used. */
  readonly from: number;
  readonly key: MessageKey;
}

/** Per system the largest first; the last takes what is left. */
const lengths: Readonly<Record<LengthUnits, readonly [...Unit[], Unit]>> = {
  metric: [
    { size: 1_000, from: 1_000, key: 'coordinates.units.km' },
    { size: 1, from: 0, key: 'coordinates.units.m' },
  ],
  imperial: [
    { size: 1_609.344, from: 1_609.344, key: 'coordinates.units.mi' },
    { size: 0.3048, from: 0, key: 'coordinates.units.ft' },
  ],
  nautical: [
    { size: 1_852, from: 185.2, key: 'coordinates.units.nm' },
    { size: 1, from: 0, key: 'coordinates.units.m' },
  ],
};
const areas: Readonly<Record<LengthUnits, readonly [...Unit[], Unit]>> = {
  metric: [
    { size: 1e6, from: 1e5, key: 'coordinates.units.km2' },
    { size: 1, from: 0, key: 'coordinates.units.m2' },
  ],
  imperial: [
    { size: 1_609.344 ** 2, from: 1_609.344 ** 2, key: 'coordinates.units.mi2' },
    { size: 4_046.856_422_4, from: 4_046.856_422_4, key: 'coordinates.units.acres' },
    { size: 0.3048 ** 2, from: 0, key: 'coordinates.units.ft2' },
  ],
  nautical: [
    { size: 1_852 ** 2, from: 1_852 ** 2 / 100, key: 'coordinates.units.nm2' },
    { size: 1, from: 0, key: 'coordinates.units.m2' },
  ],
};

/** `850 m`, `2.35 km`, `1,204 km`; `920 ft`, `14.6 mi`; `0.85 NM`: three figures, whole ones from 100 on. */
export const lengthText = (metres: number, units: LengthUnits): string => measured(metres, lengths[units]);

/** `12 km`, `8 mi`, `6 NM`: as far as a place that has a name is away, in whole units, one at least. */
export function wholeLength(metres: number, units: LengthUnits): string {
  const [{ size, key }] = lengths[units];
  const value = Math.max(1, Math.round(metres / size));
  return t(key, { value: number(value, 0) }, value);
}

/** `850 m²`, `2.35 km²`; `0.85 acres`, `14.6 mi²`; `0.85 NM²`. */
export const areaText = (squareMetres: number, units: LengthUnits): string =>
  measured(squareMetres, areas[units]);

/** `1,204 m`, `3,950 ft`: heights are in metres at sea as well. */
export function heightText(metres: number, units: LengthUnits): string {
  const feet = units === 'imperial';
  const value = feet ? metres / 0.3048 : metres;
  return t(feet ? 'coordinates.units.ft' : 'coordinates.units.m', { value: number(value, feet ? 0 : 1) });
}

/** `047°`, of degrees; a bearing is spoken in three figures. */
export const bearingText = (degrees: number): string =>
  `${String(Math.round(degrees) % 360).padStart(3, '0')}°`;

function measured(amount: number, units: readonly [...Unit[], Unit]): string {
  const unit = units.find(({ from }) => amount >= from) ?? (units.at(-1) as Unit);
  const value = amount / unit.size;
  const digits = unit.size === 1 ? 0 : decimals(value);
  // The plural is that of what is written: 1 acre, not 1.001 acres.
  return t(unit.key, { value: number(value, digits) }, Number(value.toFixed(digits)));
}

function decimals(value: number): number {
  if (value >= 99.95) return 0;
  return value >= 9.995 ? 1 : 2;
}

const number = (value: number, maximumFractionDigits: number): string =>
  new Intl.NumberFormat(locale.value, { maximumFractionDigits }).format(value);
