import quickselect from 'quickselect';

/** A place on a globe of radius 1. */
export type GlobePoint = readonly [x: number, y: number, z: number];

/** So few towns are looked at one after the other. */
const leafSize = 8;

/** Finds the nearest of some towns: halves them by x, y and z in turns. Libraries for it take ten times as long. */
export class TownTree {
  /** Numbers of towns; the one in the middle of a part divides it. */
  readonly #ids: number[];
  /** x, y and z of each town of the whole list. */
  readonly #points: Float64Array;

  constructor(points: Float64Array, ids: Iterable<number>) {
    this.#points = points;
    this.#ids = [...ids];
    this.#halve(0, this.#ids.length - 1, 0);
  }

  /** The number of the nearest town whose distance through the globe is below `reach`; -1 for none. */
  nearest([x, y, z]: GlobePoint, reach = Infinity): number {
    const [ids, points] = [this.#ids, this.#points];
    let best = -1;
    let least = reach ** 2;
    const look = (at: number): void => {
      const id = ids[at] as number;
      const first = id * 3;
      const square =
        (x - (points[first] as number)) ** 2 +
        (y - (points[first + 1] as number)) ** 2 +
        (z - (points[first + 2] as number)) ** 2;
      if (square >= least) return;
      [best, least] = [id, square];
    };
    const search = (left: number, right: number, axis: number): void => {
      if (right - left < leafSize) {
        for (let at = left; at <= right; at += 1) look(at);
        return;
      }
      const middle = (left + right) >> 1;
      look(middle);
      const along = axis === 0 ? x : axis === 1 ? y : z;
      const beyond = along - (points[(ids[middle] as number) * 3 + axis] as number);
      const next = (axis + 1) % 3;
      if (beyond < 0) search(left, middle - 1, next);
      else search(middle + 1, right, next);
      if (beyond ** 2 >= least) return;
      if (beyond < 0) search(middle + 1, right, next);
      else search(left, middle - 1, next);
    };
    search(0, ids.length - 1, 0);
    return best;
  }

  #halve(left: number, right: number, axis: number): void {
    if (right - left < leafSize) return;
    const middle = (left + right) >> 1;
    const along = (id: number): number => this.#points[id * 3 + axis] as number;
    quickselect(this.#ids, middle, left, right, (a, b) => along(a) - along(b));
    const next = (axis + 1) % 3;
    this.#halve(left, middle - 1, next);
    this.#halve(middle + 1, right, next);
  }
}
