/**
 * Where bins of time begin. A day begins at midnight in the zone that is shown, and bins of hours and minutes
 * count from there, so an operator reads round times at their edges on every day of the year.
 */
export interface Calendar {
  /** What a clock face in the zone is ahead of UTC at an instant, in milliseconds. */
  readonly offsetAt: (at: number) => number;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const week = 7 * day;

export const utcCalendar: Calendar = { offsetAt: () => 0 };
/** The zone of the computer. */
export const localCalendar: Calendar = {
  offsetAt: (at) => -new Date(at).getTimezoneOffset() * minute,
};

const sizes: readonly number[] = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minute),
  ...[1, 2, 3, 6, 12].map((hours) => hours * hour),
  ...[day, week, 4 * week, 13 * week, 52 * week],
];

/** The finest size of bin, in milliseconds, of which at most `most` cover a span. */
export function binSize(spanMs: number, most: number): number {
  const wanted = spanMs / Math.max(1, most);
  let size = sizes.find((one) => one >= wanted) ?? 52 * week;
  while (size < wanted) size *= 2;
  return size;
}

/** 5 January 1970 was a Monday: weeks begin there. */
const monday = 4 * day;
const behind = (face: number, size: number): number => {
  const past = (face - (size < week ? 0 : monday)) % size;
  return past < 0 ? past + size : past;
};

/**
 * The edges of the bins that cover `from` to `to` (Unix ms): the first at `from` or before it, the last after
 * `to`, each a round time in the zone. Where a clock is set forward over an edge, the bin ends at that moment;
 * where it is set back, a bin that holds the hour twice is longer, and hours and minutes come twice.
 */
export function binEdges(from: number, to: number, size: number, calendar: Calendar): Float64Array {
  const edges: number[] = [];
  // No bin is longer than two: the first round time after three of them lies before `from`.
  let edge = edgeAfter(from - 3 * size, size, calendar);
  while (edge <= to) {
    if (edge <= from) edges.length = 0;
    edges.push(edge);
    edge = edgeAfter(edge, size, calendar);
  }
  edges.push(edge);
  return Float64Array.from(edges);
}

function edgeAfter(at: number, size: number, { offsetAt }: Calendar): number {
  const offset = offsetAt(at);
  const face = at + offset;
  const target = face - behind(face, size) + size;
  const straight = target - offset;
  const there = offsetAt(straight);
  if (there === offset || behind(straight + there, size) === 0) return straight;
  // The clock is set in between. Where the face still comes to the target, it does so then.
  const turned = target - there;
  if (turned > at && offsetAt(turned) === there) return turned;
  return change(at, straight, offsetAt);
}

/** The moment in `low` to `high` at which the clock is set, to the millisecond. */
function change(low: number, high: number, offsetAt: Calendar['offsetAt']): number {
  const before = offsetAt(low);
  let [from, to] = [low, high];
  while (to - from > 1) {
    const middle = Math.floor((from + to) / 2);
    if (offsetAt(middle) === before) from = middle;
    else to = middle;
  }
  return to;
}

/** The bin of an instant: -1 before the first edge, `edges.length - 1` at or after the last. */
export function binOf(at: number, edges: Float64Array): number {
  let [low, high] = [0, edges.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((edges[middle] as number) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
