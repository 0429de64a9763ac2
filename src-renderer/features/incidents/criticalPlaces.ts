import { computed, type ComputedRef } from 'vue';
import { mostCriticalTowns, type CriticalPlaces } from '../../../src-preload/contract/index.ts';
import { groupRows } from '../../table/groups.ts';
import { openCritical } from '../../table/worstOpen.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { useTowns } from './search/townsStore.ts';

/** How many critical incidents are active, and where; no places until the console has named all of them. */
export function useCriticalPlaces(): ComputedRef<CriticalPlaces & { readonly critical: number }> {
  const mirror = useMirror();
  const towns = useTowns();
  return computed(() => {
    void mirror.tableRevision;
    void towns.version;
    const { table } = mirror;
    const [unknown, none, first] = [0, 1, 2];
    const rows = openCritical(table);
    const groups = groupRows(table, rows, (row) => {
      const id = towns.nearest.idOf(table.columns.key[row] ?? 0);
      return id === null ? unknown : id < 0 ? none : id + first;
    });
    if (groups.some(({ id }) => id === unknown)) return { critical: rows.length, towns: [], noLocation: 0 };
    const named = groups.flatMap(({ id, open }) => {
      const town = towns.name(id - first);
      return town === null ? [] : [{ town, count: open }];
    });
    return {
      critical: rows.length,
      towns: named.slice(0, mostCriticalTowns),
      noLocation: groups.find(({ id }) => id === none)?.open ?? 0,
    };
  });
}
