import {
  mostListedRows,
  severitiesWorstFirst,
  type SeverityName,
} from '../../../src-preload/contract/index.ts';
import type { Paper, PaperSize } from '../../print/paper.ts';
import type { Sheet, SheetRow } from '../../print/sheet.ts';
import type { IncidentTable } from '../../table/table.ts';
import { useClock } from '../../base/stores/clock.ts';
import { useCoordinates } from '../../base/stores/coordinates.ts';
import { useMapPicture } from '../../base/stores/mapPicture.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { useNearby } from '../incidents/index.ts';

/** Makes the paper of incidents as they are now, in the order of `rows`, with the map as it is shown. */
export function useIncidentSheet(): (rows: Uint32Array, size: PaperSize, filters: string) => Promise<Paper> {
  const mirror = useMirror();
  const clock = useClock();
  const coordinates = useCoordinates();
  const mapPicture = useMapPicture();
  const nearby = useNearby();
  return async (rows, size, filters) => {
    const { deployments, incidents, sync, zone } = mirror;
    const madeAt = clock.serverNow();
    const { keys, ...counted } = sheetRows(mirror.table, rows, mostListedRows);
    // Rows of the table may be others once the names are there: what is listed was read before.
    await nearby.load(keys.filter((_, at) => (counted.rows[at]?.place ?? null) !== null));
    // A sheet without its map is better than none.
    const map = await mapPicture.take();
    const { dataAddress, sheetPaper } = await import('../../print/index.ts');
    return sheetPaper({
      ...counted,
      rows: counted.rows.map((row, at) =>
        row.place === null ? row : { ...row, near: nearby.nameOf(keys[at] ?? -1) || null },
      ),
      size,
      zone,
      deployment: deployments?.known.find(({ id }) => id === deployments.chosen)?.name ?? '',
      account: mirror.session?.username ?? '',
      training: mirror.app?.training === true,
      madeAt,
      dataAsOf: incidents?.lastReadAt ?? null,
      completeness: incidents?.completeness ?? 'unknown',
      completeAsOf: sync?.completeAsOf ?? null,
      held: incidents?.count ?? 0,
      uncertainWindows: sync?.uncertain.count ?? 0,
      filters,
      coordinates: coordinates.onPaper,
      picture: map && (await dataAddress(map)),
    });
  };
}

/** What a sheet says of these rows: all of them counted, the first of them listed. */
function sheetRows(
  table: IncidentTable,
  rows: Uint32Array,
  mostListed: number,
): Pick<Sheet, 'incidents' | 'withoutLocation' | 'notReturned' | 'severities' | 'rows'> & {
  readonly keys: readonly number[];
} {
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
  const first = rows.subarray(0, mostListed);
  const keys = Array.from(first, (row) => columns.key[row] ?? -1);
  const listed = Array.from(first, (row): SheetRow => {
    const { type: incidentType, severity, status, createdAt, place } = table.factsAt(row);
    return {
      id: table.idAt(row),
      severity,
      mark: markOf(row),
      incidentType,
      status,
      createdAt,
      place,
      near: null,
      notReturned: columns.notReturned[row] === 1,
    };
  });
  return { incidents: rows.length, withoutLocation, notReturned, severities, rows: listed, keys };
}
