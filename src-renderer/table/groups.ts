import { severityWeights } from './severity.ts';
import type { IncidentTable } from './table.ts';
import { openEntries } from './worstOpen.ts';

/** Rows that have something in common, by a number of the caller's. */
export interface Group {
  /** At least 0. */
  readonly id: number;
  /** Those that are open first, each part in the order that was given. */
  readonly rows: Uint32Array<ArrayBuffer>;
  readonly open: number;
}

/**
 * Parts rows into groups: those with the worst open incident first, of these those with the most open ones, then the
 * largest. One pass to count and one to place: 100,000 rows take a few milliseconds.
 *
 * @param rows rows of the table, in the list's order
 * @param idOf the number of a row's group, at least 0
 */
export function groupRows(
  table: IncidentTable,
  rows: Uint32Array,
  idOf: (row: number) => number,
): readonly Group[] {
  const { severity, status } = table.columns;
  const isOpen = openEntries(table);
  const weights = severityWeights(table);
  const ordinals = new Map<number, number>();
  const counts: { id: number; all: number; open: number; worst: number }[] = [];
  const ordinalOf = new Uint32Array(rows.length);
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] as number;
    const id = idOf(row);
    let ordinal = ordinals.get(id);
    if (ordinal === undefined) {
      ordinal = counts.push({ id, all: 0, open: 0, worst: -1 }) - 1;
      ordinals.set(id, ordinal);
    }
    ordinalOf[at] = ordinal;
    const count = counts[ordinal] as (typeof counts)[number];
    count.all += 1;
    if (isOpen[status[row] as number] !== 1) continue;
    count.open += 1;
    count.worst = Math.max(count.worst, weights[severity[row] as number] as number);
  }
  const groups = counts.map(({ id, all, open }) => ({ id, open, rows: new Uint32Array(all) }));
  const nextOpen = new Uint32Array(counts.length);
  const nextOver = Uint32Array.from(counts, ({ open }) => open);
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] as number;
    const ordinal = ordinalOf[at] as number;
    const next = isOpen[status[row] as number] === 1 ? nextOpen : nextOver;
    const place = next[ordinal] as number;
    (groups[ordinal] as Group).rows[place] = row;
    next[ordinal] = place + 1;
  }
  const order = counts.map((_, ordinal) => ordinal);
  order.sort((a, b) => {
    const [one, other] = [counts[a], counts[b]] as [(typeof counts)[number], (typeof counts)[number]];
    return other.worst - one.worst || other.open - one.open || other.all - one.all || one.id - other.id;
  });
  return order.map((ordinal) => groups[ordinal] as Group);
}

/** A list's entry from this number on is the header of a group; a smaller one is a row of the table. */
const firstHeader = 0x80_00_00_00;

export const headerOf = (groupId: number): number => firstHeader + groupId;
/** The group that an entry is the header of; null for a row. */
export const groupAt = (entry: number | undefined): number | null =>
  entry === undefined || entry < firstHeader ? null : entry - firstHeader;

/** A list of groups as entries: each header, and after it the group's rows where it is not collapsed. */
export function entriesOf(
  groups: readonly Group[],
  collapsed: ReadonlySet<number>,
): Uint32Array<ArrayBuffer> {
  const shown = groups.map((group) => (collapsed.has(group.id) ? 0 : group.rows.length));
  const entries = new Uint32Array(shown.reduce((sum, rows) => sum + rows + 1, 0));
  let at = 0;
  groups.forEach((group, place) => {
    entries[at] = headerOf(group.id);
    if (shown[place] !== 0) entries.set(group.rows, at + 1);
    at += 1 + (shown[place] ?? 0);
  });
  return entries;
}
