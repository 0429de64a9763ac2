import { isSmallest, type Span } from './window.ts';

/** What an answer that may be cut tells about where the rest lies. */
export interface SeenTimes {
  /** Creation times in ticks, with their fractions, in the order of the answer. */
  readonly times: readonly number[];
  /** How many rows a part should hold, so that its answer is whole. */
  readonly target: number;
  /** The present in ticks. */
  readonly now: number;
}

const mostParts = 256;
/** How many pages a part should hold where one page each would be too many parts: it is split again by what it shows. */
const pagesOfCoarse = 8;
const doublings = 10;

/**
 * Where to split a window whose answer may be cut: ticks strictly inside it, ascending; none for the
 * smallest window.
 *
 * Any split is right, since parts share their boundaries and are read for themselves. A good one
 * costs fewer requests: where the answer is ordered, the rest lies beyond its last row about as
 * dense as the answer itself, and an open end is felt for by doubling steps.
 */
export function edgesFor(span: Span, { times, target, now }: SeenTimes): number[] {
  if (isSmallest(span)) return [];
  const wanted = times.length === 0 ? blindEdges(span, now) : seenEdges(span, times, target);
  const inside = within(span, wanted);
  return inside.length > 0 ? inside : within(span, [middleOf(span, times, now)]);
}

/** Whole ticks strictly inside a span, ascending, each once. */
export function within({ from, to }: Span, edges: readonly number[]): number[] {
  const whole = new Set(edges.map((edge) => Math.round(edge)));
  return [...whole]
    .filter((edge) => Number.isSafeInteger(edge) && edge > (from ?? -Infinity) && edge < (to ?? Infinity))
    .sort((a, b) => a - b);
}

function seenEdges(span: Span, times: readonly number[], target: number): number[] {
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
  // All in one instant: it is cut out, so that what surrounds it is not read with it again and again.
  if (last - first <= 1) return [first - 1, first, last, last + 1];
  const step = Math.max(1, ((last - first) * target) / times.length);
  // Where the answer begins near the window's own end, no part is made of the sliver between them.
  if (falling) {
    const start = span.to !== null && span.to - last < step ? span.to : last;
    return [start, ...stepsTo(start, span.from, -step)];
  }
  if (rising) {
    const start = span.from !== null && first - span.from < step ? span.from : first;
    return [start, ...stepsTo(start, span.to, step)];
  }
  return [...sampleEdges(span, first, last), ...quantiles(times, target)];
}

/** Even steps from an answer's first row to the window's end; doubling ones where that is open. */
function stepsTo(at: number, end: number | null, step: number): number[] {
  if (end === null) {
    return Array.from({ length: doublings + 1 }, (_, index) => at + step * (2 ** (index + 1) - 1));
  }
  const fine = Math.max(1, Math.ceil((end - at) / step));
  const parts = fine <= mostParts ? fine : Math.min(mostParts, Math.ceil(fine / pagesOfCoarse));
  return Array.from({ length: parts - 1 }, (_, index) => at + ((end - at) / parts) * (index + 1));
}

/** An unordered answer is a sample of its window: what lies beyond its extremes is read apart. */
function sampleEdges({ from, to }: Span, first: number, last: number): number[] {
  const margin = (last - first) / 4;
  return [
    ...(from === null || first - from > margin ? [first] : []),
    ...(to === null || to - last > margin ? [last] : []),
  ];
}

function quantiles(times: readonly number[], target: number): number[] {
  const sorted = [...times].sort((a, b) => a - b);
  const parts = Math.min(mostParts, Math.max(2, Math.ceil(times.length / target)));
  return Array.from(
    { length: parts - 1 },
    (_, index) => sorted[Math.floor((sorted.length * (index + 1)) / parts)] ?? 0,
  );
}

/** Without any row to go by: by half, or along the present. */
function blindEdges({ from, to }: Span, now: number): number[] {
  if (from !== null && to !== null) return [];
  return [now];
}

function middleOf({ from, to }: Span, times: readonly number[], now: number): number {
  if (from !== null && to !== null) return Math.floor((from + to) / 2);
  const low = Math.floor(times.reduce((least, time) => Math.min(least, time), times[0] ?? now));
  if (to !== null) return Math.min(low, to) - 1;
  return from === null
    ? low
    : Math.max(Math.ceil(times.reduce((most, time) => Math.max(most, time), times[0] ?? now)), from) + 1;
}

/** Where to split a complete answer into parts of about `target` rows; `times` in ticks. */
export function fillingEdges(times: readonly number[], target: number): number[] {
  const sorted = [...times].sort((a, b) => a - b);
  const edges: number[] = [];
  for (let at = target; at < sorted.length - target * 0.2; at += target)
    edges.push(Math.floor(sorted[at] ?? 0));
  return edges;
}

/** The tick after which about `count` of the times lie. */
export function edgeBeforeNewest(times: readonly number[], count: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return Math.floor(sorted[Math.floor(sorted.length - count)] ?? 0);
}
