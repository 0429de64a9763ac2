import { openRule } from '../../../../../src-preload/contract/index.ts';
import type { Validator } from '../../../service/transport/validators.ts';
import type { IncidentRecord, UnreadableRecord } from '../../../state/incident.ts';

/** Open incidents are read more often. The deployment's extra words for closed do not matter here. */
export const isOpen = openRule();

/** The unit in which a service reads `start_time` and `end_time`. */
export type TickUnit = 'seconds' | 'milliseconds';

/** Incidents older than an answer by this much existed when it was given, on every replica; younger ones may be newer. */
export const settledMs = 120_000;

/** Milliseconds in one tick of a unit. */
export const tickMs = (unit: TickUnit): number => (unit === 'seconds' ? 1000 : 1);

/** Creation times from `from` to `to`, both inclusive, in ticks since 1970; null for some time from now. */
export interface Span {
  readonly from: number;
  readonly to: number | null;
}

export const everything: Span = { from: 0, to: null };

export const dayMs = 86_400_000;

/**
 * The newest window ends so long after the present, since clocks differ: an hour, and a day in the split that confirms.
 * A service may return only the last day of a range.
 */
export const aheadMs = ({ confirms }: Pick<LedgerWindow, 'confirms'>): number =>
  confirms ? dayMs : 3_600_000;

/** For so long the newest window ends at one instant, so that its request is the same, milliseconds. */
const endStepMs = 600_000;

/** Where a window is asked to end at server time `now`, Unix milliseconds; `ahead` for the newest one. */
export const endsAt = (now: number, ahead: number): number =>
  Math.ceil((now + ahead) / endStepMs) * endStepMs;

/** A validator of a window's last whole answer. */
export interface WindowValidator extends Validator {
  /** Which request it is for. */
  readonly of: string;
  /** Server time of that answer. */
  readonly since: number;
}

/**
 * A window of the ledger. Neighbours share their boundary, so that an incident at a boundary, or between two ticks, is
 * in one of them however the service rounds.
 */
export interface LedgerWindow extends Span {
  /** Whether it is of the second split of time, which confirms the first. */
  readonly confirms: boolean;
  /** `whole`: its last answer showed no sign of a cut. That proves nothing alone. */
  state: 'unread' | 'whole' | 'saturated' | 'failed';
  /** Server time of the last whole answer; else null. */
  wholeAt: number | null;
  /** Server time of the last answer. */
  readAt: number | null;
  /** Server time of the last answer of the other split within its time; null without such a window. */
  otherAt: number | null;
  /** Records in the last answer, readable or not, and how many of them were open. */
  rows: number;
  open: number;
  /** When its rows were created, ticks, ascending; none where the ledger was restored. */
  times: readonly number[];
  /** How many answers in a row lacked an incident that they must have had. */
  lacks: number;
  /** A read of it is running. */
  busy: boolean;
  failures: number;
  /** Server time before which it is not tried again. */
  retryAt: number | null;
  /** The first of the `unreadableCount` records that were set aside. */
  readonly unreadable: readonly UnreadableRecord[];
  readonly unreadableCount: number;
  /** Only the service's word says that the last answer was cut: its own, or the larger one whose part this is. */
  claimed: 'own' | 'larger' | null;
  /** Null where the service gave none, and once another answer showed a change in its time. */
  validator: WindowValidator | null;
}

export const newWindow = (span: Span, change: Partial<LedgerWindow> = {}): LedgerWindow => ({
  from: span.from,
  to: span.to,
  confirms: false,
  state: 'unread',
  wholeAt: null,
  readAt: null,
  otherAt: null,
  rows: 0,
  open: 0,
  times: [],
  lacks: 0,
  busy: false,
  failures: 0,
  retryAt: null,
  unreadable: [],
  unreadableCount: 0,
  claimed: null,
  validator: null,
  ...change,
});

/** Whether a window cannot be split: [t, t+1] is the smallest that loses no fraction of a tick. */
export const isSmallest = ({ from, to }: Span): boolean => to !== null && to - from <= 1;

export const isInside = (one: Span, other: Span): boolean =>
  other.from <= one.from && (one.to ?? Infinity) <= (other.to ?? Infinity);

export const overlaps = (one: Span, other: Span): boolean =>
  one.from < (other.to ?? Infinity) && other.from < (one.to ?? Infinity);

/** Bounds in Unix milliseconds, inclusive; an open end is null. */
export const spanMs = ({ from, to }: Span, unit: TickUnit): { from: number | null; to: number | null } => ({
  from: from === 0 ? null : from * tickMs(unit),
  to: to === null ? null : to * tickMs(unit),
});

/**
 * Whether an incident created at `at` (Unix ms) may be in the answer for a span. A service may round times to its unit
 * up or down, so an incident up to one tick beyond a bound is no contradiction.
 */
export function mayHold({ from, to }: Span, at: number, unit: TickUnit): boolean {
  const tick = tickMs(unit);
  return !(at <= (from - 1) * tick || (to !== null && at >= (to + 1) * tick));
}

/** Whether it must be: at least one tick within, however the service rounds or compares. */
export function mustHold({ from, to }: Span, at: number, unit: TickUnit): boolean {
  const tick = tickMs(unit);
  return at >= (from + 1) * tick && (to === null || at <= (to - 1) * tick);
}

/** The tick of an instant. */
export const tickOf = (at: number, unit: TickUnit): number => Math.floor(at / tickMs(unit));

/** Creation times in ticks, with their fractions, in the order of the rows; of those that have one. */
export function timesIn(rows: readonly IncidentRecord[], unit: TickUnit): number[] {
  const tick = tickMs(unit);
  return rows.flatMap(({ createdAt }) => (Number.isNaN(createdAt) ? [] : [createdAt / tick]));
}

/** What a window remembers of its rows. */
export const factsOf = (
  rows: readonly IncidentRecord[],
  unit: TickUnit,
): Pick<LedgerWindow, 'rows' | 'open' | 'times'> => ({
  rows: rows.length,
  open: rows.filter(({ status }) => isOpen(status)).length,
  times: timesIn(rows, unit).sort((a, b) => a - b),
});

/** What a part of an answer's window remembers of those rows that are its own. */
export function factsWithin(rows: readonly IncidentRecord[], { from, to }: Span, unit: TickUnit) {
  const tick = tickMs(unit);
  const isInside = ({ createdAt: at }: IncidentRecord): boolean =>
    at >= from * tick && at <= (to ?? Infinity) * tick;
  return factsOf(rows.filter(isInside), unit);
}
