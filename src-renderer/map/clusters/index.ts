import type { severityNames } from '../../../src-preload/contract/index.ts';
import type { CountText } from './countText.ts';
import { markIcon } from './icon.ts';
import { buildLevel, rankCount, type Level } from './level.ts';
import {
  boundsOf,
  mercatorY,
  pick,
  projectPoints,
  wrapped,
  type Bounds,
  type MapPoints,
  type PointColumns,
} from './points.ts';
import { PointTileWriter, tileExtent } from './tile.ts';

export const markLayer = 'marks';
/** The deepest level; the map's own deepest zoom. */
export const deepestZoom = 16;
const levelsKept = 12;
const regionDepth = 5;
/** The deepest level that is clustered as one for the whole world. */
export const deepestWhole = regionDepth;
const membersListed = 500;

/** What lies behind one mark. */
export interface MarkMembers {
  /** Incident keys, those that are open first, of these the worst severity, at most 500. */
  readonly keys: readonly number[];
  readonly count: number;
  /** How many of them are open, by their rank, the worst last. */
  readonly open: readonly number[];
  readonly bounds: Bounds;
}

/** The marks of a level of the whole world, one entry in each array for each of them. */
export interface LevelMarks {
  readonly zoom: number;
  /** Web Mercator in 0..1. */
  readonly x: Float64Array<ArrayBuffer>;
  readonly y: Float64Array<ArrayBuffer>;
  readonly count: Uint32Array<ArrayBuffer>;
  /** 1 where none of its incidents is open. */
  readonly over: Uint8Array<ArrayBuffer>;
}

/** Ranks of the contract, where they are these. */
const high: (typeof severityNames)[2] extends 'high' ? 2 : never = 2;
const unranked: (typeof severityNames)[3] extends 'unknown' ? 3 : never = 3;

/**
 * The shown incidents as marks on tiles. Levels are made when a tile of theirs is first asked for
 * and forgotten with the points they were made from or when others are looked at.
 *
 * Every mark has: `count`, `rank` (the worst severity that is open in it, the worst of all where none is), `over`: 1
 * where none is open, `key` (the incident, where it is one), `icon` (the name of its image, icon.ts), `zoom`, and
 * `faded`: 1 where the service no longer returns any of its incidents.
 */
export class ClusterIndex {
  readonly bounds: Bounds | null;
  /** Of the open ones that are critical or unranked, else of those that are high; null where there are none. */
  readonly worst: Bounds | null;
  readonly length: number;
  readonly #points: MapPoints;
  readonly #levels = new Map<string, TiledLevel>();

