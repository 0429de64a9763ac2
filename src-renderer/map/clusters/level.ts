import type { severityNames } from '../../../src-preload/contract/index.ts';
import { wrapped, type MapPoints } from './points.ts';

/** Marks closer than this at a level's own scale become one, in CSS pixels. */
const radiusPx = 44;
/** At the deepest levels only what would really overlap is joined, so that zooming in ends in incidents. */
const closeRadiusPx = 18;
const closeFromZoom = 15;
const cellsPerRadius = 2;
const tilePx = 512;
const mostSortable = 0xff_ff;
/** How many ranks of severities there are (table/severity.ts). */
export const rankCount: (typeof severityNames)['length'] = 5;

/** The marks of one zoom level: clusters and single incidents alike. */
export interface Level {
  readonly zoom: number;
  readonly size: number;
  /** Web Mercator in 0..1; a cluster lies at the mean of its incidents. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly count: Uint32Array;
  /** How many of them the service still returns. */
  readonly held: Uint32Array;
  /** The worst severity in it (table/severity.ts). */
  readonly rank: Uint8Array;
  /** How many of each rank are open: `rankCount` numbers for each mark, the least rank first. */
  readonly open: Uint32Array;
  /** The first of its points: the incident itself where `count` is 1. */
  readonly first: Uint32Array;
  /** The mark that a point is part of. */
  markOf(point: number): number;
}

/**
 * Clusters all points for one zoom level, in two steps: points are summed into square cells of half
 * the cluster radius (one pass, whatever their number), then cells are joined greedily, the fullest
 * first, with those within the radius. Every level is made from the points themselves, so only the
 * levels that are looked at cost anything, and a live change costs one pass instead of seventeen.
 *
 * Cells wrap around the antimeridian: Fiji's two halves are one cluster.
 */
export function buildLevel(points: MapPoints, zoom: number): Level {
  const worldPx = tilePx * 2 ** zoom;
  const radius = (zoom >= closeFromZoom ? closeRadiusPx : radiusPx) / worldPx;
  const across = Math.max(4, Math.ceil(cellsPerRadius / radius));
  const cells = gather(points, across);
  return join(cells, zoom, radius);
}

interface Cells {
  readonly across: number;
  readonly size: number;
  readonly cellX: Uint32Array;
  readonly cellY: Uint32Array;
  readonly sumX: Float64Array;
  readonly sumY: Float64Array;
  readonly count: Uint32Array;
  readonly held: Uint32Array;
  readonly rank: Uint8Array;
  readonly open: Uint32Array;
  readonly first: Uint32Array;
  readonly cellOf: Uint32Array;
  /** The cell at a place of the grid, -1 where no point lies. */
  find(cellX: number, cellY: number): number;
}

function gather(points: MapPoints, across: number): Cells {
  const { x, y, rank, gone, open, length } = points;
  let capacity = 64;
  while (capacity < length * 1.7) capacity *= 2;
  const mask = capacity - 1;
  const slots = new Uint32Array(capacity);
  const cellX = new Uint32Array(length);
  const cellY = new Uint32Array(length);
  const sumX = new Float64Array(length);
  const sumY = new Float64Array(length);
  const count = new Uint32Array(length);
  const held = new Uint32Array(length);
  const worst = new Uint8Array(length);
  const openOf = new Uint32Array(length * rankCount);
  const first = new Uint32Array(length);
  const cellOf = new Uint32Array(length);
  let size = 0;
  for (let point = 0; point < length; point += 1) {
    const px = x[point] as number;
    const py = y[point] as number;
    const cx = Math.min(across - 1, Math.floor(px * across));
    const cy = Math.min(across - 1, Math.floor(py * across));
    let slot = hash(cx, cy) & mask;
    let cell = (slots[slot] as number) - 1;
    while (cell >= 0 && (cellX[cell] !== cx || cellY[cell] !== cy)) {
      slot = (slot + 1) & mask;
      cell = (slots[slot] as number) - 1;
    }
    if (cell < 0) {
      cell = size;
      size += 1;
      slots[slot] = size;
      cellX[cell] = cx;
      cellY[cell] = cy;
      first[cell] = point;
    }
    cellOf[point] = cell;
    sumX[cell] = (sumX[cell] as number) + px;
    sumY[cell] = (sumY[cell] as number) + py;
    count[cell] = (count[cell] as number) + 1;
    held[cell] = (held[cell] as number) + 1 - (gone[point] as number);
    const own = rank[point] as number;
    if (own > (worst[cell] as number)) worst[cell] = own;
    const place = cell * rankCount + own;
    openOf[place] = (openOf[place] as number) + (open[point] as number);
  }
  const find = (cx: number, cy: number): number => {
    let slot = hash(cx, cy) & mask;
    for (;;) {
      const cell = (slots[slot] as number) - 1;
      if (cell < 0 || (cellX[cell] === cx && cellY[cell] === cy)) return cell;
      slot = (slot + 1) & mask;
    }
  };
  return {
    across,
    size,
    cellX,
    cellY,
    sumX,
    sumY,
    count,
    held,
    rank: worst,
    open: openOf,
    first,
    cellOf,
    find,
  };
}

