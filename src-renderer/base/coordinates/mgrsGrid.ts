import type { GridDrawing, GridLabel, GridLine, GridView } from '../../map/gridOverlay.ts';
import type { Corner } from '../../map/ring.ts';
import { centralMeridian, fromGrid, toZone, utmNorth, utmSouth } from './grid.ts';
import { clipped, figureOf, inside, multiples, parts, steps, type Box } from './gridPieces.ts';
import { bandEdges, squareLetters } from './mgrs.ts';
import { polarGrid } from './polarGrid.ts';

const bandLetters = 'CDEFGHJKLMNPQRSTUVWX';
/** Squares at least this many pixels wide are drawn. */
const leastGap = 56;
const spacings = [1_000, 10_000, 100_000];
/** Points of a line inside a zone: enough that it bends as the grid does. */
const pieces = 12;

/** The edges of a grid zone's cell, with the exceptions of Norway and Svalbard; null for a cell that is none. */
export function cellOf(zone: number, band: string): Box | null {
  const edges = bandEdges(band);
  if (edges === null) return null;
  const [south, north] = edges;
  const west = (zone - 1) * 6 - 180;
  const cell = { west, south, east: west + 6, north };
  if (band === 'V' && zone === 31) return { ...cell, east: 3 };
  if (band === 'V' && zone === 32) return { ...cell, west: 3 };
  if (band !== 'X' || zone < 31 || zone > 37) return cell;
  const wide = ({ 31: [0, 9], 33: [9, 21], 35: [21, 33], 37: [33, 42] } as const)[zone as 31];
  return wide === undefined ? null : { ...cell, west: wide[0], east: wide[1] };
}

/**
 * The MGRS grid of a view: the cells of zones and bands, then squares of 100, 10 and 1 km as soon as they are
 * large enough to be told apart. Beyond 80° S and 84° N those of the polar grid, as far as the map reaches.
 */
export function mgrsGrid(view: GridView): GridDrawing {
  const spacing = spacings.find((metres) => metres / view.metresPerPixel >= leastGap) ?? null;
  const lines: GridLine[] = [];
  const labels: GridLabel[] = [];
  for (const { zone, band, box, turn } of cellsIn(view)) {
    const inView = common(box, view);
    // Alone, and as many as on a map of the world, heavy lines would hide what is under them.
    lines.push(...outline(box, inView, spacing !== null));
    if (spacing === null) {
      labels.push({ at: middleOf(inView), text: `${zone}${band}`, place: 'middle' });
      continue;
    }
    const grid = new ZoneGrid(zone, band, inView, turn);
    lines.push(...grid.lines(spacing));
    labels.push(...grid.squares(), ...(spacing < 100_000 ? grid.figures(spacing, view) : []));
  }
  const polar = polarGrid(view, spacing);
  return { lines: [...lines, ...polar.lines], labels: [...labels, ...polar.labels] };
}

interface Cell {
  readonly zone: number;
  readonly band: string;
  readonly box: Box;
  /** Degrees between the cell's own longitudes and those of this copy of the world. */
  readonly turn: number;
}

function cellsIn(view: Box): readonly Cell[] {
  const cells: Cell[] = [];
  // One zone more on each side: around Svalbard and Norway cells reach beyond their own.
  const first = Math.floor((view.west + 180) / 6) - 1;
  const last = Math.min(first + 130, Math.floor((view.east + 180) / 6) + 1);
  for (let at = first; at <= last; at += 1) {
    const zone = (((at % 60) + 60) % 60) + 1;
    const turn = Math.floor(at / 60) * 360;
    for (const band of bandLetters) {
      const cell = cellOf(zone, band);
      if (cell === null) continue;
      const box = { ...cell, west: cell.west + turn, east: cell.east + turn };
      const { west, south, east, north } = common(box, view);
      if (west < east && south < north) cells.push({ zone, band, box, turn });
    }
  }
  return cells;
}

const common = (a: Box, b: Box): Box => ({
  west: Math.max(a.west, b.west),
  south: Math.max(a.south, b.south, utmSouth),
  east: Math.min(a.east, b.east),
  north: Math.min(a.north, b.north, utmNorth),
});

const middleOf = ({ west, south, east, north }: Box): Corner => [(west + east) / 2, (south + north) / 2];

/** A cell's western and southern edge, as far as the view shows them; the others are its neighbours'. */
function outline(box: Box, { west, south, east, north }: Box, main: boolean): GridLine[] {
  const edges: GridLine[] = [];
  const add = (a: Corner, b: Corner): unknown => edges.push({ points: [a, b], main });
  if (box.west === west) add([west, south], [west, north]);
  if (box.south === south) add([west, south], [east, south]);
  if (box.north === north && north === utmNorth) add([west, north], [east, north]);
  return edges;
}

