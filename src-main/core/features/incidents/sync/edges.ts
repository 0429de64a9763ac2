import { isSmallest, type Span } from './window.ts';

/** What a possibly cut answer shows about where the rest is. */
export interface SeenTimes {
  /** Creation times in ticks, with their fractions, in the order of the answer. */
  readonly times: readonly number[];
  /** How many rows a part should have, so that its answer is whole. */
  readonly target: number;
  /** The present in ticks. */
  readonly now: number;
  /** The newest window reaches back to this tick, where an answer has room for so many rows: some are reported late. */
  readonly recentFrom: number;
}

const mostParts = 256;
/**
 * How many pages a part should have when parts of one page would be too many. Its own answer then splits it further.
 */
const pagesOfCoarse = 8;
const doublings = 10;
/** The newest window begins with at most this share of the rows of a part. */
export const newestShare = 0.4;

/**
 * Where to split a window whose answer may be cut: ticks strictly inside it, ascending; none for the smallest window.
 *
 * Any split is correct, since neighbouring parts share their boundary and each is read separately. A good split costs
 * fewer requests: where the answer is ordered, the rest is beyond its last row, about as dense as the answer; the time
 * since 1970 is explored in steps that double.
 */
export function edgesFor(span: Span, seen: SeenTimes): number[] {
  if (isSmallest(span)) return [];
  const edges = seen.times.length === 0 ? [] : seenEdges(span, seen);
  const latest = span.to === null ? newestEdge(seen) : Infinity;
  const inside = within(
    span,
    edges.map((edge) => Math.min(edge, latest)),
  );
  return inside.length > 0 ? inside : within(span, [middleOf(span, seen.now)]);
}

/** Where the newest window begins at the latest. It is read most often, so it stays small. */
function newestEdge({ times, target, recentFrom }: SeenTimes): number {
  const sorted = times.toSorted((a, b) => a - b);
  return Math.floor(Math.max(recentFrom, sorted.at(-Math.ceil(target * newestShare)) ?? 0));
}

/** Whole ticks strictly inside a span, ascending, each once. */
export function within({ from, to }: Span, edges: readonly number[]): number[] {
  const whole = new Set(edges.map((edge) => Math.round(edge)));
  return [...whole]
    .filter((edge) => Number.isSafeInteger(edge) && edge > from && edge < (to ?? Infinity))
    .sort((a, b) => a - b);
}

function seenEdges(span: Span, { times, target, now }: SeenTimes): number[] {
  let [low, high] = [Infinity, -Infinity];
  let [falling, rising] = [true, true];
  let before = times[0] ?? 0;
  for (const time of times) {
    low = Math.min(low, time);
    high = Math.max(high, time);
    if (time > before) falling = false;
    if (time < before) rising = false;
    before = time;
  }
  const [first, last] = [Math.floor(low), Math.ceil(high)];
  // All rows are in one instant: that becomes a part, so that the times around it are not read with it repeatedly.
  if (last - first <= 1) return [first - 1, first, last, last + 1];
  const step = Math.max(1, ((last - first) * target) / times.length);
  // Where the answer begins close to the window's end, the small rest between them gets no part.
  if (falling) {
    const start = span.to !== null && span.to - last < step ? span.to : last;
    return [start, ...stepsTo(start, span.from === 0 ? null : span.from, -step)];
  }
  if (rising) {
    const start = span.from !== 0 && first - span.from < step ? span.from : first;
    // Nothing is expected after the present.
    return [start, ...stepsTo(start, span.to, step).filter((edge) => edge < now), Math.max(now, last)];
  }
  return [
    ...sampleEdges(span, first, last),
    ...quantiles(times, Math.max(2, Math.ceil(times.length / target))),
  ];
}

/** Even steps from an answer's first row to the window's end; steps that double where that end is open. */
function stepsTo(at: number, end: number | null, step: number): number[] {
  if (end === null) {
    return Array.from({ length: doublings + 1 }, (_, index) => at + step * (2 ** (index + 1) - 1));
  }
  const fine = Math.max(1, Math.ceil((end - at) / step));
  const parts = fine <= mostParts ? fine : Math.min(mostParts, Math.ceil(fine / pagesOfCoarse));
  return Array.from({ length: parts - 1 }, (_, index) => at + ((end - at) / parts) * (index + 1));
}

/** An unordered answer is a sample of its window: what is beyond its extremes is read separately. */
function sampleEdges({ from, to }: Span, first: number, last: number): number[] {
  const margin = (last - first) / 4;
  return [...(first - from > margin ? [first] : []), ...(to === null || to - last > margin ? [last] : [])];
}

/** The times that divide `times` into `parts` of equal number. */
export function quantiles(times: readonly number[], parts: number): number[] {
  const sorted = [...times].sort((a, b) => a - b);
  return Array.from(
    { length: Math.min(mostParts, parts) - 1 },
    (_, index) => sorted[Math.floor((sorted.length * (index + 1)) / parts)] ?? 0,
  );
}

/** The edges of `parts` parts of about as many of the `times`; the middle where that gives none. `end`: of an open span. */
export function evenEdges(span: Span, times: readonly number[], parts: number, end: number): number[] {
  const inside = within(span, quantiles(times, parts));
  return inside.length > 0 ? inside : within(span, [Math.floor((span.from + (span.to ?? end)) / 2)]);
}

/** The tick before the first of `times`, which ascend, and the one after the last; none without times. */
export function endsOf(times: readonly number[]): number[] {
  const [low, high] = [times[0], times.at(-1)];
  return low === undefined || high === undefined ? [] : [Math.ceil(low) - 1, Math.floor(high) + 1];
}

/** Half of it; of all time the present, of the time to come a day. */
function middleOf({ from, to }: Span, now: number): number {
  if (to !== null) return Math.floor((from + to) / 2);
  return from < now ? now : from + 1;
}
