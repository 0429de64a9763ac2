import type { CoordinateFormat, Position } from '../../../src-preload/contract/index.ts';
import { latitudeText, longitudeText, type Fineness } from './angles.ts';
import { toGrid } from './grid.ts';
import { formatMgrs, zoneName } from './mgrs.ts';

export { parsePosition, readCoordinates } from './parse.ts';

/**
 * A place (degrees, WGS 84) in one of the five formats; always in Western digits, written from left to right.
 * `full` is good to about a metre, `short` to about a hundred, for the rows of a list. Beyond 84° N and 80° S,
 * where UTM ends, `utm` is UPS with the letter of its half: `Z 2052066 1946830`.
 */
export function formatPosition(
  { latitude, longitude }: Position,
  format: CoordinateFormat,
  fineness: Fineness = 'full',
): string {
  const position = { latitude, longitude };
  switch (format) {
    case 'dd':
      return fineness === 'short'
        ? `${latitude.toFixed(3)}, ${longitude.toFixed(3)}`
        : `${latitudeText(latitude, 'dd')}, ${longitudeText(longitude, 'dd')}`;
    case 'dm':
    case 'dms':
      return `${latitudeText(latitude, format, fineness)}, ${longitudeText(longitude, format, fineness)}`;
    case 'utm': {
      const point = toGrid(position);
      const rounded = (metres: number): string => metres.toFixed(0).padStart(6, '0');
      return `${zoneName(point, latitude)} ${rounded(point.easting)} ${rounded(point.northing)}`;
    }
    case 'mgrs':
      return formatMgrs(position, fineness === 'full' ? 5 : 3);
  }
}

/** What is copied: as shown, but decimal degrees in the plain form that other programs take, with every digit known. */
export const copiedPosition = (position: Position, format: CoordinateFormat): string =>
  format === 'dd' ? `${position.latitude}, ${position.longitude}` : formatPosition(position, format);
