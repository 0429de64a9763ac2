import type { Position } from '../../src-preload/contract/index.ts';
import { distancesFrom } from './geodesy.ts';
import type { Drone } from '../table/droneTable.ts';

export const droneSorts = ['name', 'seen', 'distance', 'speed'] as const;
export type DroneSort = (typeof droneSorts)[number];

/** As people count: `drone-9` comes before `drone-10`. */
const names = new Intl.Collator('en', { numeric: true });

/**
 * Identifiers of the drones in an order: by name; the longest without a position first; the nearest to the station
 * first; the fastest first. What cannot be compared comes last, and equal ones are in the order of their names.
 */
export function droneOrder(
  drones: Iterable<Drone>,
  sort: DroneSort,
  station: Position | null,
): readonly string[] {
  const all = [...drones];
  const rank = ranks(all, sort, station);
  return all
    .map(({ id }, at) => ({ id, rank: rank[at] ?? 0 }))
    .toSorted((a, b) => (a.rank === b.rank ? names.compare(a.id, b.id) : a.rank < b.rank ? -1 : 1))
    .map(({ id }) => id);
}

function ranks(drones: readonly Drone[], sort: DroneSort, station: Position | null): ArrayLike<number> {
  switch (sort) {
    case 'name':
      return [];
    case 'seen':
      return drones.map(({ at }) => at);
    case 'speed':
      return drones.map(({ speed }) => (speed === null ? Infinity : -speed));
    case 'distance':
      return station === null
        ? []
        : distancesFrom(
            station,
            Float64Array.from(drones, ({ latitude }) => latitude),
            Float64Array.from(drones, ({ longitude }) => longitude),
          );
  }
}
