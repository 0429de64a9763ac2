import type { IncidentColumns } from '../../../src-preload/contract/index.ts';

/** The store's own columns: those of the contract, and what only the core needs. */
export interface RowArrays {
  createdAt: Float64Array;
  latitude: Float64Array;
  longitude: Float64Array;
  arrivedAt: Float64Array;
  key: Uint32Array;
  evidenceCount: Uint32Array;
  anchorCount: Uint32Array;
  severity: Uint16Array;
  status: Uint16Array;
  type: Uint16Array;
  /** 1 where `notReturnedSince` is set. */
  notReturned: Uint8Array;
  /** 1 when the slot holds a row, 0 when it is free. */
  alive: Uint8Array;
  /** The revision of the row's last change. */
  changedAt: Float64Array;
  firstSeenAt: Float64Array;
  lastSeenAt: Float64Array;
  /** Since when complete reads no longer return it, server time; NaN while they do. */
  notReturnedSince: Float64Array;
}

export const makeRowArrays = (capacity: number): RowArrays => ({
  createdAt: new Float64Array(capacity),
  latitude: new Float64Array(capacity),
  longitude: new Float64Array(capacity),
  arrivedAt: new Float64Array(capacity),
  key: new Uint32Array(capacity),
  evidenceCount: new Uint32Array(capacity),
  anchorCount: new Uint32Array(capacity),
  severity: new Uint16Array(capacity),
  status: new Uint16Array(capacity),
  type: new Uint16Array(capacity),
  notReturned: new Uint8Array(capacity),
  alive: new Uint8Array(capacity),
  changedAt: new Float64Array(capacity),
  firstSeenAt: new Float64Array(capacity),
  lastSeenAt: new Float64Array(capacity),
  notReturnedSince: new Float64Array(capacity).fill(Number.NaN),
});

/** The same rows in arrays of another capacity. */
export function resizedRowArrays(rows: RowArrays, capacity: number): RowArrays {
  const next = makeRowArrays(capacity);
  next.createdAt.set(rows.createdAt);
  next.latitude.set(rows.latitude);
  next.longitude.set(rows.longitude);
  next.arrivedAt.set(rows.arrivedAt);
  next.key.set(rows.key);
  next.evidenceCount.set(rows.evidenceCount);
  next.anchorCount.set(rows.anchorCount);
  next.severity.set(rows.severity);
  next.status.set(rows.status);
  next.type.set(rows.type);
  next.notReturned.set(rows.notReturned);
  next.alive.set(rows.alive);
  next.changedAt.set(rows.changedAt);
  next.firstSeenAt.set(rows.firstSeenAt);
  next.lastSeenAt.set(rows.lastSeenAt);
  next.notReturnedSince.set(rows.notReturnedSince);
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
  const into = <A extends Float64Array | Uint32Array | Uint16Array | Uint8Array>(target: A, source: A): A => {
    if (dense) {
      target.set(source.subarray(first, first + length));
      return target;
    }
    for (let index = 0; index < length; index += 1) target[index] = source[slots[index] ?? 0] ?? 0;
    return target;
  };
  return {
    length,
    key: into(new Uint32Array(length), rows.key),
    createdAt: into(new Float64Array(length), rows.createdAt),
    latitude: into(new Float64Array(length), rows.latitude),
    longitude: into(new Float64Array(length), rows.longitude),
    arrivedAt: into(new Float64Array(length), rows.arrivedAt),
    evidenceCount: into(new Uint32Array(length), rows.evidenceCount),
    anchorCount: into(new Uint32Array(length), rows.anchorCount),
    severity: into(new Uint16Array(length), rows.severity),
    status: into(new Uint16Array(length), rows.status),
    type: into(new Uint16Array(length), rows.type),
    notReturned: into(new Uint8Array(length), rows.notReturned),
    ...ids,
  };
}
