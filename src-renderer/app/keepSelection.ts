import { watch } from 'vue';
import { useMirror } from '../base/stores/mirror.ts';
import { useUi } from '../base/stores/ui.ts';

/**
 * Keeps the selected incident selected when its key changes its meaning. Keys hold within one epoch;
 * a console that went offline and came back may begin another, and the operator must not lose the
 * incident that is being read. Until its row is there again nothing is selected: an old key would
 * show another incident. Call once, from the page's root.
 */
export function keepSelection(): void {
  const mirror = useMirror();
  const ui = useUi();
  let id: string | null = null;
  let epoch = mirror.epoch;
  /** True while the selection is empty only because its row has not come yet. */
  let waiting = false;

  function follow(): void {
    if (id === null) return;
    const key = mirror.table.keyOfId(id);
    waiting = key === null;
    // As if chosen on the map: the camera stays where it is. It is no new choice: details that give way stay so.
    ui.selectedOn = 'map';
    ui.selected = key;
  }

  watch(
    () => ui.selected,
    (key) => {
      if (key === null) {
        if (!waiting) id = null;
        return;
      }
      waiting = false;
      const row = mirror.table.indexOfKey(key);
      if (row >= 0) id = mirror.table.idAt(row);
    },
    { flush: 'sync' },
  );
  watch([() => mirror.epoch, () => mirror.tableRevision], () => {
    const another = mirror.epoch !== epoch;
    epoch = mirror.epoch;
    if (another || waiting) follow();
  });
  // What one operator had selected is not looked for among the next one's incidents.
  watch(
    () => mirror.opened,
    (opened) => {
      if (opened) return;
      id = null;
      waiting = false;
    },
  );
}
