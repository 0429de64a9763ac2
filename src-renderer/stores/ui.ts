import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import type { SortColumn, SortDirection } from '../rows/sort.ts';

export type PanelName = 'incidents' | 'integrations';

/** What this page shows of the console: selection, order, panels. Nothing that the console knows. */
export const useUi = defineStore('ui', () => {
  const panel = shallowRef<PanelName>('incidents');
  /** The selected incident's key; keys hold within the console's epoch only. */
  const selected = shallowRef<number | null>(null);
  /** Who selected last: the map flies only to what was not chosen on it. */
  const selectedOn = shallowRef<'list' | 'map'>('list');
  const sortBy = shallowRef<SortColumn>('created');
  const sortDirection = shallowRef<SortDirection>('descending');
  const withoutLocation = shallowRef(false);
  const trainingOpen = shallowRef(false);
  const signingInAgain = shallowRef(false);
  /** Counts the wishes to bring the selected incident into view. */
  const shows = shallowRef(0);

  function select(key: number | null, on: 'list' | 'map' = 'list'): void {
    selectedOn.value = on;
    selected.value = key;
  }

  function sort(by: SortColumn, direction: SortDirection): void {
    sortBy.value = by;
    sortDirection.value = direction;
  }

  /** Back to how a page starts: nothing of one operator's work stays for the next. */
  function reset(): void {
    panel.value = 'incidents';
    select(null);
    sort('created', 'descending');
    withoutLocation.value = false;
    trainingOpen.value = false;
    signingInAgain.value = false;
  }

  return {
    panel,
    selected,
    selectedOn,
    sortBy,
    sortDirection,
    withoutLocation,
    trainingOpen,
    signingInAgain,
    shows,
    select,
    sort,
    reset,
  };
});
