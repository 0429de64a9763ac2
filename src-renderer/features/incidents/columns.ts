import {
  columnNames,
  isSortColumn,
  listColumns,
  type ColumnName,
  type Columns,
  type SortColumn,
} from '../../../src-preload/contract/index.ts';
import type { SortDirection } from '../../table/sort.ts';

/** The columns of a table, in order; widths in CSS pixels. */
export type ChosenColumns = NonNullable<Columns>;

export const leastWidth = 48;
export const mostWidth = 480;

export const usualWidth = (name: ColumnName): number => listColumns[name].width;

/** What a table begins with. */
export const usualColumns: ChosenColumns = (['severity', 'type', 'status', 'created', 'place'] as const).map(
  (name) => ({ name, width: usualWidth(name) }),
);

/** The scroll bar at the table's end and the edge of its panel. */
const besideColumns = 18;

/** What a table of these columns takes so that none is cut, in CSS pixels. */
export const neededWidth = (columns: ChosenColumns): number =>
  columns.reduce((sum, { width }) => sum + width, besideColumns);

/** What the rows are sorted by in a column; null for one that says nothing with an order of use. */
export const sortOf = (name: ColumnName): SortColumn | null => (isSortColumn(name) ? name : null);

/** The order in which a column is read first; a second press turns it round. */
export const firstDirection = (by: SortColumn): SortDirection => listColumns[by].sort.first;

/** Whether nothing can be said in it before the station's position is set. */
export const isFromStation = (name: ColumnName): boolean => 'fromStation' in listColumns[name];

/** Whether what stands in it is a figure, which stands at the end of its place. */
export const isFigure = (name: ColumnName): boolean =>
  ['count', 'distance', 'bearing'].includes(listColumns[name].kind);

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
  if (rest.length === columns.length) return [...columns, { name, width: usualWidth(name) }];
  return rest.length === 0 ? columns : rest;
}

/** Every column for the menu: the chosen ones in their order, then the others. */
export const listedColumns = (columns: ChosenColumns): readonly ColumnName[] => [
  ...columns.map(({ name }) => name),
  ...columnNames.filter((name) => !columns.some((column) => column.name === name)),
];
