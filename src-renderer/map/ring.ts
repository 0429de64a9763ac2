/** A place: longitude and latitude in degrees. */
export type Corner = readonly [longitude: number, latitude: number];

/** As many corners as an area may have (contract/alarms.ts). */
export const mostCorners = 100;
export const leastCorners = 3;
/** Latitudes that the map can show, and longitudes that the contract takes. */
const mostLatitude = 85;
const mostLongitude = 540;

/**
 * A ring with one more corner. Longitudes run on across 180 degrees rather than jump: a corner is put
 * within half a turn of the one before it, so that the line between them is the one that was drawn.
 */
export function addCorner(ring: readonly Corner[], [longitude, latitude]: Corner): readonly Corner[] {
  if (ring.length >= mostCorners) return ring;
  const before = ring.at(-1);
  let placed = longitude;
  if (before !== undefined) {
    while (placed - before[0] > 180) placed -= 360;
    while (placed - before[0] < -180) placed += 360;
  }
  if (Math.abs(placed) > mostLongitude) return ring;
  const bounded = Math.max(-mostLatitude, Math.min(mostLatitude, latitude));
  if (before?.[0] === placed && before[1] === bounded) return ring;
  return [...ring, [placed, bounded]];
}

export const dropCorner = (ring: readonly Corner[]): readonly Corner[] => ring.slice(0, -1);

/** Whether the ring is an area. */
export const isArea = (ring: readonly Corner[]): boolean => ring.length >= leastCorners;

export interface ViewArea {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

const wrapped = (longitude: number): number => ((((longitude + 180) % 360) + 360) % 360) - 180;

/**
 * What a map shows as an area: longitudes within -180 to 180, west greater than east where it crosses
 * 180 degrees, the whole turn when the map shows the world once or more.
 */
export function viewArea({ west, south, east, north }: ViewArea): ViewArea {
  const latitudes = { south: Math.max(-90, south), north: Math.min(90, north) };
  if (east - west >= 360) return { west: -180, east: 180, ...latitudes };
  return { west: wrapped(west), east: east === 180 ? 180 : wrapped(east), ...latitudes };
}

/** The outline of a view as a ring. */
export const viewRing = ({ west, south, east, north }: ViewArea): readonly Corner[] => {
  const far = east < west ? east + 360 : east;
  return [
    [west, south],
    [far, south],
    [far, north],
    [west, north],
  ];
};
