import type { IncidentTable } from './table.ts';

/** Fewer rows than this are read as fast as their number. */
const leastAlike = 3;

/** Rows in the list's order, and how many each that stands for several stands for, itself among them. */
export interface FoldedRows {
  readonly rows: Uint32Array<ArrayBuffer>;
  readonly counts: ReadonlyMap<number, number>;
}

/**
 * Leaves of rows that follow each other and read alike (type, severity, status and place) only the first. One without a
 * location is like no other: nothing says that they are in one place. One pass; without such rows `rows` is returned.
 *
 * @param rows rows of the table, in the list's order
 * @param standsOut whether a row says more than those beside it, as that it changed
 * @param isOpened whether a row is to be seen, and all that are like it
 */
export function foldAlike(
  table: IncidentTable,
  rows: Uint32Array<ArrayBuffer>,
  standsOut: (row: number) => boolean,
  isOpened: (row: number) => boolean,
): FoldedRows {
  const { type, severity, status, latitude, longitude, notReturned } = table.columns;
  const columns = [latitude, longitude, type, severity, status, notReturned];
  const isAlike = (one: number, other: number): boolean =>
    columns.every((column) => column[one] === column[other]) && !standsOut(one) && !standsOut(other);
  const counts = new Map<number, number>();
  const kept = new Uint32Array(rows.length);
  let size = 0;
  let end = 0;
  for (let at = 0; at < rows.length; at = end) {
    const first = rows[at] as number;
    end = at + 1;
    while (end < rows.length && isAlike(first, rows[end] as number)) end += 1;
    const run = rows.subarray(at, end);
    const isFolded = run.length >= leastAlike && !run.some(isOpened);
    if (isFolded) counts.set(first, run.length);
    kept.set(isFolded ? run.subarray(0, 1) : run, size);
    size += isFolded ? 1 : run.length;
  }
  return { rows: counts.size === 0 ? rows : kept.slice(0, size), counts };
}
