import { severityNames } from '../../src-preload/contract/index.ts';
import { severityRanks } from './severity.ts';
import type { IncidentTable } from './table.ts';

/** How many severities a bin counts apart: by the rank of their mark. */
export const ranksPerBin = severityNames.length;

export interface Histogram {
  /** Unix ms, one more than there are bins; a bin holds its first edge and not its last. */
  readonly edges: Float64Array;
  /** Of bin `b` and severity rank `r` at `b * ranksPerBin + r`. */
  readonly counts: Uint32Array;
  /** Incidents in the fullest bin. */
  readonly largest: number;
  /** Incidents before the first edge, and at or after the last. One whose time is unknown is in neither. */
  readonly before: number;
  readonly after: number;
}

/**
 * Counts rows of the table per bin and severity, in one pass.
 *
 * @param rows row indices, valid for the table's present revision.
 * @param edges ascending Unix ms, at least two; about evenly apart.
 */
export function histogram(table: IncidentTable, rows: Uint32Array, edges: Float64Array): Histogram {
  const { createdAt, severity } = table.columns;
  const ranks = severityRanks(table);
  const bins = Math.max(0, edges.length - 1);
  const counts = new Uint32Array(bins * ranksPerBin);
  const first = edges[0] ?? 0;
  const last = edges[bins] ?? 0;
  const perMs = bins / (last - first);
  let [before, after] = [0, 0];
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index] as number;
    const at = createdAt[row] as number;
    if (at < first) before += 1;
    else if (at >= last) after += 1;
    else if (at >= first) {
      // Bins beside a change of the clock are longer or shorter than the others: the guess is off by few.
      let bin = Math.min(bins - 1, Math.floor((at - first) * perMs));
      while (at < (edges[bin] as number)) bin -= 1;
      while (at >= (edges[bin + 1] as number)) bin += 1;
      const place = bin * ranksPerBin + (ranks[severity[row] as number] as number);
      counts[place] = (counts[place] as number) + 1;
    }
  }
  let largest = 0;
  for (let bin = 0; bin < bins; bin += 1) largest = Math.max(largest, sum(counts, bin, bin + 1));
  return { edges, counts, largest, before, after };
}

/** The counts of one bin: by rank what is open, then by rank what is over. */
export function openThenOver(counts: Uint32Array, open: Uint32Array, bin: number): number[] {
  const ranks = Array.from({ length: ranksPerBin }, (_, rank) => bin * ranksPerBin + rank);
  const opened = ranks.map((at) => open[at] ?? 0);
  return [...opened, ...ranks.map((at, rank) => (counts[at] ?? 0) - (opened[rank] ?? 0))];
}

/** Incidents of all severities in the bins from `first` up to `end`, which is not among them. */
export const sum = (counts: Uint32Array, first: number, end: number): number => {
  let total = 0;
  for (let at = first * ranksPerBin; at < end * ranksPerBin; at += 1) total += counts[at] as number;
  return total;
};

/** The same per severity rank. */
export function sumByRank(counts: Uint32Array, first: number, end: number): readonly number[] {
  const totals = new Array<number>(ranksPerBin).fill(0);
  for (let at = first * ranksPerBin; at < end * ranksPerBin; at += 1)
    totals[at % ranksPerBin] = (totals[at % ranksPerBin] ?? 0) + (counts[at] as number);
  return totals;
}

/**
 * How high each severity of one bin is drawn, in whole pixels, by rank. What is there is never
 * invisible: a single critical incident beside a thousand low ones has `least` pixels too, taken from
 * the tallest part.
 */
export function barHeights(counts: ArrayLike<number>, largest: number, height: number, least = 2): number[] {
  const parts = Array.from(counts, (count) =>
    count === 0 ? 0 : Math.max(least, Math.round((count / largest) * height)),
  );
  let over = parts.reduce((total, part) => total + part, 0) - height;
  while (over > 0) {
    const tallest = parts.indexOf(Math.max(...parts));
    const given = Math.min(over, Math.max(0, (parts[tallest] ?? 0) - least));
    if (given === 0) break;
    parts[tallest] = (parts[tallest] ?? 0) - given;
    over -= given;
  }
  return parts;
}
