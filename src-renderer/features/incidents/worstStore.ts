import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import { openWorstFirst } from '../../table/worstOpen.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { useUi } from '../../base/stores/ui.ts';

/** The way through what is open, the worst first, whatever the filters hide. */
export const useWorst = defineStore('worst', () => {
  const mirror = useMirror();
  const ui = useUi();
  /** The key that the last press opened. */
  const opened = shallowRef<number | null>(null);

  const order = computed(() => {
    void mirror.tableRevision;
    return openWorstFirst(mirror.table);
  });

  /** Opens the worst; while that is still open the next one, and after the last the worst again. */
  function open(): void {
    const { key } = mirror.table.columns;
    const row = opened.value === ui.selected ? mirror.table.indexOfKey(ui.selected ?? -1) : -1;
    const next = order.value[order.value.indexOf(row) + 1] ?? order.value[0];
    if (next === undefined) return;
    opened.value = key[next] ?? null;
    ui.select(opened.value);
  }

  return { open, none: computed(() => order.value.length === 0) };
});