  constructor(columns: PointColumns) {
    this.#points = projectPoints(columns);
    this.length = columns.length;
    this.bounds = boundsOf(this.#points);
    this.worst = this.#openFrom(unranked) ?? this.#openFrom(high);
  }

  #openFrom(least: number): Bounds | null {
    const { length, rank, open } = this.#points;
    const found: number[] = [];
    for (let point = 0; point < length; point += 1)
      if (open[point] === 1 && (rank[point] as number) >= least) found.push(point);
    return boundsOf(pick(this.#points, found));
  }

  /** The vector tile z/x/y, its counts as `said`; empty where no mark lies. */
  tile(zoom: number, tileX: number, tileY: number, said: CountText): Uint8Array<ArrayBuffer> {
    const { level, points, marksIn } = this.#region(zoom, tileX, tileY);
    const tiles = 2 ** zoom;
    const marks = marksIn(tileX, tileY);
    if (marks.length === 0) return new Uint8Array(0);
    const writer = new PointTileWriter(['count', 'rank', 'over', 'key', 'icon', 'zoom', 'faded']);
    const open = new Uint32Array(rankCount);
    for (const mark of marks) {
      const count = level.count[mark] as number;
      let worstOpen = -1;
      for (let own = 0; own < rankCount; own += 1) {
        const number = level.open[mark * rankCount + own] as number;
        open[own] = number;
        if (number > 0) worstOpen = own;
      }
      const rank = worstOpen < 0 ? (level.rank[mark] as number) : worstOpen;
      const key = count === 1 ? (points.key[level.first[mark] as number] as number) : 0;
      const icon = markIcon({ rank, count, open, said });
      writer.add(
        Math.min(tileExtent - 1, Math.floor(((level.x[mark] as number) * tiles - tileX) * tileExtent)),
        Math.min(tileExtent - 1, Math.floor(((level.y[mark] as number) * tiles - tileY) * tileExtent)),
        [count, rank, worstOpen < 0 ? 1 : 0, key, icon, zoom, level.held[mark] === 0 ? 1 : 0],
      );
    }
    return writer.finish(markLayer);
  }

  /** All marks of a level, which is `deepestWhole` at most. */
  marks(zoom: number): LevelMarks {
    const { level } = this.#region(Math.min(deepestWhole, zoom), 0, 0);
    const over = Uint8Array.from({ length: level.size }, (_, mark) =>
      level.open.subarray(mark * rankCount, (mark + 1) * rankCount).some((number) => number > 0) ? 0 : 1,
    );
    return {
      zoom: level.zoom,
      x: Float64Array.from(level.x),
      y: Float64Array.from(level.y),
      count: Uint32Array.from(level.count),
      over,
    };
  }

  /**
   * The incidents behind the mark of a level that lies nearest to a place (degrees). By place and
   * not by number: after a live change the mark under the pointer may have another number. Null when
   * there is none.
   */
  members(zoom: number, longitude: number, latitude: number): MarkMembers | null {
    const placeX = wrapped(longitude / 360 + 0.5);
    const placeY = mercatorY(latitude);
    const tiles = 2 ** zoom;
    const { level, points } = this.#region(zoom, Math.floor(placeX * tiles), Math.floor(placeY * tiles));
    const nearest = nearestMark(level, placeX, placeY);
    if (nearest < 0) return null;
    const inside: number[] = [];
    for (let point = 0; point < points.length; point += 1)
      if (level.markOf(point) === nearest) inside.push(point);
    const bounds = boundsOf(pick(points, inside));
    if (!bounds) return null;
    const { rank, key, open } = points;
    inside.sort(
      (a, b) =>
        (open[b] as number) - (open[a] as number) ||
        (rank[b] as number) - (rank[a] as number) ||
        (key[a] as number) - (key[b] as number),
    );
    const byRank = new Array<number>(rankCount).fill(0);
    for (const point of inside)
      if (open[point] === 1) byRank[rank[point] as number] = (byRank[rank[point] as number] ?? 0) + 1;
    return {
      keys: inside.slice(0, membersListed).map((point) => key[point] as number),
      count: inside.length,
      open: byRank,
      bounds,
    };
  }

  /**
   * The level around a tile: of the whole world where zoomed out, of a region of 32 by 32 tiles
   * further in. A cluster never crosses the edge of its region, so every incident is counted exactly
   * once, and a zoom into one town does not cluster the rest of the world.
   */
  #region(zoom: number, tileX: number, tileY: number): TiledLevel {
    const regionZoom = Math.max(0, zoom - regionDepth);
    const regions = 2 ** regionZoom;
    const regionX = Math.floor(tileX / 2 ** (zoom - regionZoom));
    const regionY = Math.floor(tileY / 2 ** (zoom - regionZoom));
    const name = `${zoom}/${regionX}/${regionY}`;
    const known = this.#levels.get(name);
    this.#levels.delete(name);
    const points = known?.points ?? within(this.#points, regions, regionX, regionY);
    const level = known ?? tiled(points, buildLevel(points, zoom));
    this.#levels.set(name, level);
    const [oldest] = this.#levels.keys();
    if (this.#levels.size > levelsKept && oldest !== undefined) this.#levels.delete(oldest);
    return level;
  }
}

function nearestMark(level: Level, placeX: number, placeY: number): number {
  let nearest = -1;
  let least = Infinity;
  for (let mark = 0; mark < level.size; mark += 1) {
    const gap = Math.abs((level.x[mark] as number) - placeX);
    const dx = Math.min(gap, 1 - gap);
    const dy = (level.y[mark] as number) - placeY;
    const distance = dx * dx + dy * dy;
    if (distance >= least) continue;
    least = distance;
    nearest = mark;
  }
  return nearest;
}

function within(points: MapPoints, regions: number, regionX: number, regionY: number): MapPoints {
  if (regions === 1) return points;
  const { x, y, length } = points;
  const inside: number[] = [];
  for (let point = 0; point < length; point += 1) {
    if (Math.floor((x[point] as number) * regions) !== regionX) continue;
    if (Math.floor((y[point] as number) * regions) === regionY) inside.push(point);
  }
  return pick(points, inside);
}

interface TiledLevel {
  readonly points: MapPoints;
  readonly level: Level;
  readonly marksIn: (tileX: number, tileY: number) => readonly number[];
}

/** Chains the marks of each tile, so that a tile is written without a look at the others. */
function tiled(points: MapPoints, level: Level): TiledLevel {
  const tiles = 2 ** level.zoom;
  const next = new Int32Array(level.size);
  const head = new Map<number, number>();
  for (let mark = level.size - 1; mark >= 0; mark -= 1) {
    const tile =
      Math.floor((level.y[mark] as number) * tiles) * tiles + Math.floor((level.x[mark] as number) * tiles);
    next[mark] = head.get(tile) ?? -1;
    head.set(tile, mark);
  }
  const marksIn = (tileX: number, tileY: number): readonly number[] => {
    const marks: number[] = [];
    for (let mark = head.get(tileY * tiles + tileX) ?? -1; mark >= 0; mark = next[mark] as number)
      marks.push(mark);
    return marks;
  };
  return { points, level, marksIn };
}
