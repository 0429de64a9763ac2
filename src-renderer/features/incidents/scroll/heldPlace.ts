import { nextTick, shallowRef, watch } from 'vue';
import type { VirtualRows } from '../../../base/virtualRows.ts';
import { groupAt } from '../../../table/groups.ts';
import { arrivalsAbove } from '../arrivals.ts';
import { positionOf, type IncidentScrollOptions, type IncidentScrollProps } from './listPlaces.ts';

interface HeldPlaceOptions extends Pick<IncidentScrollOptions, 'scroller' | 'rowHeight'> {
  readonly virtual: Pick<VirtualRows, 'offset' | 'scrollTo'>;
}

/**
 * Holds what is being read where it is: when rows change above the first visible incident, the scroll position follows
 * it, and what arrived there waits. At the top the list shows what is new at once.
 */
export function useHeldPlace(props: IncidentScrollProps, { scroller, virtual, rowHeight }: HeldPlaceOptions) {
  /** How many incidents arrived above the rows in view. */
  const waiting = shallowRef(0);
  let seen = props.table.newestKey;
  /** The first visible incident, noted while row indices still mean something; null at the top. */
  let anchor: { readonly key: number; readonly id: string; readonly offset: number } | null = null;
  let anchorEpoch = props.epoch;

  /** Notes what is being read now. Call it after every scroll. */
  function note(): void {
    const top = virtual.offset();
    let at = Math.floor(top / rowHeight.value);
    // A header may go with its last row: what is held in place is the incident under it.
    while (groupAt(props.rows[at]) !== null) at += 1;
    const row = top < rowHeight.value ? undefined : props.rows[at];
    const key = row === undefined ? undefined : props.table.columns.key[row];
    anchorEpoch = props.epoch;
    anchor =
      row === undefined || key === undefined
        ? null
        : { key, id: props.table.idAt(row), offset: top - at * rowHeight.value };
    if (anchor !== null) return;
    waiting.value = 0;
    seen = props.table.newestKey;
  }

  function startAtTop(): void {
    virtual.scrollTo(0);
    note();
  }

  watch(
    () => props.rows,
    async () => {
      const held = anchor;
      const keys = props.table.columns.key;
      const sameKeys = anchorEpoch === props.epoch;
      let position = -1;
      if (held !== null) {
        position = sameKeys
          ? positionOf(props, held.key)
          : props.rows.indexOf(props.table.indexOfId(held.id));
      }
      // In another epoch every key is new, and none of the incidents need be.
      if (held === null || !sameKeys) seen = props.table.newestKey;
      if (held === null || position < 0) return;
      waiting.value = arrivalsAbove(keys, props.rows, position, seen);
      await nextTick();
      // Moved on meanwhile: what is read now is elsewhere.
      if (anchor !== held) return;
      virtual.scrollTo(position * rowHeight.value + held.offset);
    },
  );
  watch(() => props.question, startAtTop);

  return {
    waiting,
    note,
    toTop: (): void => {
      startAtTop();
      scroller.value?.focus();
    },
  };
}
