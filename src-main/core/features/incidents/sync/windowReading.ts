import { openRule } from '../../../../../src-preload/contract/index.ts';
import type { IncidentRecord, UnreadableRecord } from '../../../state/incident.ts';
import type { ListPages } from './listReader.ts';
import { spanMs, type CheckedAnswer, type LedgerWindow, type Span, type TickUnit } from './window.ts';

/** Rows older than an answer by this much existed when it was given; younger ones may be newer. */
const settledMs = 120_000;

/** The part of a row that the ledger needs. */
export interface SeenRow {
  readonly id: string;
  /** Unix milliseconds, NaN where unknown: then it may belong in any window. */
  readonly createdAt: number;
  readonly open: boolean;
}

/** One answer for a window, with all pages that were followed. */
export interface WindowReading {
  /** In the order of the answer. */
  readonly rows: readonly SeenRow[];
  /** The first of the `unreadableCount` that were set aside. */
  readonly unreadable: readonly UnreadableRecord[];
  readonly unreadableCount: number;
  /** Records in the largest page. */
  readonly largestPage: number;
  /** Each page named the next one, and the last page named none. */
  readonly followed: boolean;
  /** The pages were not followed to their end. */
  readonly cut: boolean;
}

/**
 * Open incidents are read more often, because they can change. The deployment's extra words for closed do not matter
 * here.
 */
const isOpen = openRule();

/** A list in the form for the ledger. */
export const readingOf = ({ rows, largestPage, followed, cut, ...pages }: ListPages): WindowReading => ({
  rows: rows.map(({ id, createdAt, status }: IncidentRecord) => ({
    id,
    createdAt,
    open: isOpen(status),
  })),
  unreadable: pages.unreadable,
  unreadableCount: pages.unreadableCount,
  largestPage,
  followed,
  cut,
});

/** Creation times in ticks of `tick` ms, with their fractions, in the order of the rows; of those that have one. */
export const timesIn = (rows: readonly SeenRow[], tick: number): number[] =>
  rows.flatMap(({ createdAt }) => (Number.isNaN(createdAt) ? [] : [createdAt / tick]));

/** How many rows of an answer belong to a part of its window. */
export function heldBy(
  { rows }: WindowReading,
  span: Span,
  unit: TickUnit,
): Pick<LedgerWindow, 'rows' | 'open'> {
  const { from, to } = spanMs(span, unit);
  let [count, open] = [0, 0];
  for (const row of rows) {
    if (row.createdAt < (from ?? -Infinity) || row.createdAt > (to ?? Infinity)) continue;
    count += 1;
    if (row.open) open += 1;
  }
  return { rows: count, open };
}

/** Whether the checked answer lacked one of `rows` that already existed when it was given. */
export const lacked = ({ ids, readAt }: CheckedAnswer, rows: readonly SeenRow[]): boolean =>
  rows.some(({ id, createdAt }) => createdAt < readAt - settledMs && !ids.has(id));
