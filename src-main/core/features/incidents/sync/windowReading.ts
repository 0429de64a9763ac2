import { openRule } from '../../../../../src-preload/contract/index.ts';
import type { IncidentRecord, UnreadableRecord } from '../../../state/incident.ts';
import type { ListPages } from './listReader.ts';
import { spanMs, type CheckedAnswer, type LedgerWindow, type Span, type TickUnit } from './window.ts';

/** Rows older than an answer by this much were there when it was given; younger ones may have come since. */
const settledMs = 120_000;

/** One row of an answer as the ledger sees it. */
export interface SeenRow {
  readonly id: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly open: boolean;
}

/** One answer to a window, with the pages that followed it. */
export interface WindowReading {
  /** In the order of the answer. */
  readonly rows: readonly SeenRow[];
  /** The first of the `unreadableCount` that were set aside. */
  readonly unreadable: readonly UnreadableRecord[];
  readonly unreadableCount: number;
  /** The largest page among them, in records. */
  readonly largestPage: number;
  /** The service said page by page that there is more, and with the last page that there is not. */
  readonly followed: boolean;
  /** The pages were not followed to their end. */
  readonly cut: boolean;
}

/** What can still change is read again more often; a deployment's own words for closed do not matter for that. */
const isOpen = openRule();

/** A list as the ledger sees it. */
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

/** How many rows of an answer lie in a part of its window. */
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

/** Whether an answer lacked a row that was there when it was given. */
export const lacked = ({ ids, readAt }: CheckedAnswer, rows: readonly SeenRow[]): boolean =>
  rows.some(({ id, createdAt }) => createdAt < readAt - settledMs && !ids.has(id));
