import { computed } from 'vue';
import type { Range } from '../../../src-preload/contract/index.ts';
import { filterRows, type FilteredRows, type RowFilter } from '../../table/filter.ts';
import { useAlarms } from '../alarms/index.ts';
import { useClock } from '../../base/stores/clock.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { useSearch } from './search/searchStore.ts';
import { useUi, type Lens } from '../../base/stores/ui.ts';

const hour = 3_600_000;
const rangeLengths: Readonly<Record<Range, number | null>> = {
  '1h': hour,
  '6h': 6 * hour,
  '24h': 24 * hour,
  '7d': 168 * hour,
  all: null,
};

/** The incidents of an alarm are shown whatever they are. */
export const everything: Lens = { range: 'all', severities: [], statuses: [], types: [], openOnly: false };

/** The later of two bounds; null for none. */
const later = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b);

/** What the operator filters the table by: the query, the time window, the search, the alarm that is shown. */
export function useRowFilter() {
  const mirror = useMirror();
  const clock = useClock();
  const ui = useUi();
  const search = useSearch();
  const alarms = useAlarms();

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

  /** The rows of the table as it is now that pass. */
  function filter(location: RowFilter['location'], { window = ui.timeWindow } = {}): FilteredRows {
    return filterRows(mirror.table, {
      severities: severities.value,
      statuses: statuses.value,
      types: types.value,
      openOnly: openOnly.value,
      from: later(from.value, window?.from ?? null),
      to: window?.to ?? null,
      found: alarmed.value ?? search.found,
      location,
    });
  }

  return { query, from, filter };
}
