import type { Corner } from '../../map/ring.ts';

/** Longitudes and latitudes; the longitudes those of the map, which may lie beyond 180 degrees. */
export interface Box {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** The multiples of a step from one value to another, at most 400. */
export function multiples(from: number, to: number, step: number): readonly number[] {
  const first = Math.ceil(from / step);
  const count = Math.max(0, Math.min(400, Math.floor(to / step) - first + 1));
  return Array.from({ length: count }, (_, at) => (first + at) * step);
}

/** So many equal pieces of a span: their ends, first and last included. */
export const steps = (from: number, to: number, pieces: number): readonly number[] =>
  Array.from({ length: pieces + 1 }, (_, at) => from + ((to - from) * at) / pieces);

/** The middles of the 100 km intervals, each as far as the span goes. */
export function parts([from, to]: readonly [number, number]): readonly number[] {
  const edges = [from, ...multiples(from, to, 100_000), to];
  return edges.slice(1).flatMap((edge, at) => {
    const before = edges[at] ?? edge;
    return edge - before > 1 ? [(before + edge) / 2] : [];
  });
}

export const inside = ([longitude, latitude]: Corner, { west, south, east, north }: Box): boolean =>
  longitude >= west && longitude <= east && latitude >= south && latitude <= north;

/** The parts of a line that lie in a box. */
export function clipped(points: readonly Corner[], box: Box): readonly (readonly Corner[])[] {
  const found: Corner[][] = [];
  let open: Corner[] = [];
  for (let at = 1; at < points.length; at += 1) {
    const segment = clippedSegment(points[at - 1] as Corner, points[at] as Corner, box);
    if (segment === null) continue;
    const [from, to] = segment;
    const last = open.at(-1);
    if (last?.[0] !== from[0] || last[1] !== from[1]) {
      open = [from];
      found.push(open);
    }
    open.push(to);
  }
  return found;
}

/** Liang and Barsky: the part of one segment within a box, null for none. */
function clippedSegment(a: Corner, b: Corner, box: Box): readonly [Corner, Corner] | null {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  let [enters, leaves] = [0, 1];
  const bounds: readonly (readonly [number, number])[] = [
    [-dx, a[0] - box.west],
    [dx, box.east - a[0]],
    [-dy, a[1] - box.south],
    [dy, box.north - a[1]],
  ];
  for (const [direction, room] of bounds) {
    if (direction === 0) {
      if (room < 0) return null;
      continue;
    }
    const share = room / direction;
    if (direction < 0) enters = Math.max(enters, share);
    else leaves = Math.min(leaves, share);
  }
  if (enters >= leaves) return null;
  const at = (share: number): Corner => [a[0] + dx * share, a[1] + dy * share];
  return [enters === 0 ? a : at(enters), leaves === 1 ? b : at(leaves)];
}

/** The figures of a line among those of a square of 100 km: `7` of lines every 10 km, `07` of every km. */
export const figureOf = (metres: number, spacing: number): string =>
  String(Math.floor((metres % 100_000) / spacing)).padStart(spacing === 10_000 ? 1 : 2, '0');
