import { rankOf, severityRanks } from './severity.ts';
import { sortRows } from './sort.ts';
import type { IncidentTable } from './table.ts';

/** By index into the dictionary of statuses: 1 for those of an incident that is open, so that a pass over rows compares numbers. */
export const openEntries = ({
  dictionaries,
  isOpen,
}: Pick<IncidentTable, 'dictionaries' | 'isOpen'>): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(dictionaries.status, (status) => Number(isOpen(status)));

/** Those of `rows` that are open, in their order. */
export function openRows(table: IncidentTable, rows: Uint32Array): Uint32Array<ArrayBuffer> {
  const { status } = table.columns;
  const isOpen = openEntries(table);
  return Uint32Array.from(rows).filter((row) => isOpen[status[row] ?? 0] === 1);
}

const everyRow = (table: IncidentTable): Uint32Array =>
  Uint32Array.from({ length: table.length }, (_, row) => row);

/** All that is open and critical, whatever the filters. */
export function openCritical(table: IncidentTable): Uint32Array<ArrayBuffer> {
  const { severity } = table.columns;
  const ranks = severityRanks(table);
  return openRows(table, everyRow(table)).filter((row) => ranks[severity[row] ?? 0] === rankOf('critical'));
}

/** All that is open and still returned by the service: the worst first, of those the newest. */
export const openWorstFirst = (table: IncidentTable): Uint32Array<ArrayBuffer> => {
  const { notReturned } = table.columns;
  const open = openRows(table, everyRow(table)).filter((row) => notReturned[row] !== 1);
  return sortRows(table, open, 'severity', 'descending');
};