/** The part of one zone's squares that a box of one cell shows. */
class ZoneGrid {
  readonly #zone: number;
  readonly #band: string;
  readonly #box: Box;
  readonly #turn: number;
  readonly #north: boolean;
  readonly #east: readonly [least: number, most: number];
  readonly #upward: readonly [least: number, most: number];

  constructor(zone: number, band: string, box: Box, turn: number) {
    this.#zone = zone;
    this.#band = band;
    this.#box = box;
    this.#turn = turn;
    this.#north = band >= 'N';
    const around = [box.west, (box.west + box.east) / 2, box.east, this.#meridianIn(box)].flatMap(
      (longitude) =>
        [box.south, (box.south + box.north) / 2, box.north].map((latitude) =>
          this.#metres([longitude, latitude]),
        ),
    );
    const eastings = around.map(({ easting }) => easting);
    const northings = around.map(({ northing }) => northing);
    this.#east = [Math.min(...eastings), Math.max(...eastings)];
    this.#upward = [Math.min(...northings), Math.max(...northings)];
  }

  /** Lines every so many metres; those of 100 km are heavier among finer ones. */
  lines(spacing: number): readonly GridLine[] {
    const [west, east] = this.#east;
    const [south, north] = this.#upward;
    const drawn = (points: readonly Corner[], metres: number): GridLine[] =>
      clipped(points, this.#box).map((part) => ({
        points: part,
        main: spacing < 100_000 && metres % 100_000 === 0,
      }));
    return [
      ...multiples(west, east, spacing).flatMap((easting) =>
        drawn(
          steps(south, north, pieces).map((northing) => this.#corner(easting, northing)),
          easting,
        ),
      ),
      ...multiples(south, north, spacing).flatMap((northing) =>
        drawn(
          steps(west, east, pieces).map((easting) => this.#corner(easting, northing)),
          northing,
        ),
      ),
    ];
  }

  /** The name of each 100 km square in the middle of what is seen of it. */
  squares(): readonly GridLabel[] {
    const labels: GridLabel[] = [];
    for (const easting of parts(this.#east)) {
      for (const northing of parts(this.#upward)) {
        const at = this.#corner(easting, northing);
        if (!inside(at, this.#box)) continue;
        const point = { grid: 'utm', zone: this.#zone, north: this.#north, easting, northing } as const;
        labels.push({ at, text: `${this.#zone}${this.#band} ${squareLetters(point)}`, place: 'middle' });
      }
    }
    return labels;
  }

  /** The figures of the lines, where they meet the view's upper and left edge. */
  figures(spacing: number, view: GridView): readonly GridLabel[] {
    const text = (metres: number): string => figureOf(metres, spacing);
    const labels: GridLabel[] = [];
    const { west, north } = this.#box;
    const names = Math.min(north, view.namesNorth);
    if (north === view.north) {
      for (const easting of multiples(...this.#east, spacing)) {
        const [longitude] = this.#corner(easting, this.#upward[1]);
        const at: Corner = [longitude, names];
        if (inside(at, this.#box)) labels.push({ at, text: text(easting), place: 'top' });
      }
    }
    if (west === view.west) {
      for (const northing of multiples(...this.#upward, spacing)) {
        const [, latitude] = this.#corner(this.#east[0], northing);
        const at: Corner = [west, latitude];
        if (inside(at, this.#box)) labels.push({ at, text: text(northing), place: 'left' });
      }
    }
    return labels;
  }

  #meridianIn({ west, east }: Box): number {
    const meridian = centralMeridian(this.#zone) + this.#turn;
    return Math.max(west, Math.min(east, meridian));
  }

  #metres([longitude, latitude]: Corner): { readonly easting: number; readonly northing: number } {
    const { easting, northing } = toZone({ longitude: longitude - this.#turn, latitude }, this.#zone);
    // The equator belongs to the north; seen from the south it lies at the top of the count.
    return { easting, northing: !this.#north && latitude >= 0 ? northing + 10_000_000 : northing };
  }

  #corner(easting: number, northing: number): Corner {
    const { longitude, latitude } = fromGrid({
      grid: 'utm',
      zone: this.#zone,
      north: this.#north,
      easting,
      northing,
    });
    // The easternmost zone's far edge is -180 to the grid and 180 to the map.
    const own = longitude < centralMeridian(this.#zone) - 180 ? longitude + 360 : longitude;
    return [own + this.#turn, latitude];
  }
}
