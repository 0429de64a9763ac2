/**
 * How many of the rows before position `until` have a key above `seen`: the arrivals above what the operator
 * is reading. Keys grow and are never reused within an epoch (contract/columns.ts), so a mark on the largest
 * key seen is enough.
 */
export function arrivalsAbove(keys: Uint32Array, rows: Uint32Array, until: number, seen: number): number {
  let arrivals = 0;
  for (let at = 0; at < until; at += 1) if ((keys[rows[at] ?? 0] ?? 0) > seen) arrivals += 1;
  return arrivals;
}

const arrivingMs = 60_000;

/** Whether what arrived then, while watching, is marked as just arrived; `arrivedAt` 0 was there before. */
export const isArriving = (arrivedAt: number, now: number): boolean =>
  arrivedAt > 0 && now - arrivedAt < arrivingMs;
