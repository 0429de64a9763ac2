import { foldWord, statusClassOf } from '../../src-preload/contract/index.ts';
import { openEntries } from './worstOpen.ts';
import type { IncidentTable } from './table.ts';

export interface RowFilter {
  /** Severities, statuses and types in any spelling, for all of theirs; an empty list lets every value through. */
  readonly severities: readonly string[];
  readonly statuses: readonly string[];
  readonly types: readonly string[];
  /** Only what is open. */
  readonly openOnly: boolean;
  /** Bounds on `createdAt` in Unix ms, both inclusive; null for none. They leave out no row whose time is unknown. */
  readonly from: number | null;
  readonly to: number | null;
  /** `without`: only those that no map shows. */
  readonly location: 'without' | 'any';
  /** A byte per row of the table, 1 for those that a search found; null or left out for no search. */
  readonly found?: Uint8Array | null;
}

export interface FilteredRows {
  /** Row indices in table order, valid for the table's present revision. */
  readonly rows: Uint32Array<ArrayBuffer>;
  /**
   * Rows per class (by its key), for the entries of the filter bar: each counts what would be shown if
   * only its own filter were open, so one that is off still says what it would add.
   */
  readonly severityCounts: ReadonlyMap<string, number>;
  /** Whatever `openOnly` says: to choose a status that is over is to look at what is over. */
  readonly statusCounts: ReadonlyMap<string, number>;
  readonly typeCounts: ReadonlyMap<string, number>;
  /** As `severityCounts`, of open rows alone. */
  readonly openCounts: ReadonlyMap<string, number>;
}

/** Filters the table in one pass over its columns. */
export function filterRows(table: IncidentTable, filter: RowFilter): FilteredRows {
  const { columns, dictionaries, length } = table;
  const { severity, status, type, createdAt, latitude } = columns;
  const severityKey = (text: string): string => table.scale.classOf(text).key;
  const statusKey = (text: string): string => statusClassOf(text).key;
  const severityPasses = passing(dictionaries.severity, filter.severities, severityKey);
  const statusPasses = passing(dictionaries.status, filter.statuses, statusKey);
  const typePasses = passing(dictionaries.type, filter.types, foldWord);
  const isOpen = openEntries(table);
  const from = filter.from ?? -Infinity;
  const to = filter.to ?? Infinity;
  const wantsLocated = filter.location !== 'without';

  const rows = new Uint32Array(length);
  const perSeverity = new Uint32Array(dictionaries.severity.length);
  const perStatus = new Uint32Array(dictionaries.status.length);
  const perType = new Uint32Array(dictionaries.type.length);
  const openPerSeverity = new Uint32Array(dictionaries.severity.length);
  let kept = 0;
  const found = filter.found ?? null;
  for (let row = 0; row < length; row += 1) {
    if (found !== null && found[row] !== 1) continue;
    const at = createdAt[row] as number;
    if (at < from || at > to) continue;
    const place = latitude[row] as number;
    if (!wantsLocated && place === place) continue;
    const severityIndex = severity[row] as number;
    const statusIndex = status[row] as number;
    const typeIndex = type[row] as number;
    const severityPass = severityPasses[severityIndex] === 1;
    const chosenStatus = statusPasses[statusIndex] === 1;
    const open = isOpen[statusIndex] === 1;
    const statusPass = chosenStatus && (open || !filter.openOnly);
    if (severityPass && statusPass) perType[typeIndex] = (perType[typeIndex] as number) + 1;
    if (typePasses[typeIndex] !== 1) continue;
    if (statusPass) perSeverity[severityIndex] = (perSeverity[severityIndex] as number) + 1;
    if (chosenStatus && open) openPerSeverity[severityIndex] = (openPerSeverity[severityIndex] as number) + 1;
    if (!severityPass) continue;
    perStatus[statusIndex] = (perStatus[statusIndex] as number) + 1;
    if (!statusPass) continue;
    rows[kept] = row;
    kept += 1;
  }
  return {
    rows: rows.slice(0, kept),
    severityCounts: perClass(dictionaries.severity, perSeverity, severityKey),
    statusCounts: perClass(dictionaries.status, perStatus, statusKey),
    typeCounts: perClass(dictionaries.type, perType, foldWord),
    openCounts: perClass(dictionaries.severity, openPerSeverity, severityKey),
  };
}

/** One byte per dictionary entry: 1 where the value passes. */
function passing(
  dictionary: readonly string[],
  chosen: readonly string[],
  keyOf: (text: string) => string,
): Uint8Array {
  const passes = new Uint8Array(dictionary.length);
  if (chosen.length === 0) return passes.fill(1);
  const wanted = new Set(chosen.map(keyOf));
  dictionary.forEach((value, index) => {
    if (wanted.has(keyOf(value))) passes[index] = 1;
  });
  return passes;
}

/** Sums of entries, by the class that they are spellings of. */
function perClass(
  dictionary: readonly string[],
  counts: Uint32Array,
  keyOf: (text: string) => string,
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  dictionary.forEach((value, index) => {
    const key = keyOf(value);
    sums.set(key, (sums.get(key) ?? 0) + (counts[index] as number));
  });
  return sums;
}
