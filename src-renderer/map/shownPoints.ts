import { severityRanks } from '../table/severity.ts';
import { openEntries } from '../table/worstOpen.ts';
import type { IncidentTable } from '../table/table.ts';
import type { PointColumns } from './clusters/points.ts';

const freshForMs = 60_000;
const mostArrivals = 40;

/** An incident that came in the last minute, and the server time at which it stops being news. */
export interface Arrival {
  readonly key: number;
  readonly longitude: number;
  readonly latitude: number;
  readonly until: number;
}

export interface ShownPoints {
  readonly points: PointColumns;
  /** The newest first, at most 40: more would be a picture of nothing but rings. */
  readonly arrivals: readonly Arrival[];
}

/** Copies out of the table what the map needs of `rows`; rows without a location are left out. */
export function shownPoints(table: IncidentTable, rows: Uint32Array, serverNow: number): ShownPoints {
  const { columns } = table;
  const {
    key: keys,
    longitude: longitudes,
    latitude: latitudes,
    severity,
    status,
    arrivedAt,
    notReturned,
  } = columns;
  const ranks = severityRanks(table);
  const isOpen = openEntries(table);
  const key = new Uint32Array(rows.length);
  const longitude = new Float64Array(rows.length);
  const latitude = new Float64Array(rows.length);
  const rank = new Uint8Array(rows.length);
  const gone = new Uint8Array(rows.length);
  const open = new Uint8Array(rows.length);
  const arrivals: Arrival[] = [];
  const freshFrom = serverNow - freshForMs;
  let length = 0;
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] as number;
    const lat = latitudes[row] as number;
    if (lat !== lat) continue;
    const lng = longitudes[row] as number;
    key[length] = keys[row] as number;
    latitude[length] = lat;
    longitude[length] = lng;
    rank[length] = ranks[severity[row] as number] as number;
    gone[length] = notReturned[row] as number;
    open[length] = isOpen[status[row] as number] as number;
    length += 1;
    const arrived = arrivedAt[row] as number;
    if (arrived > 0 && arrived > freshFrom) {
      arrivals.push({ key: keys[row] as number, longitude: lng, latitude: lat, until: arrived + freshForMs });
    }
  }
  arrivals.sort((a, b) => b.until - a.until);
  return {
    points: { length, key, longitude, latitude, rank, gone, open },
    arrivals: arrivals.slice(0, mostArrivals),
  };
}
