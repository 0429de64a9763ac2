import type { ComputedRef, Ref } from 'vue';
import { groupAt, headerOf } from '../../../table/groups.ts';
import type { IncidentTable } from '../../../table/table.ts';

/** What both forms of the list are given. */
export interface IncidentScrollProps {
  readonly table: IncidentTable;
  /** Rows of the table in the list's order, among them headers of groups (table/groups.ts). */
  readonly rows: Uint32Array;
  /** The same, and those that one like them stands for (table/alike.ts). */
  readonly everyRow: Uint32Array;
  /** In which keys hold; in another one places are found again by id. */
  readonly epoch: string | null;
  readonly selected: number | null;
  /** What is searched for: the list of another question starts at the top. */
  readonly question: string;
}

/** What the list's component does with them. */
export interface IncidentScrollOptions {
  readonly scroller: Readonly<Ref<HTMLElement | null>>;
  /** The height of a row, CSS pixels. */
  readonly rowHeight: ComputedRef<number>;
  /** The height of what stays above the rows while they scroll, CSS pixels. */
  readonly headHeight: ComputedRef<number>;
  readonly select: (key: number | null) => void;
  /** Shows or hides the rows of a group; without `collapsed`, the other one of both. */
  readonly toggleGroup: (id: number, collapsed?: boolean) => void;
}

/** A group's header has a key below zero, so that the keyboard can stand on it as on an incident. */
export const keyOfGroup = (id: number): number => -1 - id;
export const groupOfKey = (key: number): number => -1 - key;

/** The key of the incident or the header at a place of the list; null beyond its end. */
export function keyAt({ rows, table }: IncidentScrollProps, position: number): number | null {
  const row = rows[position];
  const group = groupAt(row);
  if (group !== null) return keyOfGroup(group);
  return row === undefined ? null : (table.columns.key[row] ?? null);
}

/** Where a key stands in the list; -1 where it does not. */
export function positionOf({ rows, table }: IncidentScrollProps, key: number | null): number {
  if (key === null) return -1;
  if (key < 0) return rows.indexOf(headerOf(groupOfKey(key)));
  const row = table.indexOfKey(key);
  return row < 0 ? -1 : rows.indexOf(row);
}
