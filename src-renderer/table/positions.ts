import type { Position } from '../../src-preload/contract/index.ts';
import type { IncidentTable } from './table.ts';

/** Where incidents are, in the order of the rows; those without a location are left out. */
export function* positionsOf({ columns }: IncidentTable, rows: Iterable<number>): Generator<Position> {
  for (const row of rows) {
    const [latitude, longitude] = [columns.latitude[row], columns.longitude[row]];
    if (latitude === undefined || longitude === undefined || Number.isNaN(latitude)) continue;
    yield { latitude, longitude };
  }
}
