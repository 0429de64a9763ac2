import { severityRank } from './severity.ts';
import { sortRows } from './sort.ts';
import type { IncidentTable } from './table.ts';

/** Critical and high incidents that are not resolved: `most` rows of each severity, the latest of them. */
export function worstOpen(table: IncidentTable, most: number): number[] {
  const { columns, dictionaries } = table;
  const ranks = dictionaries.severity.map(severityRank);
  const isResolved = dictionaries.status.map((status) => status.trim().toLowerCase() === 'resolved');
  const open = Uint32Array.from({ length: table.length }, (_, row) => row).filter(
    (row) => (ranks[columns.severity[row] ?? 0] ?? 0) >= 3 && isResolved[columns.status[row] ?? 0] !== true,
  );
  const left = new Map<number | undefined, number>();
  return Array.from(sortRows(table, open, 'severity', 'descending')).filter((row) => {
    const rank = ranks[columns.severity[row] ?? 0];
    const taken = left.get(rank) ?? 0;
    left.set(rank, taken + 1);
    return taken < most;
  });
}
