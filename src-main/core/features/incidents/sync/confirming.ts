import { endsOf, evenEdges, within } from './edges.ts';
import { leastPage } from './pageSize.ts';
import { newWindow, overlaps, type LedgerWindow, type Span } from './window.ts';

/** How finely the second split confirms the first. */
export interface Fineness {
  /** The tick where the newest window begins. */
  readonly newest: number;
  /** Short answers were cut. */
  readonly strict: boolean;
  /** How many rows a window should have. */
  readonly target: number;
}

/** Tells of spans, in ascending order, whether windows in ascending order have all their time. */
export function coverageOf(windows: readonly Span[]): (span: Span) => boolean {
  let at = 0;
  return ({ from, to }) => {
    while (at < windows.length && (windows[at]?.to ?? Infinity) <= from) at += 1;
    let reached = from;
    for (let next = at; next < windows.length; next += 1) {
      const other = windows[next];
      if (!other || other.from > reached) return false;
      reached = Math.max(reached, other.to ?? Infinity);
      if (reached >= (to ?? Infinity)) return true;
    }
    return false;
  };
}

/** The windows of the second split that confirm `uncovered` ones of the first and that `second` does not have yet. */
export function confirming(
  uncovered: readonly LedgerWindow[],
  second: readonly LedgerWindow[],
  how: Fineness,
): LedgerWindow[] {
  const isCovered = coverageOf(second);
  return runsOf(uncovered).flatMap((run) => {
    const from = run[0]?.from ?? 0;
    const to = run.at(-1)?.to ?? null;
    const bounds = [
      from,
      ...within(
        { from, to },
        run.flatMap((window) => edgesIn(window, how)),
      ),
      to,
    ];
    return bounds.slice(1).flatMap((end, index) => {
      const span = { from: bounds[index] ?? 0, to: end };
      if (isCovered(span)) return [];
      // A window that cannot be split is confirmed by a wider one.
      const isSame = end !== null && run.some((window) => window.from === span.from && window.to === end);
      const wide = isSame ? { from: Math.max(0, span.from - 1), to: end + 1 } : span;
      const met = run.find((window) => overlaps(window, wide));
      return [newWindow(wide, { confirms: true, otherAt: met?.readAt ?? null, open: met?.open ?? 0 })];
    });
  });
}

/** Windows without gaps between them. */
function runsOf(windows: readonly LedgerWindow[]): LedgerWindow[][] {
  const runs: LedgerWindow[][] = [];
  let end: number | null = null;
  for (const window of windows) {
    const run = window.from === end ? runs.at(-1) : undefined;
    if (run) run.push(window);
    else runs.push([window]);
    end = window.to;
  }
  return runs;
}

/**
 * The edges of the second split in a window: one in the middle of its rows. Where answers of few rows were cut, or may
 * be, also beside the rows: a cut page has no row of the time beyond, and the first one there contradicts it.
 */
function edgesIn(window: LedgerWindow, { strict, target, newest }: Fineness): number[] {
  const { from, to, rows, times } = window;
  const middle = evenEdges(window, times, 2, newest + 2);
  if (!strict) {
    const oldest = times[0] ?? to ?? 0;
    // Before all that is known, as long ago as that reaches back from the present.
    const beyond = from === 0 ? within({ from, to: oldest }, [oldest - Math.max(1, newest - oldest)]) : [];
    return [...middle, ...beyond, ...(to !== null && rows < leastPage ? endsOf(times) : [])];
  }
  const groups = Math.max(2, Math.ceil(times.length / target));
  const size = Math.max(1, Math.ceil(times.length / groups));
  const ends = Array.from({ length: groups }, (_, at) => endsOf(times.slice(at * size, (at + 1) * size)));
  const beside = within(window, ends.flat());
  return beside.length === 0 ? middle : beside;
}
