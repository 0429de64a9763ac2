import type { Box } from './clearance.ts';
import { deepestWhole, type LevelMarks } from './clusters/index.ts';
import { markReach } from './markSizes.ts';
import { centreLimits, turnPixelsAtZero } from './oneWorld.ts';

/** A map, in CSS pixels: its size, what lies over it (from its upper left corner), and the zooms to choose from. */
export interface ClearFrame {
  readonly width: number;
  readonly height: number;
  readonly covers: readonly Box[];
  /** One turn of the world is at least as wide as the map. */
  readonly leastZoom: number;
  readonly mostZoom: number;
}

export interface ClearView {
  /** The middle of the map in Web Mercator, 0..1. */
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
  /** How many incidents have a mark that is cut or under a cover. */
  readonly hidden: number;
}

/**
 * Kept free around each mark, in CSS pixels: what looks well; what keeps it clear of the edge by which the panel beside
 * the map is made wider, which reaches 4 px over it; and what will do.
 */
const rooms = [8, 5, 1] as const;
const zoomStep = 0.25;
/** At the least zoom, where each place of the seam differs most. */
const seamsTried = 6;
/** Of the places to look from, along each axis: how close they are, in CSS pixels, and how many at most. */
const placeStep = 2;
const mostPlaces = 64;

/**
 * The nearest look at all marks that leaves none of them under a cover or cut at an edge: the whole mark counts, and
 * not its place. Marks differ from level to level: `marksAt` gives those of one, `undefined` where they are not known.
 * Where no look shows all, the one at the least zoom that hides the fewest incidents. Null where there are no marks.
 */
export function clearView(
  frame: ClearFrame,
  marksAt: (level: number) => LevelMarks | undefined,
): ClearView | null {
  const most = Math.min(frame.mostZoom, deepestWhole + 0.999);
  for (const room of rooms) {
    for (let zoom = most; zoom > frame.leastZoom; zoom -= zoomStep) {
      const clear = new Look(frame, zoom, room, marksAt).clear(1);
      if (clear !== null) return clear;
    }
    const clear = new Look(frame, frame.leastZoom, room, marksAt).clear(seamsTried);
    if (clear !== null) return clear;
  }
  return new Look(frame, frame.leastZoom, 0, marksAt).least();
}

interface DrawnMark {
  /** Pixels of the world from its upper left corner. */
  readonly x: number;
  readonly y: number;
  /** Half of its box. */
  readonly half: number;
  readonly count: number;
}

type Range = readonly [least: number, most: number];

/** All marks at one zoom. A place to look from is the upper left corner of the map, in pixels of the world. */
class Look {
  readonly #frame: ClearFrame;
  readonly #zoom: number;
  readonly #turn: number;
  readonly #marks: readonly DrawnMark[];

