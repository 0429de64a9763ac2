/** Mean radius of the Earth in metres. */
const radius = 6_371_008.8;
const radians = Math.PI / 180;

/**
 * Metres between two places, degrees, on a sphere: within 0.6 % of the ellipsoid's. For ordering and for
 * "within about": what is said as a range is the geodesic's (base/geodesy).
 */
export function distanceMetres(
  latitudeA: number,
  longitudeA: number,
  latitudeB: number,
  longitudeB: number,
): number {
  const up = Math.sin(((latitudeB - latitudeA) * radians) / 2);
  const across = Math.sin(((longitudeB - longitudeA) * radians) / 2);
  const h = up * up + Math.cos(latitudeA * radians) * Math.cos(latitudeB * radians) * across * across;
  return 2 * radius * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** Direction from one place to another at its beginning, degrees from true north, clockwise, 0 up to 360. */
export function bearingDegrees(
  latitudeA: number,
  longitudeA: number,
  latitudeB: number,
  longitudeB: number,
): number {
  const turn = (longitudeB - longitudeA) * radians;
  const [a, b] = [latitudeA * radians, latitudeB * radians];
  const east = Math.sin(turn) * Math.cos(b);
  const north = Math.cos(a) * Math.sin(b) - Math.sin(a) * Math.cos(b) * Math.cos(turn);
  return (Math.atan2(east, north) / radians + 360) % 360;
}
