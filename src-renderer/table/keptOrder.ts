import type { SortColumn } from '../../src-preload/contract/index.ts';
import { sortRows, type SortDirection } from './sort.ts';
import type { IncidentTable } from './table.ts';

/** What an order is of; another of any of these is another order. */
export interface OrderOf {
  readonly table: IncidentTable;
  readonly by: SortColumn;
  readonly direction: SortDirection;
  /** See `sortRows`. */
  readonly distances: Float64Array | null;
}

/** Fewer rows than one in so many are sorted faster than they are found in the order of all. */
const sparse = 16;

/**
 * Puts rows in order, as `sortRows` does, again and again while a filter moves: from the second time on they
 * are picked from the order of the whole table, which holds until the table changes or another order is asked
 * for. A filter that stands still sorts its own rows only, at each change of the table.
 */
export class TableOrder {
  #last: { readonly of: OrderOf; readonly revision: number } | null = null;
  #whole: Uint32Array<ArrayBuffer> | null = null;

  /** @returns a read-only array: it may be returned again. */
  sort(rows: Uint32Array, of: OrderOf): Uint32Array<ArrayBuffer> {
    const { table } = of;
    const again = this.#last !== null && isSame(this.#last, of);
    if (!again) {
      this.#last = { of, revision: table.revision };
      this.#whole = null;
    }
    if (rows.length === table.length) return (this.#whole ??= sorted(rows, of));
    if (!again || rows.length * sparse < table.length) return sorted(rows, of);
    this.#whole ??= sorted(everyRow(table.length), of);
    return pick(this.#whole, rows);
  }
}

const sorted = (rows: Uint32Array, { table, by, direction, distances }: OrderOf): Uint32Array<ArrayBuffer> =>
  sortRows(table, rows, by, direction, distances);

const isSame = (last: { readonly of: OrderOf; readonly revision: number }, of: OrderOf): boolean =>
  last.of.table === of.table &&
  last.revision === of.table.revision &&
  last.of.by === of.by &&
  last.of.direction === of.direction &&
  last.of.distances === of.distances;

const everyRow = (length: number): Uint32Array => {
  const rows = new Uint32Array(length);
  for (let row = 0; row < length; row += 1) rows[row] = row;
  return rows;
};

/** Those of `rows` in the order in which `order` has them. */
function pick(order: Uint32Array, rows: Uint32Array): Uint32Array<ArrayBuffer> {
  const wanted = new Uint8Array(order.length);
  for (let at = 0; at < rows.length; at += 1) wanted[rows[at] as number] = 1;
  const picked = new Uint32Array(rows.length);
  let count = 0;
  for (let at = 0; at < order.length; at += 1) {
    const row = order[at] as number;
    // Written in any case and kept only where it is wanted: a branch that is half the time wrong costs more.
    picked[count] = row;
    count += wanted[row] as number;
  }
  return picked;
}
