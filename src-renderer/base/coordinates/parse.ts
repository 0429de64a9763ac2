import type { CoordinateFormat, Position } from '../../../src-preload/contract/index.ts';
import { parseAngles } from './angles.ts';
import { fromGrid, utmNorth, utmSouth } from './grid.ts';
import { bandEdges, parseMgrs } from './mgrs.ts';

/** One way to understand what was typed. */
interface Reading {
  readonly position: Position;
  /** What it was understood as; angles of every style are `dd`. */
  readonly format: Extract<CoordinateFormat, 'dd' | 'utm' | 'mgrs'>;
}

/**
 * Every way to understand a text as coordinates, the likeliest first; none for what is not. Only the letter S
 * of a UTM zone can be read in two ways: as the band (32° to 40° N), which comes first where the northing lies
 * in it, and as the southern hemisphere.
 */
export function readCoordinates(text: string): readonly Reading[] {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > 120) return [];
  const square = parseMgrs(squeezed(trimmed));
  if (square !== null) return [{ position: square, format: 'mgrs' }];
  const metric = readMetres(trimmed);
  if (metric.length > 0) return metric.map((position) => ({ position, format: 'utm' }));
  const angles = parseAngles(trimmed);
  return angles === null ? [] : [{ position: angles, format: 'dd' }];
}

/** The likeliest place that a text names in any of the five formats; null for none. */
export const parsePosition = (text: string): Position | null => readCoordinates(text)[0]?.position ?? null;

/** MGRS as one word; two groups of digits have to be equally long, or it is not clear where one ends. */
function squeezed(text: string): string {
  const plain = text
    .toUpperCase()
    .replace(/^(?:MGRS|USNG)\b:?/, '')
    .trim();
  const groups = /[A-Z][\s,-]*(\d+)[\s,-]+(\d+)$/.exec(plain);
  if (groups !== null && groups[1]?.length !== groups[2]?.length) return '';
  return plain.replace(/[\s,-]+/g, '');
}

const metres = String.raw`(\d+(?:\.\d+)?)`;
const between = String.raw`[\s,;/]+`;
const zoned = String.raw`(?:ZONE\s*)?(\d{1,2})\s*([C-HJ-NP-X]|NORTH|SOUTH)`;
const polar = String.raw`([ABYZNS]|NORTH|SOUTH)`;
const zoneLeads = new RegExp(`^${zoned}${between}${metres}${between}${metres}$`);
const zoneFollows = new RegExp(`^${metres}${between}${metres}${between}${zoned}$`);
const poleLeads = new RegExp(`^${polar}${between}${metres}${between}${metres}$`);
const poleFollows = new RegExp(`^${metres}${between}${metres}${between}${polar}$`);

function readMetres(text: string): readonly Position[] {
  const typed = text
    .toUpperCase()
    .replace(/^(?:UTM|UPS)\b:?\s*/, '')
    .trim();
  const plain = withoutUnits(typed);
  const asTyped = readGrid(typed);
  return asTyped.length > 0 ? asTyped : readGrid(plain);
}

/** `38N E 444,140 mE N 3,684,706 m` -> `38N 444140 3684706`. */
const withoutUnits = (text: string): string =>
  text
    .replace(/\b\d{1,3}(?:,\d{3})+(?=[^\d,]|$)/g, (number) => number.replaceAll(',', ''))
    .replace(/(\d)\s*M\s*[EN]?\b/g, '$1')
    .replace(/(\d{4,}(?:\.\d+)?)\s*[EN]\b(?=\s*[\d,;/]|\s*$)/g, '$1')
    .replace(/\b[EN][\s:=]*(?=\d{5,})/g, (axis, at: number, whole: string) =>
      // The letter of a zone or a pole stands first, or right behind the zone's number.
      /^(?:ZONE\s*)?(?:\d{1,2})?\s*$/.test(whole.slice(0, at)) ? axis : '',
    )
    .trim();

function readGrid(text: string): readonly Position[] {
  const leads = zoneLeads.exec(text);
  if (leads) return inZone(Number(leads[1]), leads[2] ?? '', Number(leads[3]), Number(leads[4]));
  const follows = zoneFollows.exec(text);
  if (follows) return inZone(Number(follows[3]), follows[4] ?? '', Number(follows[1]), Number(follows[2]));
  const pole = poleLeads.exec(text);
  if (pole) return inPolarGrid(pole[1] ?? '', Number(pole[2]), Number(pole[3]));
  const poleLast = poleFollows.exec(text);
  return poleLast ? inPolarGrid(poleLast[3] ?? '', Number(poleLast[1]), Number(poleLast[2])) : [];
}

function inZone(zone: number, letter: string, easting: number, northing: number): readonly Position[] {
  if (zone < 1 || zone > 60 || easting < 100_000 || easting >= 1_000_000 || northing > 10_000_000) return [];
  const at = (north: boolean): Position => fromGrid({ grid: 'utm', zone, north, easting, northing });
  const found: Position[] = [];
  const edges = bandEdges(letter);
  if (edges !== null) {
    const position = at(letter >= 'N');
    // Half a degree of tolerance: the edge of a band is no edge of the grid.
    if (position.latitude >= edges[0] - 0.5 && position.latitude <= edges[1] + 0.5) found.push(position);
  }
  const hemisphere = letter.charAt(0);
  if (letter.length > 1 || letter === 'N' || letter === 'S') {
    const position = at(hemisphere === 'N');
    const { latitude } = position;
    const known = found.some((other) => other.latitude === latitude);
    const possible = hemisphere === 'N' ? latitude >= 0 && latitude <= utmNorth + 0.5 : latitude <= 0;
    if (!known && possible && latitude >= utmSouth - 0.5) found.push(position);
  }
  return found;
}

function inPolarGrid(letter: string, easting: number, northing: number): readonly Position[] {
  const north = /^[NYZ]/.test(letter);
  const position = fromGrid({ grid: 'ups', north, easting, northing });
  const { latitude } = position;
  // The grids overlap by half a degree, so that a place on the edge has both.
  const inside = north ? latitude >= utmNorth - 0.5 : latitude <= utmSouth + 0.5;
  const east = letter === 'B' || letter === 'Z';
  const west = letter === 'A' || letter === 'Y';
  if ((east && easting < 2_000_000) || (west && easting >= 2_000_000)) return [];
  return inside ? [position] : [];
}
