import { statusClassOf } from '../../src-preload/contract/index.ts';
import { rankOf, severityRanks } from './severity.ts';
import { sortRows } from './sort.ts';
import type { IncidentTable } from './table.ts';

/** By index into the dictionary of statuses: whether it says that an incident is over, however it is written. */
export const endedStatuses = (statuses: readonly string[]): readonly boolean[] =>
  statuses.map((status) => statusClassOf(status).over);

/** Worst first. */
const counted = (['critical', 'unknown', 'high'] as const).map(rankOf);

/**
 * Critical, unranked and high incidents that are not over: `most` rows of each mark, the worst and of
 * those the latest. They are told by the rule of the handover report, which lists some of them: what it lists must be among these.
 */
export function worstOpen(table: IncidentTable, most: number): number[] {
  const { columns, dictionaries } = table;
  const ranks = severityRanks(table);
  const isOver = endedStatuses(dictionaries.status);
  const open = Uint32Array.from({ length: table.length }, (_, row) => row).filter(
    (row) => isOver[columns.status[row] ?? 0] !== true,
  );
  return counted.flatMap((rank) => {
    const ofRank = open.filter((row) => ranks[columns.severity[row] ?? 0] === rank);
    return [...sortRows(table, ofRank, 'severity', 'descending').subarray(0, most)];
  });
}
