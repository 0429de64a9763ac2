import { defineStore } from 'pinia';
import { computed } from 'vue';
import { filterRows, type FilteredRows } from '../../table/filter.ts';
import { TableOrder } from '../../table/keptOrder.ts';
import { openRows } from '../../table/worstOpen.ts';
import { everything, useRowFilter } from './rowFilter.ts';
import { useChanges } from './changesStore.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { useStation } from '../../base/stores/station.ts';
import { useUi } from '../../base/stores/ui.ts';

const none: FilteredRows = {
  rows: new Uint32Array(0),
  severityCounts: new Map(),
  statusCounts: new Map(),
  typeCounts: new Map(),
  openCounts: new Map(),
};

const sameRows = (a: Uint32Array, b: Uint32Array): boolean =>
  a.length === b.length && a.every((row, at) => row === b[at]);

/** The parts of the table that the list can show, each in table order. */
function useListParts(filter: ReturnType<typeof useRowFilter>['filter']) {
  const mirror = useMirror();
  const changes = useChanges();

  /** What the last result was made from; the same rows of the same table stay the same array. */
  let last: { readonly revision: number; readonly rows: Uint32Array<ArrayBuffer> } | null = null;

  const all = computed(() => {
    const revision = mirror.tableRevision;
    const result = filter('any');
    if (last?.revision === revision && sameRows(last.rows, result.rows))
      return { ...result, rows: last.rows };
    last = { revision, rows: result.rows };
    return result;
  });

  /** Those that no map shows. */
  const unlocated = computed(() => {
    void mirror.tableRevision;
    return filter('without');
  });

  /** Those among the shown incidents that the service no longer returns. */
  const notReturned = computed(() => {
    void mirror.tableRevision;
    if ((mirror.sync?.notReturned ?? 0) === 0) return none;
    const gone = mirror.table.columns.notReturned;
    const shown = filter('any');
    return { ...shown, rows: shown.rows.filter((row) => gone[row] === 1) };
  });

  /** Whatever the filters say: what is over may be the news. */
  const changed = computed(() => {
    void mirror.tableRevision;
    const found = new Uint8Array(mirror.table.length);
    for (const key of changes.listed) {
      const row = mirror.table.indexOfKey(key);
      if (row >= 0) found[row] = 1;
    }
    return filterRows(mirror.table, { ...everything, from: null, to: null, location: 'any', found });
  });

  return { all, unlocated, 'not-returned': notReturned, changed };
}

/**
 * The rows that the list and the map show: the table under the operator's filters, in order. The map lacks those
 * without a location.
 */
export const useRows = defineStore('rows', () => {
  const mirror = useMirror();
  const ui = useUi();
  const station = useStation();
  const { query, from, filter } = useRowFilter();
  const parts = useListParts(filter);

  const allRows = computed(() => parts.all.value.rows);
  /** Those of them that a map can show, in table order; unchanged by sorting. */
  const mapRows = computed(() => {
    const { latitude } = mirror.table.columns;
    const located = allRows.value.filter((row) => !Number.isNaN(latitude[row]));
    return located.length === allRows.value.length ? allRows.value : located;
  });
  const notOnMap = computed(() => allRows.value.length - mapRows.value.length);
  const filtered = computed(() => parts[ui.listPart].value);
  const order = new TableOrder();
  /** What the list shows, in its order. */
  const rows = computed(() => {
    const { table } = mirror;
    const { sortBy: by, sortDirection: direction } = ui;
    const distances = by === 'distance' ? station.distances : null;
    return order.sort(filtered.value.rows, { table, by, direction, distances });
  });

  /** How many of the listed are open. */
  const listedOpen = computed(() => openRows(mirror.table, filtered.value.rows).length);

  /** Creation of the newest incident held, whatever the filters; null when none is held. */
  const newestHeld = computed(() => {
    void mirror.tableRevision;
    let newest: number | null = null;
    for (const at of mirror.table.columns.createdAt) if (at > (newest ?? -Infinity)) newest = at;
    return newest;
  });

  /** The same whatever the time window leaves of the range: what the timeline counts. */
  const inRange = computed(() => {
    void mirror.tableRevision;
    return filter('any', { window: null }).rows;
  });

  return {
    /** What is asked for: the console's own query, or what this page shows in its place. */
    query,
    from,
    inRange,
    everywhere: allRows,
    notReturned: parts['not-returned'],
    notOnMap,
    filtered,
    mapRows,
    rows,
    listedOpen,
    newestHeld,
  };
});
