import type { GridDrawing, GridLabel, GridLine, GridView } from '../../map/gridOverlay.ts';
import type { Corner } from '../../map/ring.ts';
import { fromGrid, polarRadius, utmNorth, utmSouth } from './grid.ts';
import { clipped, figureOf, inside, multiples, parts, steps, type Box } from './gridPieces.ts';
import { squareLetters, zoneName } from './mgrs.ts';

/** Easting and northing of both poles, in metres. */
const pole = 2_000_000;
/** Points of a line: around a pole it bends more than inside a zone. */
const pieces = 24;
/** Nearer to the pole the map shows nothing, and a longitude says little. */
const mostLatitude = 85.06;

/**
 * The squares of the polar grid (UPS) that a view shows: A and B south of 80° S, Y and Z from 84° N on.
 *
 * @param spacing metres between lines; null where squares are too small to be told apart
 */
export function polarGrid(view: GridView, spacing: number | null): GridDrawing {
  const lines: GridLine[] = [];
  const labels: GridLabel[] = [];
  for (const half of halvesIn(view)) {
    // Alone, and as many as on a map of the world, heavy lines would hide what is under them.
    lines.push(...half.edges(spacing !== null));
    if (spacing === null) labels.push(half.name());
    else {
      lines.push(...half.lines(spacing));
      labels.push(...half.squares(), ...(spacing < 100_000 ? half.figures(spacing, view) : []));
    }
  }
  return { lines, labels };
}

function halvesIn(view: GridView): readonly PolarHalf[] {
  const halves: PolarHalf[] = [];
  for (let at = Math.floor(view.west / 180); at * 180 < view.east; at += 1) {
    const west = Math.max(view.west, at * 180);
    const east = Math.min(view.east, at * 180 + 180);
    for (const [south, north] of [
      [-mostLatitude, utmSouth],
      [utmNorth, mostLatitude],
    ] as const) {
      const box = { west, east, south: Math.max(view.south, south), north: Math.min(view.north, north) };
      if (box.south < box.north && west < east) halves.push(new PolarHalf(box, at));
    }
  }
  return halves;
}

type Span = readonly [from: number, to: number];

/** What a view shows of one pole's eastern or western half, whose eastings lie on one side of the pole's. */
class PolarHalf {
  readonly #box: Box;
  /** Degrees between the half's own longitudes and those of this copy of the world. */
  readonly #turn: number;
  readonly #north: boolean;
  /** 1 where eastings grow away from the pole's, -1 where they shrink. */
  readonly #side: 1 | -1;
  /** Metres from the pole, seen from above it. */
  readonly #radius: Span;
  readonly #east: Span;
  readonly #upward: Span;

  constructor(box: Box, half: number) {
    this.#box = box;
    this.#side = half % 2 === 0 ? 1 : -1;
    this.#turn = Math.floor((half + 1) / 2) * 360;
    this.#north = box.south > 0;
    const radii = [polarRadius(box.south), polarRadius(box.north)];
    this.#radius = [Math.min(...radii), Math.max(...radii)];
    const middle = this.#turn + 90 * this.#side;
    const sides = [box.west, box.east, ...(box.west < middle && middle < box.east ? [middle] : [])];
    const around = sides.flatMap((longitude) =>
      this.#radius.map((radius) => this.#metres(longitude, radius)),
    );
    this.#east = spanOf(around.map(([easting]) => easting));
    this.#upward = spanOf(around.map(([, northing]) => northing));
  }

  /** The meridian between the halves, where the view shows it. */
  edges(main: boolean): readonly GridLine[] {
    const { west, south, north } = this.#box;
    if (west % 180 !== 0) return [];
    const points: Corner[] = [
      [west, south],
      [west, north],
    ];
    return [{ points, main }];
  }

  name(): GridLabel {
    const { west, east, south, north } = this.#box;
    const at: Corner = [(west + east) / 2, (south + north) / 2];
    return { at, text: zoneName(this.#point(pole + this.#side, pole), at[1]), place: 'middle' };
  }

  /** Lines every so many metres; those of 100 km are heavier among finer ones. */
  lines(spacing: number): readonly GridLine[] {
    const drawn = (metres: number, points: readonly Corner[]): GridLine[] =>
      clipped(points, this.#box).map((part) => ({
        points: part,
        main: spacing < 100_000 && metres % 100_000 === 0,
      }));
    return [
      ...multiples(...this.#east, spacing).flatMap((easting) =>
        this.#crossed(easting, this.#upward).flatMap((span) =>
          drawn(
            easting,
            steps(...span, pieces).map((northing) => this.#corner(easting, northing)),
          ),
        ),
      ),
      ...multiples(...this.#upward, spacing).flatMap((northing) =>
        this.#crossed(northing, this.#east).flatMap((span) =>
          drawn(
            northing,
            steps(...span, pieces).map((easting) => this.#corner(easting, northing)),
          ),
        ),
      ),
    ];
  }