  constructor(
    frame: ClearFrame,
    zoom: number,
    room: number,
    marksAt: (level: number) => LevelMarks | undefined,
  ) {
    this.#frame = frame;
    this.#zoom = zoom;
    this.#turn = turnPixelsAtZero * 2 ** zoom;
    const { x, y, count, over } = marksAt(Math.max(0, Math.floor(zoom))) ?? {
      x: [],
      y: [],
      count: [],
      over: [],
    };
    this.#marks = Array.from(x, (place, mark) => ({
      x: place * this.#turn,
      y: (y[mark] ?? 0) * this.#turn,
      half: markReach(count[mark] ?? 1, over[mark] === 1) + room,
      count: count[mark] ?? 1,
    }));
  }

  /** The look nearest to the middle that hides nothing, with the seam of the world in one of its widest gaps. */
  clear(seams: number): ClearView | null {
    const rows = this.#rows();
    if (rows === null) return null;
    for (const columns of this.#columns().slice(0, seams)) {
      const places = grid(columns, rows);
      const found = places.find(([left, top]) => this.#hiddenAt(left, top, 1) === 0);
      if (found !== undefined) return this.#view(found, 0);
    }
    return null;
  }

  least(): ClearView | null {
    if (this.#marks.length === 0) return null;
    const [first, last] = this.#limits();
    const places = grid([0, this.#turn], this.#rows() ?? [first, last]);
    let best: readonly [number, number] = [0, first];
    let hidden = Infinity;
    for (const place of places) {
      const here = this.#hiddenAt(...place, hidden);
      if (here >= hidden) continue;
      hidden = here;
      best = place;
    }
    return this.#view(best, hidden);
  }

  #view([left, top]: readonly [number, number], hidden: number): ClearView {
    const { width, height } = this.#frame;
    const x = (left + width / 2) / this.#turn;
    return { x: x - Math.floor(x), y: (top + height / 2) / this.#turn, zoom: this.#zoom, hidden };
  }

  /** Incidents whose mark is not wholly on the free map; counting stops at `enough`. */
  #hiddenAt(left: number, top: number, enough: number): number {
    const { width, height, covers } = this.#frame;
    let hidden = 0;
    for (const { x, y, half, count } of this.#marks) {
      const turns = (x - left) / this.#turn;
      const toLeft = (turns - Math.floor(turns)) * this.#turn;
      const toTop = y - top;
      const isWhole = toLeft >= half && toLeft <= width - half && toTop >= half && toTop <= height - half;
      const isFree =
        isWhole &&
        covers.every(
          (cover) =>
            toLeft + half <= cover.left ||
            toLeft - half >= cover.right ||
            toTop + half <= cover.top ||
            toTop - half >= cover.bottom,
        );
      if (!isFree) hidden += count;
      if (hidden >= enough) break;
    }
    return hidden;
  }

  #limits(): Range {
    const { height } = this.#frame;
    const [first, last] = centreLimits(this.#turn, height);
    return [first - height / 2, last - height / 2];
  }

  /** From where no mark is cut above or below; null where there is no such place. */
  #rows(): Range | null {
    const [first, last] = this.#limits();
    const { height } = this.#frame;
    let least = first;
    let most = last;
    for (const { y, half } of this.#marks) {
      least = Math.max(least, y + half - height);
      most = Math.min(most, y - half);
    }
    return this.#marks.length > 0 && least <= most ? [least, most] : null;
  }

  /** From where no mark is cut at a side, for each gap that can be left out: the widest first. */
  #columns(): readonly Range[] {
    const { width } = this.#frame;
    const sorted = this.#marks.toSorted((a, b) => a.x - b.x);
    const gaps = sorted.map((mark, at) => {
      const before = sorted.at(at - 1) ?? mark;
      return { at, gap: mark.x - before.x + (at === 0 ? this.#turn : 0) };
    });
    return gaps
      .filter(({ gap }) => gap >= this.#turn - width)
      .toSorted((a, b) => b.gap - a.gap)
      .map(({ at }): Range => {
        let least = -Infinity;
        let most = Infinity;
        sorted.forEach(({ x, half }, mark) => {
          const placed = mark < at ? x + this.#turn : x;
          least = Math.max(least, placed + half - width);
          most = Math.min(most, placed - half);
        });
        return [least, most];
      })
      .filter(([least, most]) => least <= most);
  }
}

/** Places all over two ranges, the nearest to their middle first. */
function grid(columns: Range, rows: Range): readonly (readonly [number, number])[] {
  const across = spread(columns);
  const down = spread(rows);
  return across
    .flatMap((left) => down.map((top) => ({ place: [left.at, top.at] as const, off: left.off + top.off })))
    .toSorted((a, b) => a.off - b.off)
    .map(({ place }) => place);
}

function spread([least, most]: Range): readonly { readonly at: number; readonly off: number }[] {
  const steps = Math.min(mostPlaces, Math.ceil((most - least) / placeStep));
  if (steps === 0) return [{ at: least, off: 0 }];
  return Array.from({ length: steps + 1 }, (_, step) => {
    const at = least + ((most - least) * step) / steps;
    return { at, off: (at - (least + most) / 2) ** 2 };
  });
}
