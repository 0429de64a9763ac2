import { bearingDegrees, distanceMetres } from './sphere.ts';
import type { IncidentTable } from './table.ts';

/** Degrees, WGS 84. */
export interface Spot {
  readonly latitude: number;
  readonly longitude: number;
}

export type Direction = 'north' | 'east' | 'south' | 'west';

const headings: Readonly<Record<Direction, number>> = { north: 0, east: 90, south: 180, west: 270 };
/** How far a bearing may lie from the direction that was asked for, degrees. */
const halfSector = 60;

/**
 * The nearest of `rows` in a direction from a spot; -1 for none. Of the two that lie as near the lower key is
 * taken. What lies well to the side counts as farther: an arrow should lead where it points.
 */
export function neighbourTowards(
  table: IncidentTable,
  rows: Uint32Array,
  from: Spot,
  direction: Direction,
): number {
  const { latitude, longitude, key } = table.columns;
  let best = -1;
  let least = Infinity;
  for (const row of rows) {
    const [lat, lon] = [latitude[row] as number, longitude[row] as number];
    if (lat !== lat || (lat === from.latitude && lon === from.longitude)) continue;
    const metres = distanceMetres(from.latitude, from.longitude, lat, lon);
    if (metres > least) continue;
    const off = turnBetween(bearingDegrees(from.latitude, from.longitude, lat, lon), headings[direction]);
    if (off > halfSector) continue;
    const cost = metres / Math.cos((off * Math.PI) / 180);
    if (cost > least || (cost === least && best >= 0 && (key[row] as number) > (key[best] as number)))
      continue;
    least = cost;
    best = row;
  }
  return best;
}

/**
 * The next of `rows` outwards or inwards by distance from a spot, where the walk began, beside the one whose
 * key is `at`; with `at` null the walk begins with the nearest. Equal distances go by key. -1 at either end.
 */
export function neighbourByDistance(
  table: IncidentTable,
  rows: Uint32Array,
  origin: Spot,
  at: number | null,
  way: 'outwards' | 'inwards',
): number {
  const { latitude, longitude, key } = table.columns;
  const metresTo = (row: number): number =>
    distanceMetres(origin.latitude, origin.longitude, latitude[row] as number, longitude[row] as number);
  const atRow = at === null ? -1 : table.indexOfKey(at);
  const sign = way === 'outwards' ? 1 : -1;
  const start = atRow < 0 || Number.isNaN(metresTo(atRow)) ? -Infinity : metresTo(atRow);
  if (start === -Infinity && way === 'inwards') return -1;
  /** Whether the first comes before the second on this way. */
  const before = (metresA: number, keyA: number, metresB: number, keyB: number): boolean =>
    metresA === metresB ? (keyA - keyB) * sign < 0 : (metresA - metresB) * sign < 0;
  let best = -1;
  let [bestMetres, bestKey] = [0, 0];
  for (const row of rows) {
    const metres = metresTo(row);
    const rowKey = key[row] as number;
    if (metres !== metres || !before(start, at ?? -1, metres, rowKey)) continue;
    if (best >= 0 && !before(metres, rowKey, bestMetres, bestKey)) continue;
    [best, bestMetres, bestKey] = [row, metres, rowKey];
  }
  return best;
}

export const compassPoints = ['n', 'ne', 'e', 'se', 's', 'sw', 'w', 'nw'] as const;
export type CompassPoint = (typeof compassPoints)[number];

/** The nearest of eight points of the compass, and metres; what lies in the same place has no direction. */
export function offsetBetween(
  from: Spot,
  to: Spot,
): { readonly metres: number; readonly point: CompassPoint | null } {
  const metres = distanceMetres(from.latitude, from.longitude, to.latitude, to.longitude);
  if (metres < 1) return { metres, point: null };
  const bearing = bearingDegrees(from.latitude, from.longitude, to.latitude, to.longitude);
  return { metres, point: compassPoints[Math.round(bearing / 45) % 8] ?? null };
}

const turnBetween = (a: number, b: number): number => {
  const turn = Math.abs(a - b) % 360;
  return turn > 180 ? 360 - turn : turn;
};
