import { severityRank } from './severity.ts';
import { sortRows } from './sort.ts';
import type { IncidentTable } from './table.ts';

/** By index into the dictionary of statuses: whether it says that an incident is resolved, however it is written. */
export const resolvedStatuses = (statuses: readonly string[]): readonly boolean[] =>
  statuses.map((status) => status.toLowerCase() === 'resolved');

/** Worst first. */
const counted = [severityRank('critical'), severityRank('high')];

/**
 * Critical and high incidents that are not resolved: `most` rows of each severity, the latest of them. They
 * are told by the rule of the handover report, which lists some of them: what it lists must be among these.
 */
export function worstOpen(table: IncidentTable, most: number): number[] {
  const { columns, dictionaries } = table;
  const ranks = dictionaries.severity.map((severity) => severityRank(severity.trim()));
  const isResolved = resolvedStatuses(dictionaries.status);
  const open = Uint32Array.from({ length: table.length }, (_, row) => row).filter(
    (row) => isResolved[columns.status[row] ?? 0] !== true,
  );
  return counted.flatMap((rank) => {
    const ofRank = open.filter((row) => ranks[columns.severity[row] ?? 0] === rank);
    return [...sortRows(table, ofRank, 'created', 'descending').subarray(0, most)];
  });
}
