import {
  columnArrayNames,
  columnArrays,
  type ArraysOf,
  type IncidentColumns,
} from '../../../src-preload/contract/index.ts';

/** The columns of the contract, and what only the core needs. */
const rowArrays = {
  ...columnArrays,
  /** 1 when the slot holds a row, 0 when it is free. */
  alive: Uint8Array,
  /** The revision of the row's last change. */
  changedAt: Float64Array,
  firstSeenAt: Float64Array,
  lastSeenAt: Float64Array,
  /** Since when complete reads no longer return it, server time; NaN while they do. */
  notReturnedSince: Float64Array,
} as const;
const rowArrayNames = Object.keys(rowArrays) as (keyof typeof rowArrays)[];
export type RowArrays = ArraysOf<typeof rowArrays>;

export function makeRowArrays(capacity: number): RowArrays {
  const made = Object.fromEntries(rowArrayNames.map((name) => [name, new rowArrays[name](capacity)]));
  const rows = made as unknown as RowArrays;
  rows.notReturnedSince.fill(Number.NaN);
  return rows;
}

/** The same rows in arrays of another capacity. */
export function resizedRowArrays(rows: RowArrays, capacity: number): RowArrays {
  const next = makeRowArrays(capacity);
  for (const name of rowArrayNames) next[name].set(rows[name]);
  return next;
}

const encoder = new TextEncoder();

export interface EncodedIds {
  readonly idOffsets: Uint32Array;
  readonly idBytes: Uint8Array;
}

/**
 * Ids as one run of UTF-8. Joined and encoded at once: an id at a time costs ten times as much.
 * Where all is ASCII (nearly always) the offsets are the lengths of the strings.
 */
export function encodeIds(ids: readonly string[]): EncodedIds {
  const idOffsets = new Uint32Array(ids.length + 1);
  const joined = ids.join('');
  const idBytes = encoder.encode(joined);
  const ascii = idBytes.byteLength === joined.length;
  let offset = 0;
  for (let index = 0; index < ids.length; index += 1) {
    const id = ids[index] ?? '';
    offset += ascii ? id.length : encoder.encode(id).byteLength;
    idOffsets[index + 1] = offset;
  }
  return { idOffsets, idBytes };
}

/** Copies the rows of `slots`, which ascend, into columns of their own. */
export function gatherColumns(rows: RowArrays, slots: Uint32Array, ids: EncodedIds): IncidentColumns {
  const length = slots.length;
  const first = slots[0] ?? 0;
  const dense = (slots[length - 1] ?? 0) - first === length - 1;
  const columns = columnArrayNames.map((name) => {
    const [source, target] = [rows[name], new columnArrays[name](length)];
    if (dense) target.set(source.subarray(first, first + length));
    else for (let index = 0; index < length; index += 1) target[index] = source[slots[index] ?? 0] ?? 0;
    return [name, target];
  });
  return { length, ...Object.fromEntries(columns), ...ids } as IncidentColumns;
}
