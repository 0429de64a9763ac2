export interface Pace {
  /** While it is asked for again and again, `run` is called no more often than this, in milliseconds. */
  readonly leastMs: () => number;
  /** How long the asking has to rest before `run` is called, in milliseconds; 0 where it need not. */
  readonly restMs: () => number;
}

/** A map that takes longer to draw than this is felt under the hand, milliseconds. */
const slowMs = 50;

/**
 * How long a hand has to rest before the map follows it, in milliseconds, where the map's last drawing took
 * `drawMs`: not at all while it is fast, and otherwise so long that most of the time is left to the rest of the page.
 */
export const restFor = (drawMs: number): number =>
  drawMs <= slowMs ? 0 : Math.min(400, Math.max(200, 1.5 * drawMs));

/** How often continuous movement is followed at best and at worst, in milliseconds. */
const follows = { mostOften: 100, leastOften: 500 } as const;

/**
 * How often a costly drawing follows continuous movement, in milliseconds, where its last drawing took
 * `drawMs`: two thirds of the time are left to what moves, within reason.
 */
export const followFor = (drawMs: number): number =>
  Math.min(follows.leastOften, Math.max(follows.mostOften, 3 * drawMs));

/** What is asked for without a rest is done after so many rests all the same. */
const mostRests = 5;

/**
 * Throttles `run`: in a separate task, with a trailing call: at its pace, at
 * once when nothing was asked for lately; or, where a rest is wanted, when the asking rests.
 */
export function paced({ leastMs, restMs }: Pace, run: () => void) {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let firstAsked: number | null = null;
  let last = -Infinity;
  const go = (): void => {
    timer = null;
    firstAsked = null;
    last = performance.now();
    run();
  };
  return {
    ask(): void {
      const now = performance.now();
      const rest = restMs();
      firstAsked ??= now;
      if (rest === 0) {
        timer ??= setTimeout(go, Math.max(0, last + leastMs() - now));
        return;
      }
      if (timer !== null) clearTimeout(timer);
      timer = setTimeout(go, Math.max(0, Math.min(rest, firstAsked + rest * mostRests - now)));
    },
    /** Forgets what was asked for. */
    drop(): void {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      firstAsked = null;
    },
  };
}
