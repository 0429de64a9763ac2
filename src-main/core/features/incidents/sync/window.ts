import type { UnreadableRecord } from '../../../state/incident.ts';

/** The unit in which a service reads `start_time` and `end_time`. */
export type TickUnit = 'seconds' | 'milliseconds';

/** Milliseconds in one tick of a unit. */
export const tickMs = (unit: TickUnit): number => (unit === 'seconds' ? 1000 : 1);

/** Creation times from `from` to `to`, both inclusive, in ticks; null for an open end. */
export interface Span {
  readonly from: number | null;
  readonly to: number | null;
}

export const everything: Span = { from: null, to: null };

/**
 * A window of the ledger. Neighbours share their boundary, so that an incident at a boundary, or between two ticks, is
 * in one of them however the service rounds.
 */
export interface LedgerWindow extends Span {
  state: 'unread' | 'complete' | 'saturated' | 'failed';
  /** Server time of the last complete read, of this window or of a larger one that contained it; else null. */
  completeAt: number | null;
  /** Server time of the last answer. */
  readAt: number | null;
  /** Records in the last answer, readable or not, and how many of them were open. */
  rows: number;
  open: number;
  /** A read of it is running. */
  busy: boolean;
  failures: number;
  /** Server time before which it is not tried again. */
  retryAt: number | null;
  /** The number of the last read whose completeness rests on the page size; 0 for none. */
  proofNeeded: number;
  /** The first of the `unreadableCount` records that were set aside. */
  readonly unreadable: readonly UnreadableRecord[];
  readonly unreadableCount: number;
  /** The answer from which this window was split to check it. */
  check: CheckedAnswer | null;
}

/** An answer with the size of a full smaller page, to be compared with the answers for its halves. */
export interface CheckedAnswer {
  readonly ids: ReadonlySet<string>;
  readonly rows: number;
  readonly span: Span;
  readonly readAt: number;
}

export const newWindow = (span: Span, change: Partial<LedgerWindow> = {}): LedgerWindow => ({
  from: span.from,
  to: span.to,
  state: 'unread',
  completeAt: null,
  readAt: null,
  rows: 0,
  open: 0,
  busy: false,
  failures: 0,
  retryAt: null,
  proofNeeded: 0,
  unreadable: [],
  unreadableCount: 0,
  check: null,
  ...change,
});

/** Whether a window cannot be split: [t, t+1] is the smallest that loses no fraction of a tick. */
export const isSmallest = ({ from, to }: Span): boolean => from !== null && to !== null && to - from <= 1;

/** Bounds in Unix milliseconds, inclusive: every service returns incidents between them, however it rounds. */
export const spanMs = ({ from, to }: Span, unit: TickUnit): Span => ({
  from: from === null ? null : from * tickMs(unit),
  to: to === null ? null : to * tickMs(unit),
});

/**
 * Whether an incident created at `at` (Unix ms) may be in the answer for a span. A service may round times to its unit
 * up or down, so an incident up to one tick beyond a bound is no contradiction.
 */
export function mayHold({ from, to }: Span, at: number, unit: TickUnit): boolean {
  const tick = tickMs(unit);
  return !((from !== null && at <= (from - 1) * tick) || (to !== null && at >= (to + 1) * tick));
}

/** The tick of an instant. */
export const tickOf = (at: number, unit: TickUnit): number => Math.floor(at / tickMs(unit));
