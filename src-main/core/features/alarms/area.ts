import type { AlarmArea } from '../../../../src-preload/contract/index.ts';

interface Place {
  /** Decimal degrees. */
  readonly latitude: number;
  readonly longitude: number;
}

type Point = readonly [longitude: number, latitude: number];

/** `degrees` in [0, 360). */
const turned = (degrees: number): number => ((degrees % 360) + 360) % 360;

/**
 * Whether a place lies in an area. An incident without a location counts as inside, since nothing proves the contrary.
 * Longitudes that differ by 360 degrees are the same, also in the area.
 */
export function isInside(area: AlarmArea, place: Place | null): boolean {
  if (place === null) return true;
  switch (area.kind) {
    case 'everywhere':
      return true;
    case 'view':
      return (
        place.latitude >= area.south &&
        place.latitude <= area.north &&
        isBetween(place.longitude, area.west, area.east)
      );
    case 'polygon':
      return isInRing(unrolled(area.ring), place);
  }
}

function isBetween(longitude: number, west: number, east: number): boolean {
  if (east - west >= 360) return true;
  return turned(longitude - west) <= turned(east - west);
}

/**
 * The ring with longitudes that continue beyond 180 degrees where it crosses them: each side takes the shorter way. A
 * ring around a pole is closed along the nearer pole.
 */
function unrolled(ring: readonly Point[]): readonly Point[] {
  const points: Point[] = [];
  let longitude = ring[0]?.[0] ?? 0;
  let latitudes = 0;
  for (const [to, latitude] of ring) {
    longitude += stepTo(longitude, to);
    latitudes += latitude;
    points.push([longitude, latitude]);
  }
  const first = points[0]?.[0] ?? 0;
  const end = longitude + stepTo(longitude, first);
  if (Math.abs(end - first) < 180) return points;
  const pole = latitudes >= 0 ? 90 : -90;
  return [...points, [end, points[0]?.[1] ?? 0], [end, pole], [first, pole]];
}

/** The shorter way from one longitude to another, in [-180, 180). */
const stepTo = (from: number, to: number): number => turned(to - from + 180) - 180;

function isInRing(ring: readonly Point[], { longitude, latitude }: Place): boolean {
  let [west, east] = [Infinity, -Infinity];
  for (const [x] of ring) {
    west = Math.min(west, x);
    east = Math.max(east, x);
  }
  for (let x = west + turned(longitude - west); x <= east; x += 360) {
    if (isLeftOfOddSides(ring, x, latitude)) return true;
  }
  return false;
}

/** The even-odd rule: a point is inside when a line to the east crosses an odd number of sides. */
function isLeftOfOddSides(ring: readonly Point[], x: number, y: number): boolean {
  let inside = false;
  let [fromX, fromY] = ring.at(-1) ?? [0, 0];
  for (const [toX, toY] of ring) {
    if (fromY > y !== toY > y && x < fromX + ((toX - fromX) * (y - fromY)) / (toY - fromY)) inside = !inside;
    [fromX, fromY] = [toX, toY];
  }
  return inside;
}
