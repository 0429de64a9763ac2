import { columnNames, type ColumnName, type Columns } from '../../../src-preload/contract/index.ts';
import type { SortColumn, SortDirection } from '../../table/sort.ts';

/** The columns of a table, in order; widths in CSS pixels. */
export type ChosenColumns = NonNullable<Columns>;

export const leastWidth = 48;
export const mostWidth = 480;

/** Wide enough for what usually stands in each; at `normal` text. */
const usualWidths: Readonly<Record<ColumnName, number>> = {
  severity: 108,
  type: 144,
  status: 104,
  created: 208,
  place: 208,
  distance: 96,
  bearing: 88,
  evidence: 96,
  anchors: 96,
  id: 208,
};

export const usualWidth = (name: ColumnName): number => usualWidths[name];

/** What a table begins with. */
export const usualColumns: ChosenColumns = (['severity', 'type', 'status', 'created', 'place'] as const).map(
  (name) => ({ name, width: usualWidths[name] }),
);

/** The scroll bar at the table's end and the edge of its panel. */
const besideColumns = 18;

/** What a table of these columns takes so that none is cut, in CSS pixels. */
export const neededWidth = (columns: ChosenColumns): number =>
  columns.reduce((sum, { width }) => sum + width, besideColumns);

/** What the rows can be sorted by; the other columns say nothing that has an order of use. */
const sorts: Readonly<Partial<Record<ColumnName, SortColumn>>> = {
  severity: 'severity',
  type: 'type',
  status: 'status',
  created: 'created',
  distance: 'distance',
  evidence: 'evidence',
};

export const sortOf = (name: ColumnName): SortColumn | null => sorts[name] ?? null;

/** The order in which a column is read first; a second press turns it round. */
export const firstDirection = (by: SortColumn): SortDirection =>
  by === 'status' || by === 'type' || by === 'distance' ? 'ascending' : 'descending';

export function resized(columns: ChosenColumns, name: ColumnName, width: number): ChosenColumns {
  const bounded = Math.round(Math.max(leastWidth, Math.min(mostWidth, width)));
  return columns.map((column) => (column.name === name ? { name, width: bounded } : column));
}

/** With `name` at another place among the chosen ones; beyond either end is that end. */
export function moved(columns: ChosenColumns, name: ColumnName, to: number): ChosenColumns {
  const at = columns.findIndex((column) => column.name === name);
  const [column] = columns.slice(at, at + 1);
  if (at < 0 || column === undefined) return columns;
  const place = Math.max(0, Math.min(columns.length - 1, to));
  return columns.toSpliced(at, 1).toSpliced(place, 0, column);
}

/** With `name` at the end, or without it. A table keeps its last column. */
export function toggled(columns: ChosenColumns, name: ColumnName): ChosenColumns {
  const rest = columns.filter((column) => column.name !== name);
  if (rest.length === columns.length) return [...columns, { name, width: usualWidths[name] }];
  return rest.length === 0 ? columns : rest;
}

/** Every column for the menu: the chosen ones in their order, then the others. */
export const listedColumns = (columns: ChosenColumns): readonly ColumnName[] => [
  ...columns.map(({ name }) => name),
  ...columnNames.filter((name) => !columns.some((column) => column.name === name)),
];
