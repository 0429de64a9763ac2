import { defineStore } from 'pinia';
import { computed } from 'vue';
import type { Range } from '../../../src-preload/contract/index.ts';
import { filterRows, type FilteredRows, type RowFilter } from '../../table/filter.ts';
import { TableOrder } from '../../table/order.ts';
import { openRows } from '../../table/worstOpen.ts';
import { useAlarms } from '../alarms/index.ts';
import { useChanges } from './changesStore.ts';
import { useClock } from '../../base/stores/clock.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { useSearch } from './search/searchStore.ts';
import { useStation } from '../../base/stores/station.ts';
import { useUi, type Lens } from '../../base/stores/ui.ts';

const hour = 3_600_000;
const rangeLengths: Readonly<Record<Range, number | null>> = {
  '1h': hour,
  '6h': 6 * hour,
  '24h': 24 * hour,
  '7d': 168 * hour,
  all: null,
};

const none: FilteredRows = {
  rows: new Uint32Array(0),
  severityCounts: new Map(),
  statusCounts: new Map(),
  typeCounts: new Map(),
  openCounts: new Map(),
};

/** The incidents of an alarm are shown whatever they are. */
const everything: Lens = { range: 'all', severities: [], statuses: [], types: [], openOnly: false };

/** The later of two bounds; null for none. */
const later = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b);

const sameRows = (a: Uint32Array, b: Uint32Array): boolean =>
  a.length === b.length && a.every((row, at) => row === b[at]);

/**
 * The rows that the list and the map show: the table under the operator's filters, in order. The map lacks those
 * without a location.
 */
export const useRows = defineStore('rows', () => {
  const mirror = useMirror();
  const clock = useClock();
  const ui = useUi();
  const search = useSearch();
  const station = useStation();

  const alarms = useAlarms();
  const changes = useChanges();
  const query = computed(() => (alarms.shown === null ? (ui.lens ?? mirror.incidents?.query) : everything));
  /** A byte for each row, 1 for the incidents of the alarm that is shown; null while none is. */
  const alarmed = computed(() => {
    if (alarms.shown === null) return null;
    void mirror.tableRevision;
    const found = new Uint8Array(mirror.table.length);
    for (const id of alarms.shown.ids) {
      const row = mirror.table.indexOfId(id);
      if (row >= 0) found[row] = 1;
    }
    return found;
  });

  /** Lower bound of the chosen range in server time; moves in steps so that it costs little. */
  const from = computed(() => {
    const length = rangeLengths[query.value?.range ?? 'all'];
    return length === null ? null : clock.decasecond - length;
  });
  const severities = computed(() => query.value?.severities ?? []);
  const statuses = computed(() => query.value?.statuses ?? []);
  const types = computed(() => query.value?.types ?? []);
  const openOnly = computed(() => query.value?.openOnly ?? false);

  const limit = computed(() =>
    ui.lens === null && alarms.shown === null ? (mirror.incidents?.query.limit ?? null) : null,
  );

  function filter(
    location: RowFilter['location'],
    { window = ui.timeWindow, limit = null as number | null } = {},
  ): FilteredRows {
    return filterRows(mirror.table, {
      severities: severities.value,
      statuses: statuses.value,
      types: types.value,
      openOnly: openOnly.value,
      from: later(from.value, window?.from ?? null),
      to: window?.to ?? null,
      found: alarmed.value ?? search.found,
      location,
      limit,
    });
  }

  /** What the last result was made from; the same rows of the same table stay the same array. */
  let last: { readonly revision: number; readonly rows: Uint32Array<ArrayBuffer> } | null = null;

  const all = computed(() => {
    const revision = mirror.tableRevision;
    const result = filter('any', { limit: limit.value });
    if (last?.revision === revision && sameRows(last.rows, result.rows))
      return { ...result, rows: last.rows };
    last = { revision, rows: result.rows };
    return result;
  });

  const allRows = computed(() => all.value.rows);
  /** Those of them that a map can show, in table order; unchanged by sorting. */
  const mapRows = computed(() => {
    const { latitude } = mirror.table.columns;
    const located = allRows.value.filter((row) => !Number.isNaN(latitude[row]));
    return located.length === allRows.value.length ? allRows.value : located;
  });
  const notOnMap = computed(() => allRows.value.length - mapRows.value.length);
  /** Under a limit they are those of the newest, as the map counts them. */
  const unlocated = computed(() => {
    void mirror.tableRevision;
    const { latitude } = mirror.table.columns;
    const rows = allRows.value.filter((row) => Number.isNaN(latitude[row]));
    return { ...filter('without'), rows };
  });

  /** Those among the shown incidents that the service no longer returns; a limit takes none of them away. */
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

  const parts = { all, unlocated, 'not-returned': notReturned, changed } as const;
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
    for (const at of mirror.table.columns.createdAt) if (newest === null || at > newest) newest = at;
    return newest;
  });

  /** All that the filters let through, whatever a limit leaves of them. */
  const everywhere = computed(() => {
    void mirror.tableRevision;
    return limit.value === null ? allRows.value : filter('any').rows;
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
    everywhere,
    notReturned,
    notOnMap,
    filtered,
    mapRows,
    rows,
    listedOpen,
    newestHeld,
  };
});
