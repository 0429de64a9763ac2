import { severityRanks } from './severity.ts';
import type { IncidentTable } from './table.ts';
import { openEntries } from './worstOpen.ts';

/** Incidents that lie within this of each other cannot be told apart by zooming in, degrees. */
export const inseparableDegrees = 0.000_05;

/** The incidents of one place, and which of them is selected. */
export interface Stack {
  /**
   * Keys in the order in which they are stepped through, as a press on their mark opens them (map/clusters): those that
   * are open first, of these the worst severity, of those the lowest key.
   */
  readonly keys: readonly number[];
  /** Index of the selected one in `keys`. */
  readonly at: number;
}

/**
 * Those of `rows` that lie at the place of an incident, itself among them. Null when `key` is none of `rows`, has no
 * location or lies alone.
 */
export function stackOf(table: IncidentTable, rows: Uint32Array, key: number): Stack | null {
  const { columns } = table;
  const { latitude, longitude, severity, status } = columns;
  const own = table.indexOfKey(key);
  if (own < 0) return null;
  const [lat, lon] = [latitude[own] as number, longitude[own] as number];
  const here = rows.filter((row) => {
    const gap = Math.abs((longitude[row] as number) - lon);
    return (
      Math.abs((latitude[row] as number) - lat) < inseparableDegrees &&
      Math.min(gap, 360 - gap) < inseparableDegrees
    );
  });
  if (here.length < 2 || !here.includes(own)) return null;
  const ranks = severityRanks(table);
  const isOpen = openEntries(table);
  const openOf = (row: number): number => isOpen[status[row] as number] as number;
  const rankOf = (row: number): number => ranks[severity[row] as number] as number;
  const keyOf = (row: number): number => columns.key[row] as number;
  const keys = [...here]
    .sort((a, b) => openOf(b) - openOf(a) || rankOf(b) - rankOf(a) || keyOf(a) - keyOf(b))
    .map(keyOf);
  return { keys, at: keys.indexOf(key) };
}
