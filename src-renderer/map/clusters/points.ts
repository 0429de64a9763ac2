/** What the map needs of the shown incidents that have a location; all arrays have `length` entries. */
export interface PointColumns {
  readonly length: number;
  readonly key: Uint32Array<ArrayBuffer>;
  /** Decimal degrees. */
  readonly longitude: Float64Array<ArrayBuffer>;
  readonly latitude: Float64Array<ArrayBuffer>;
  /** Of the severity's mark, the worst the greatest (table/severity.ts). */
  readonly rank: Uint8Array<ArrayBuffer>;
  /** 1 for an incident that the service no longer returns. */
  readonly gone: Uint8Array<ArrayBuffer>;
  /** 1 for an incident that is open, 0 for one that is over. */
  readonly open: Uint8Array<ArrayBuffer>;
}

/** The same in Web Mercator: 0..1 from west to east and from north to south. */
export interface MapPoints {
  readonly length: number;
  readonly key: Uint32Array;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly rank: Uint8Array;
  readonly gone: Uint8Array;
  readonly open: Uint8Array;
}

/** [west, south, east, north] in degrees; east is over 180 where the box crosses the antimeridian. */
export type Bounds = readonly [number, number, number, number];

export function projectPoints({
  length,
  key,
  longitude,
  latitude,
  rank,
  gone,
  open,
}: PointColumns): MapPoints {
  const x = new Float64Array(length);
  const y = new Float64Array(length);
  for (let point = 0; point < length; point += 1) {
    x[point] = wrapped((longitude[point] as number) / 360 + 0.5);
    y[point] = mercatorY(latitude[point] as number);
  }
  return { length, key, x, y, rank, gone, open };
}

/**
 * Turns around the world as a place in 0..1, 1 itself excluded: a hair west of the antimeridian
 * rounds to 1, and a mark there would lie on no tile and be lost.
 */
export function wrapped(turns: number): number {
  const x = turns - Math.floor(turns);
  return x < 1 ? x : 0;
}

/** Some of the points, in the order of `chosen`. */
export function pick({ key, x, y, rank, gone, open }: MapPoints, chosen: readonly number[]): MapPoints {
  return {
    length: chosen.length,
    key: Uint32Array.from(chosen, (point) => key[point] as number),
    x: Float64Array.from(chosen, (point) => x[point] as number),
    y: Float64Array.from(chosen, (point) => y[point] as number),
    rank: Uint8Array.from(chosen, (point) => rank[point] as number),
    gone: Uint8Array.from(chosen, (point) => gone[point] as number),
    open: Uint8Array.from(chosen, (point) => open[point] as number),
  };
}

/** Latitudes past the map's edge (85.05 degrees) are drawn on it: an incident at the pole stays reachable. */
export function mercatorY(latitude: number): number {
  const sine = Math.sin((latitude * Math.PI) / 180);
  const y = 0.5 - (0.25 * Math.log((1 + sine) / (1 - sine))) / Math.PI;
  return Math.min(1 - 1e-9, Math.max(0, y));
}

/** Degrees. */
export const longitudeOf = (x: number): number => (x - 0.5) * 360;

/** Degrees. */
export function latitudeOf(y: number): number {
  return (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;
}

const bins = 720;

/**
 * The smallest box around points: it leaves out the widest empty stretch of longitude, so that
 * incidents on both sides of the antimeridian are shown together and not from around the world.
 * Null when there are none.
 */
export function boundsOf(points: Pick<MapPoints, 'length' | 'x' | 'y'>): Bounds | null {
  const west = new Float64Array(bins).fill(Infinity);
  const east = new Float64Array(bins).fill(-Infinity);
  let north = Infinity;
  let south = -Infinity;
  for (let point = 0; point < points.length; point += 1) {
    const x = points.x[point] as number;
    const y = points.y[point] as number;
    const bin = Math.min(bins - 1, Math.floor(x * bins));
    if (x < (west[bin] as number)) west[bin] = x;
    if (x > (east[bin] as number)) east[bin] = x;
    if (y < north) north = y;
    if (y > south) south = y;
  }
  if (south < 0) return null;
  const filled = [...west.keys()].filter((bin) => (west[bin] as number) <= 1);
  let widest = -1;
  let start = 0;
  filled.forEach((bin, at) => {
    const next = filled[(at + 1) % filled.length] as number;
    const wrapped = at + 1 === filled.length ? 1 : 0;
    const gap = (west[next] as number) + wrapped - (east[bin] as number);
    if (gap > widest) {
      widest = gap;
      start = next;
    }
  });
  const from = west[start] as number;
  return [longitudeOf(from), latitudeOf(south), longitudeOf(from + 1 - widest), latitudeOf(north)];
}
