import proj4 from 'proj4';
import type { Position } from '../../../src-preload/contract/index.ts';

/** A point of the universal grids, in metres: UTM between 80° S and 84° N, UPS beyond. */
export type GridPoint =
  | {
      readonly grid: 'utm';
      readonly zone: number;
      readonly north: boolean;
      readonly easting: number;
      readonly northing: number;
    }
  | { readonly grid: 'ups'; readonly north: boolean; readonly easting: number; readonly northing: number };

/** Latitudes from which on the polar grid takes over (NGA.STND.0037, The Universal Grids). */
export const utmSouth = -80;
export const utmNorth = 84;

/** Northing of the equator as the southern hemisphere counts it. */
const southernNorthing = 10_000_000;

// One projection for all zones: a zone's is the same, seen from its own central meridian.
const mercator = proj4(
  '+proj=tmerc +lat_0=0 +lon_0=0 +k=0.9996 +x_0=500000 +y_0=0 +ellps=WGS84 +units=m +no_defs',
);
const upsOf = (pole: number) =>
  proj4(
    `+proj=stere +lat_0=${pole} +lon_0=0 +k=0.994 +x_0=2000000 +y_0=2000000 +ellps=WGS84 +units=m +no_defs`,
  );
const upsNorth = upsOf(90);
const upsSouth = upsOf(-90);

/** Noise of the last bits would put a point on the far side of a grid line. */
const micrometres = (metres: number): number => Math.round(metres * 1e6) / 1e6;

/** Degrees within [-180, 180). */
export const wrapLongitude = (degrees: number): number => {
  const turned = (((degrees + 180) % 360) + 360) % 360;
  return turned - 180;
};

export const centralMeridian = (zone: number): number => zone * 6 - 183;

/** The UTM zone of a place, 1 to 60: 32V reaches west over Norway, and around Svalbard 32X, 34X and 36X give way. */
export function zoneOf({ latitude, longitude }: Position): number {
  const east = wrapLongitude(longitude);
  const zone = Math.floor((east + 180) / 6) + 1;
  if (latitude >= 56 && latitude < 64 && zone === 31 && east >= 3) return 32;
  if (latitude >= 72 && latitude < utmNorth && east >= 0 && east < 42) {
    if (east < 9) return 31;
    if (east < 21) return 33;
    return east < 33 ? 35 : 37;
  }
  return zone;
}

/** Where a place lies on the universal grids. */
export function toGrid(position: Position): GridPoint {
  const { latitude, longitude } = position;
  if (latitude < utmSouth || latitude >= utmNorth) {
    const north = latitude > 0;
    const [easting, northing] = (north ? upsNorth : upsSouth).forward([wrapLongitude(longitude), latitude]);
    return { grid: 'ups', north, easting: micrometres(easting), northing: micrometres(northing) };
  }
  const zone = zoneOf(position);
  return { grid: 'utm', zone, north: latitude >= 0, ...toZone(position, zone) };
}

/** Easting and northing of a place as a given zone counts them, also a little beyond its edges. */
export function toZone(
  { latitude, longitude }: Position,
  zone: number,
): { readonly easting: number; readonly northing: number } {
  const from = wrapLongitude(longitude - centralMeridian(zone));
  const [easting, northing] = mercator.forward([from, latitude]);
  return {
    easting: micrometres(easting),
    northing: micrometres(latitude >= 0 ? northing : northing + southernNorthing),
  };
}

/** Metres between a pole and a latitude of its half, as the polar grid counts them; also beyond its edge. */
export function polarRadius(latitude: number): number {
  const [easting] = upsNorth.forward([90, Math.abs(latitude)]);
  return easting - 2_000_000;
}

/** The place of a grid point; longitude within [-180, 180). Finite whatever the metres. */
export function fromGrid(point: GridPoint): Position {
  if (point.grid === 'ups') {
    const { north, easting, northing } = point;
    // The pole itself has every longitude, and the projection none.
    if (easting === 2_000_000 && northing === 2_000_000) return { latitude: north ? 90 : -90, longitude: 0 };
    const [longitude, latitude] = (north ? upsNorth : upsSouth).inverse([easting, northing]);
    return { latitude, longitude: wrapLongitude(longitude) };
  }
  const { zone, north, easting, northing } = point;
  const [from, latitude] = mercator.inverse([easting, north ? northing : northing - southernNorthing]);
  return { latitude, longitude: wrapLongitude(from + centralMeridian(zone)) };
}
