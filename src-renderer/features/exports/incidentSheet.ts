import { severitiesWorstFirst, type SeverityName } from '../../../src-preload/contract/index.ts';
import type { Sheet, SheetRow } from '../../print/sheet.ts';
import type { IncidentTable } from '../../table/table.ts';

/** What a sheet says of these rows: all of them counted, the first of them listed. */
export function sheetRows(
  table: IncidentTable,
  rows: Uint32Array,
  mostListed: number,
): Pick<Sheet, 'incidents' | 'withoutLocation' | 'notReturned' | 'severities' | 'rows'> {
  const { columns, dictionaries, scale } = table;
  const marks = dictionaries.severity.map((severity) => scale.classOf(severity).mark);
  const severities = Object.fromEntries(severitiesWorstFirst.map((name) => [name, 0])) as Record<
    SeverityName,
    number
  >;
  const markOf = (row: number): SeverityName => marks[columns.severity[row] ?? -1] ?? 'unknown';
  let [withoutLocation, notReturned] = [0, 0];
  for (const row of rows) {
    severities[markOf(row)] += 1;
    if (Number.isNaN(columns.latitude[row])) withoutLocation += 1;
    if (columns.notReturned[row] === 1) notReturned += 1;
  }
  const listed = Array.from(rows.subarray(0, mostListed), (row): SheetRow => {
    const [latitude = Number.NaN, longitude = Number.NaN] = [columns.latitude[row], columns.longitude[row]];
    return {
      id: table.idAt(row),
      severity: dictionaries.severity[columns.severity[row] ?? -1] ?? '',
      mark: markOf(row),
      incidentType: dictionaries.type[columns.type[row] ?? -1] ?? '',
      status: dictionaries.status[columns.status[row] ?? -1] ?? '',
      createdAt: columns.createdAt[row] ?? Number.NaN,
      place: Number.isNaN(latitude) ? null : { latitude, longitude },
      notReturned: columns.notReturned[row] === 1,
    };
  });
  return { incidents: rows.length, withoutLocation, notReturned, severities, rows: listed };
}
