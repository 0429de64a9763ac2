/** How a column of the list reads an incident, writes it and puts it in order (page: gridCells.ts, table/sort.ts). */
type Kind =
  | { readonly kind: 'severity' | 'type' | 'status' | 'created' | 'place' | 'distance' | 'bearing' | 'id' }
  /** A whole number, from one of the arrays of counts. */
  | { readonly kind: 'count'; readonly of: 'evidenceCount' | 'anchorCount' };

export type ListColumn = Kind & {
  /** Wide enough for what usually stands in it, at `normal` text; CSS pixels. */
  readonly width: number;
  /** Its place among the orders of the list, and the direction that is read first; none where no order is of use. */
  readonly sort?: { readonly place: number; readonly first: 'ascending' | 'descending' };
  /** Whether it is counted from the station, and empty where none is set. */
  readonly fromStation?: true;
};

/**
 * What may stand in a column of the list, in the order of its menu. Names are stored with layouts and views. The
 * texts are `views.columns.<name>` and, of one that sorts, `incidents.sort` and `commands.sort`.
 */
export const listColumns = {
  severity: { kind: 'severity', width: 108, sort: { place: 2, first: 'descending' } },
  type: { kind: 'type', width: 144, sort: { place: 4, first: 'ascending' } },
  status: { kind: 'status', width: 104, sort: { place: 3, first: 'ascending' } },
  created: { kind: 'created', width: 208, sort: { place: 1, first: 'descending' } },
  place: { kind: 'place', width: 208 },
  distance: { kind: 'distance', width: 96, sort: { place: 6, first: 'ascending' }, fromStation: true },
  bearing: { kind: 'bearing', width: 88, fromStation: true },
  evidence: { kind: 'count', of: 'evidenceCount', width: 96, sort: { place: 5, first: 'descending' } },
  anchors: { kind: 'count', of: 'anchorCount', width: 96 },
  id: { kind: 'id', width: 208 },
} as const satisfies Record<string, ListColumn>;

export type ColumnName = keyof typeof listColumns;
export const columnNames = Object.keys(listColumns) as ColumnName[];

/** The columns that the list can be sorted by. */
export type SortColumn = {
  [N in ColumnName]: (typeof listColumns)[N] extends { readonly sort: object } ? N : never;
}[ColumnName];
export const isSortColumn = (name: ColumnName): name is SortColumn => 'sort' in listColumns[name];
export const sortColumns = columnNames
  .filter(isSortColumn)
  .sort((one, other) => listColumns[one].sort.place - listColumns[other].sort.place);
