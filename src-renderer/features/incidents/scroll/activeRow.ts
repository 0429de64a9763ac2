import { computed, shallowRef, watch, type ComputedRef } from 'vue';
import type { VirtualRows } from '../../../base/virtualRows.ts';
import { useMarked } from '../markedStore.ts';
import {
  groupOfKey,
  keyAt,
  positionOf,
  type IncidentScrollOptions,
  type IncidentScrollProps,
} from './listPlaces.ts';
import type { ShownHeader, ShownRow } from './shownRows.ts';

interface ActiveRowOptions extends Pick<IncidentScrollOptions, 'rowHeight' | 'select'> {
  readonly virtual: Pick<VirtualRows, 'offset' | 'reveal'>;
  readonly shown: ComputedRef<readonly ShownRow[]>;
  readonly headers: ComputedRef<readonly ShownHeader[]>;
  /** Called at once after a row was brought into view. */
  readonly onRevealed: () => void;
}

/** The row or header that the keyboard stands on; it follows the selection. */
export function useActiveRow(props: IncidentScrollProps, options: ActiveRowOptions) {
  const { virtual, shown, headers, rowHeight } = options;
  const marked = useMarked();
  /** Its key. */
  const active = shallowRef<number | null>(props.selected);
  const activeGroup = computed(() =>
    active.value !== null && active.value < 0 ? groupOfKey(active.value) : null,
  );
  /** The id of its element; undefined while it is not drawn. */
  const activeId = computed(() => {
    if (headers.value.some(({ group }) => group === activeGroup.value))
      return `incident-group-${activeGroup.value}`;
    return shown.value.some(({ key }) => key === active.value) ? `incident-${active.value}` : undefined;
  });

  function reveal(position: number): void {
    if (position < 0) return;
    virtual.reveal(position);
    // The event of it comes a frame later; rows that change before must not lead back to the old place.
    options.onRevealed();
  }
  /** Goes to a place of the list, or to the nearest end of it. */
  function activate(position: number): void {
    const bounded = Math.max(0, Math.min(props.rows.length - 1, position));
    const key = keyAt(props, bounded);
    if (key === null) return;
    active.value = key;
    reveal(bounded);
    // While details are open they follow the keyboard; they are not opened by moving about.
    if (key >= 0 && props.selected !== null && marked.keys.size === 0) options.select(key);
  }
  function onFocus(): void {
    if (positionOf(props, active.value) >= 0) return;
    active.value = keyAt(props, Math.ceil(virtual.offset() / rowHeight.value));
  }

  watch(
    () => props.selected,
    (key) => {
      if (key === null) return;
      active.value = key;
      reveal(positionOf(props, key));
    },
  );

  return { active, activeGroup, activeId, activate, onFocus };
}