function join(cells: Cells, zoom: number, radius: number): Level {
  const {
    across,
    size,
    cellX,
    cellY,
    sumX,
    sumY,
    count: cellCount,
    held: cellHeld,
    rank: cellRank,
    open: cellOpen,
    first: cellFirst,
  } = cells;
  const reach = cellsPerRadius;
  const markOfCell = new Int32Array(size).fill(-1);
  const x = new Float64Array(size);
  const y = new Float64Array(size);
  const count = new Uint32Array(size);
  const held = new Uint32Array(size);
  const rank = new Uint8Array(size);
  const open = new Uint32Array(size * rankCount);
  const first = new Uint32Array(size);
  let marks = 0;
  for (const seed of fullestFirst(cellCount, size)) {
    if (markOfCell[seed] !== -1) continue;
    const seedCount = cellCount[seed] as number;
    const seedX = (sumX[seed] as number) / seedCount;
    const seedY = (sumY[seed] as number) / seedCount;
    let total = 0;
    let offsetX = 0;
    let offsetY = 0;
    let worst = 0;
    const fromY = Math.max(0, (cellY[seed] as number) - reach);
    const toY = Math.min(across - 1, (cellY[seed] as number) + reach);
    for (let cy = fromY; cy <= toY; cy += 1) {
      for (let step = -reach; step <= reach; step += 1) {
        const cell = cells.find(((cellX[seed] as number) + step + across) % across, cy);
        if (cell < 0 || markOfCell[cell] !== -1) continue;
        const inCell = cellCount[cell] as number;
        let dx = (sumX[cell] as number) / inCell - seedX;
        if (dx > 0.5) dx -= 1;
        else if (dx < -0.5) dx += 1;
        const dy = (sumY[cell] as number) / inCell - seedY;
        if (dx * dx + dy * dy > radius * radius) continue;
        markOfCell[cell] = marks;
        total += inCell;
        held[marks] = (held[marks] as number) + (cellHeld[cell] as number);
        offsetX += dx * inCell;
        offsetY += dy * inCell;
        worst = Math.max(worst, cellRank[cell] as number);
        for (let own = 0; own < rankCount; own += 1) {
          const place = marks * rankCount + own;
          open[place] = (open[place] as number) + (cellOpen[cell * rankCount + own] as number);
        }
      }
    }
    const meanX = seedX + offsetX / total;
    x[marks] = wrapped(meanX);
    y[marks] = seedY + offsetY / total;
    count[marks] = total;
    rank[marks] = worst;
    first[marks] = cellFirst[seed] as number;
    marks += 1;
  }
  return {
    zoom,
    size: marks,
    x: x.subarray(0, marks),
    y: y.subarray(0, marks),
    count: count.subarray(0, marks),
    held: held.subarray(0, marks),
    rank: rank.subarray(0, marks),
    open: open.subarray(0, marks * rankCount),
    first: first.subarray(0, marks),
    markOf: (point) => markOfCell[cells.cellOf[point] as number] as number,
  };
}

/** Cell numbers by falling count; cells of the same count stay in the order of their first point. */
function fullestFirst(count: Uint32Array, size: number): Uint32Array {
  const places = new Uint32Array(mostSortable + 2);
  for (let cell = 0; cell < size; cell += 1) {
    const place = mostSortable - Math.min(mostSortable, count[cell] as number) + 1;
    places[place] = (places[place] as number) + 1;
  }
  for (let place = 1; place < places.length; place += 1) {
    places[place] = (places[place] as number) + (places[place - 1] as number);
  }
  const order = new Uint32Array(size);
  for (let cell = 0; cell < size; cell += 1) {
    const place = mostSortable - Math.min(mostSortable, count[cell] as number);
    order[places[place] as number] = cell;
    places[place] = (places[place] as number) + 1;
  }
  return order;
}

function hash(cellX: number, cellY: number): number {
  const mixed = Math.imul(cellX, 0x9e_37_79_b1) ^ Math.imul(cellY, 0x85_eb_ca_6b);
  return mixed ^ (mixed >>> 15);
}
