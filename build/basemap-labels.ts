import { stepsOf, type Line, type Point, type Polygon } from './basemap-geometry.ts';

/** The area of a polygon on the sphere, up to a constant factor: ranks countries, nothing more. */
export function polygonArea(polygon: Polygon): number {
  return polygon.reduce((sum, ring, at) => sum + (at === 0 ? 1 : -1) * Math.abs(ringArea(ring)), 0);
}

function ringArea(ring: Line): number {
  let area = 0;
  for (const [[lng, lat], [nextLng, nextLat]] of stepsOf(ring)) {
    area += radians(nextLng - lng) * (2 + Math.sin(radians(lat)) + Math.sin(radians(nextLat)));
  }
  return area / 2;
}

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/**
 * The point farthest from a polygon's edges, where a name lies inside its country: a search over a
 * grid that is refined around its best cell. Distances are measured with longitude shrunk to the
 * polygon's middle latitude and doubled in weight across, because names are wider than high.
 */
export function labelPoint(polygon: Polygon): Point {
  const [outer = []] = polygon;
  const lngs = outer.map(([lng]) => lng);
  const lats = outer.map(([, lat]) => lat);
  let [west, east] = [Math.min(...lngs), Math.max(...lngs)];
  let [south, north] = [Math.min(...lats), Math.max(...lats)];
  const shrink = Math.cos(radians((south + north) / 2)) / 1.4;
  let best: { readonly point: Point; readonly distance: number } = {
    point: [(west + east) / 2, (south + north) / 2],
    distance: -Infinity,
  };
  for (let round = 0; round < 6; round += 1) {
    const steps = 10;
    const stepLng = (east - west) / steps;
    const stepLat = (north - south) / steps;
    for (let column = 0; column <= steps; column += 1) {
      for (let row = 0; row <= steps; row += 1) {
        const point: Point = [west + column * stepLng, south + row * stepLat];
        const distance = signedDistance(point, polygon, shrink);
        if (distance > best.distance) best = { point, distance };
      }
    }
    [west, east] = [best.point[0] - stepLng, best.point[0] + stepLng];
    [south, north] = [best.point[1] - stepLat, best.point[1] + stepLat];
  }
  return best.point;
}

/** Distance to the nearest edge, negative outside. */
function signedDistance([lng, lat]: Point, polygon: Polygon, shrink: number): number {
  let inside = false;
  let nearest = Infinity;
  for (const ring of polygon) {
    for (const [[ax, ay], [bx, by]] of stepsOf(ring)) {
      if (ay > lat !== by > lat && lng < ((bx - ax) * (lat - ay)) / (by - ay) + ax) inside = !inside;
      nearest = Math.min(
        nearest,
        segmentDistance((lng - ax) * shrink, lat - ay, (bx - ax) * shrink, by - ay),
      );
    }
  }
  return inside ? nearest : -nearest;
}

function segmentDistance(x: number, y: number, dx: number, dy: number): number {
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : Math.max(0, Math.min(1, (x * dx + y * dy) / length));
  return Math.hypot(x - dx * share, y - dy * share);
}
