import type { Bounds } from './clusters/points.ts';
import type { ViewArea } from './ring.ts';

/** The first read is over, or as good as over, when it brought nothing more for so long; milliseconds. */
const quietMs = 10_000;
/** A look that is a minute old counts as chosen, whatever is still read; milliseconds. */
const mostMs = 60_000;

/** The incidents that the map shows, where they lie, and where the worst of the open ones; null where there are none. */
export interface Extent {
  readonly count: number;
  readonly bounds: Bounds | null;
  readonly worst: Bounds | null;
}

/**
 * Whether the map is to be fitted to incidents. It is to the first of them, and to those beyond its edges
 * for as long as more and more come: what is known first may be a single page of a long read. Never to fewer or
 * as many, which a filter shows, and never once an operator has moved the map. Times are those of a clock that
 * only goes forward.
 */
export class FirstLook {
  #since: number | null = null;
  #moreAt = 0;
  #most = 0;
  #over = false;

  /** From now on the map keeps all incidents in view, whatever was before. */
  begin(): void {
    this.#since = null;
    this.#over = false;
  }

  /** An operator moved the map, or chose what it shows. */
  end(): void {
    this.#over = true;
  }

  wants({ count, bounds }: Pick<Extent, 'count' | 'bounds'>, view: ViewArea, now: number): boolean {
    if (this.#over || bounds === null) return false;
    if (this.#since === null) {
      this.#since = now;
      this.#moreAt = now;
      this.#most = count;
      return true;
    }
    if (now - this.#moreAt > quietMs || now - this.#since > mostMs) {
      this.end();
      return false;
    }
    if (count <= this.#most) return false;
    this.#most = count;
    this.#moreAt = now;
    return !isWithin(bounds, view);
  }
}

/** Whether a view holds all of a box, in whichever turn of the world the longitudes of each are counted. */
export function isWithin([west, south, east, north]: Bounds, view: ViewArea): boolean {
  if (south < view.south || north > view.north) return false;
  if (view.east - view.west >= 360) return true;
  const turn = 360 * Math.ceil((view.west - west) / 360);
  return west + turn >= view.west && east + turn <= view.east;
}
