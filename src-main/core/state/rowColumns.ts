import {
  columnArrayNames,
  columnArrays,
  type ArraysOf,
  type IncidentColumns,
} from '../../../src-preload/contract/index.ts';

/** The columns of the contract, and those that only the core needs. */
const rowArrays = {
  ...columnArrays,
  /** The revision of the row's last change. */
  changedAt: Float64Array,
  firstSeenAt: Float64Array,
  lastSeenAt: Float64Array,
  /** Since when the service no longer returns it, server time. Without meaning unless `notReturned` is set. */
  notReturnedSince: Float64Array,
} as const;
const rowArrayNames = Object.keys(rowArrays) as (keyof typeof rowArrays)[];
export type RowArrays = ArraysOf<typeof rowArrays>;

export function makeRowArrays(capacity: number): RowArrays {
  const made = Object.fromEntries(rowArrayNames.map((name) => [name, new rowArrays[name](capacity)]));
  return made as unknown as RowArrays;
}

/** The same rows in arrays with another capacity. */
export function resizedRowArrays(rows: RowArrays, capacity: number): RowArrays {
  const next = makeRowArrays(capacity);
  for (const name of rowArrayNames) next[name].set(rows[name]);
  return next;
}

/**
 * The rows of `slots`, in ascending order, as columns. When no slot is left out nothing is copied, since the caller
 * encodes them at once: the columns are valid until the next change.
 */
export function gatherColumns(
  rows: RowArrays,
  slots: Uint32Array,
  ids: { readonly offsets: Uint32Array; readonly bytes: Uint8Array },
): IncidentColumns {
  const length = slots.length;
  const first = slots[0] ?? 0;
  const dense = (slots[length - 1] ?? 0) - first === length - 1;
  const columns = columnArrayNames.map((name) => {
    const source = rows[name];
    if (dense) return [name, source.subarray(first, first + length)];
    const target = new columnArrays[name](length);
    for (let index = 0; index < length; index += 1) target[index] = source[slots[index] ?? 0] ?? 0;
    return [name, target];
  });
  const encoded = { idOffsets: ids.offsets, idBytes: ids.bytes };
  return { length, ...Object.fromEntries(columns), ...encoded } as IncidentColumns;
}