  /** The name of each 100 km square in the middle of what is seen of it. */
  squares(): readonly GridLabel[] {
    return parts(this.#east).flatMap((easting) =>
      parts(this.#upward).flatMap((northing): GridLabel[] => {
        const at = this.#corner(easting, northing);
        if (!inside(at, this.#box)) return [];
        const point = this.#point(easting, northing);
        return [{ at, text: `${zoneName(point, at[1])} ${squareLetters(point)}`, place: 'middle' }];
      }),
    );
  }

  /**
   * The figures of the lines, where they meet the view's upper and left edge. Which of both a line of eastings
   * crosses changes around the pole: there it is named by the steeper one.
   */
  figures(spacing: number, view: GridView): readonly GridLabel[] {
    const { north, west } = this.#box;
    const top = north === view.north ? steps(this.#box.west, this.#box.east, 720) : [];
    const names = Math.min(north, view.namesNorth);
    const left = west === view.west ? steps(this.#box.south, this.#box.north, 720) : [];
    return [
      ...this.#figuresAlong(
        top.map((longitude): Corner => [longitude, names]),
        spacing,
        'top',
      ),
      ...this.#figuresAlong(
        left.map((latitude): Corner => [west, latitude]),
        spacing,
        'left',
      ),
    ];
  }

  /** Walks along an edge and names each line that is crossed on the way. */
  #figuresAlong(edge: readonly Corner[], spacing: number, place: 'top' | 'left'): readonly GridLabel[] {
    return edge.slice(1).flatMap((to, at): GridLabel[] => {
      const from = edge[at] ?? to;
      const inward = ((to[0] - this.#turn) * Math.PI) / 180;
      // At 0° and 180° eastings grow along the upper edge; at 90° on either side northings do.
      const eastings = Math.abs(Math.cos(inward)) >= Math.abs(Math.sin(inward)) === (place === 'top');
      const axis = eastings ? 0 : 1;
      const [a, b] = [this.#metresAt(from)[axis], this.#metresAt(to)[axis]];
      const metres = Math.floor(Math.max(a, b) / spacing) * spacing;
      if (metres <= Math.min(a, b)) return [];
      const share = (metres - a) / (b - a);
      const met: Corner = [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
      return inside(met, this.#box) ? [{ at: met, text: figureOf(metres, spacing), place }] : [];
    });
  }

  /** Where a line so many metres on one axis lies within the ring that is seen, on the other axis. */
  #crossed(metres: number, [least, most]: Span): readonly Span[] {
    const away = Math.abs(metres - pole);
    const [inner, outer] = this.#radius.map((radius) => Math.sqrt(Math.max(0, radius ** 2 - away ** 2)));
    const [from = 0, to = 0] = [inner, outer];
    const spans: readonly Span[] =
      from === 0
        ? [[pole - to, pole + to]]
        : [
            [pole - to, pole - from],
            [pole + from, pole + to],
          ];
    return spans.flatMap(([a, b]): Span[] => {
      const span: Span = [Math.max(a, least), Math.min(b, most)];
      return span[0] < span[1] ? [span] : [];
    });
  }

  #metresAt([longitude, latitude]: Corner): readonly [easting: number, northing: number] {
    return this.#metres(longitude, polarRadius(latitude));
  }

  #metres(longitude: number, radius: number): readonly [easting: number, northing: number] {
    const turned = ((longitude - this.#turn) * Math.PI) / 180;
    const upward = radius * Math.cos(turned);
    return [pole + radius * Math.sin(turned), this.#north ? pole - upward : pole + upward];
  }

  #point(easting: number, northing: number) {
    return { grid: 'ups', north: this.#north, easting, northing } as const;
  }

  #corner(easting: number, northing: number): Corner {
    const { longitude, latitude } = fromGrid(this.#point(easting, northing));
    // On the meridians between the halves a longitude may come out as the other half's.
    const own = longitude * this.#side < -1e-9 ? longitude + 360 * this.#side : longitude;
    return [own + this.#turn, latitude];
  }
}

const spanOf = (values: readonly number[]): Span => [Math.min(...values), Math.max(...values)];
