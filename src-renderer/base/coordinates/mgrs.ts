import type { Position } from '../../../src-preload/contract/index.ts';
import { fromGrid, toGrid, toZone, type GridPoint } from './grid.ts';

/** Bands of 8 degrees from 80° S on; X has 12. */
const bands = 'CDEFGHJKLMNPQRSTUVWX';
/** The letters of 100 km squares; I and O would be taken for digits. */
const rowLetters = 'ABCDEFGHJKLMNPQRSTUV';
const columnLetters = 'ABCDEFGHJKLMNPQRSTUVWXYZ';
/** Polar columns leave out what a zone's column could be mistaken for (NGA.STND.0037, UPS). */
const polarColumns = 'ABCFGHJKLPQRSTUXYZ';

const square = 100_000;
/** Rows repeat after this many metres of northing. */
const rowCycle = 2_000_000;
/** A square on a band's edge belongs to both bands: degrees of latitude that a square may reach beyond its own. */
const bandSlack = 1;

/** The letter of the 8 degree band, for latitudes of UTM. */
export function bandOf(latitude: number): string {
  const at = Math.floor((latitude + 80) / 8);
  // A hair south of the equator is lost in the sum, but not the hemisphere.
  return bands[Math.max(0, Math.min(latitude < 0 ? 9 : 19, at))] ?? 'X';
}

/** The latitudes of a band's lower and upper edge; null for what is no band. */
export function bandEdges(band: string): readonly [south: number, north: number] | null {
  const at = bands.indexOf(band);
  if (at < 0 || band.length !== 1) return null;
  return [at * 8 - 80, band === 'X' ? 84 : at * 8 - 72];
}

/** `32V`, or `Z` for a polar point. */
export function zoneName(point: GridPoint, latitude: number): string {
  if (point.grid === 'utm') return `${point.zone}${bandOf(latitude)}`;
  const east = point.easting >= 2_000_000;
  if (point.north) return east ? 'Z' : 'Y';
  return east ? 'B' : 'A';
}

/** The two letters of the 100 km square that a grid point lies in. */
export function squareLetters(point: GridPoint): string {
  const column = Math.floor(point.easting / square);
  const row = Math.floor(point.northing / square);
  if (point.grid === 'ups') {
    const letters = polarColumns[column < 20 ? column - 2 : column - 20];
    return `${letters ?? '?'}${columnLetters[row - firstPolarRow(point.north)] ?? '?'}`;
  }
  const letters = columnLetters[((point.zone - 1) % 3) * 8 + column - 1];
  return `${letters ?? '?'}${rowLetters[(row + (point.zone % 2 === 0 ? 5 : 0)) % 20] ?? '?'}`;
}

/** The rows of UPS are lettered from here, in squares of 100 km. */
const firstPolarRow = (north: boolean): number => (north ? 13 : 8);

/**
 * A place in MGRS: `32V NM 97423 43460`. `digits` for each of easting and northing, 0 to 5 (5: a metre). As the
 * standard has it, digits are cut off, not rounded: the reference names the square that the place lies in.
 */
export function formatMgrs(position: Position, digits: number): string {
  const point = toGrid(position);
  const part = (metres: number): string =>
    String(Math.floor(metres % square))
      .padStart(5, '0')
      .slice(0, digits);
  const numbers = digits === 0 ? '' : ` ${part(point.easting)} ${part(point.northing)}`;
  return `${zoneName(point, position.latitude)} ${squareLetters(point)}${numbers}`;
}

const reference = /^(?:(\d{1,2})([C-HJ-NP-X])|([ABYZ]))([A-HJ-NP-Z])([A-HJ-NP-Z])(\d*)$/;

/** The middle of the square that an MGRS reference names; without spaces, in capitals. Null for what is none. */
export function parseMgrs(text: string): Position | null {
  const match = reference.exec(text);
  if (match === null) return null;
  const [, zoneText, band, polar, column = '', row = '', digits = ''] = match;
  if (digits.length > 10 || digits.length % 2 !== 0) return null;
  const half = digits.length / 2;
  const size = square / 10 ** half;
  const within = {
    east: Number(digits.slice(0, half)) * size + size / 2,
    north: Number(digits.slice(half)) * size + size / 2,
  };
  return polar === undefined
    ? inZone({ zone: Number(zoneText), band: band ?? '', column, row, within })
    : inPolarZone({ letter: polar, column, row, within });
}

interface Within {
  readonly east: number;
  readonly north: number;
}

function inZone(parts: {
  readonly zone: number;
  readonly band: string;
  readonly column: string;
  readonly row: string;
  readonly within: Within;
}): Position | null {
  const { zone, band, within } = parts;
  const edges = bandEdges(band);
  if (zone < 1 || zone > 60 || edges === null) return null;
  if (band === 'X' && (zone === 32 || zone === 34 || zone === 36)) return null;
  const column = columnLetters.indexOf(parts.column) - ((zone - 1) % 3) * 8 + 1;
  const row = rowLetters.indexOf(parts.row);
  if (column < 1 || column > 8 || row < 0) return null;

  const north = edges[0] >= 0;
  const middle = (edges[0] + edges[1]) / 2;
  const meridian = { latitude: middle, longitude: zone * 6 - 183 };
  const expected = toZone(meridian, zone).northing;
  const rest = ((row + (zone % 2 === 0 ? 15 : 0)) % 20) * square + within.north;
  const northing = rest + Math.round((expected - rest) / rowCycle) * rowCycle;
  const easting = column * square + within.east;
  const position = fromGrid({ grid: 'utm', zone, north, easting, northing });
  const { latitude } = position;
  return latitude < edges[0] - bandSlack || latitude > edges[1] + bandSlack ? null : position;
}

function inPolarZone(parts: {
  readonly letter: string;
  readonly column: string;
  readonly row: string;
  readonly within: Within;
}): Position | null {
  const north = parts.letter >= 'Y';
  const east = parts.letter === 'B' || parts.letter === 'Z';
  const column = polarColumns.indexOf(parts.column);
  const row = columnLetters.indexOf(parts.row);
  if (column < 0 || row < 0) return null;
  const easting = (east ? column + 20 : column + 2) * square + parts.within.east;
  const northing = (row + firstPolarRow(north)) * square + parts.within.north;
  const position = fromGrid({ grid: 'ups', north, easting, northing });
  const limit = north ? position.latitude >= 83 : position.latitude <= -79;
  return limit && easting >= 2_000_000 === east ? position : null;
}
