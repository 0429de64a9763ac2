import { watch } from 'vue';
import { useVirtualRows } from '../../../base/virtualRows.ts';
import { useActiveRow } from './activeRow.ts';
import { useHeldPlace } from './heldPlace.ts';
import { useListHands } from './listHands.ts';
import type { IncidentScrollOptions, IncidentScrollProps } from './listPlaces.ts';
import { useRowMarks, useShownRows } from './shownRows.ts';

/**
 * Scrolling and the keyboard of a list of incidents with rows of one height. What is being read never moves
 * (heldPlace.ts).
 */
export function useIncidentScroll(props: IncidentScrollProps, options: IncidentScrollOptions) {
  const { scroller, rowHeight, headHeight, select, toggleGroup } = options;
  const virtual = useVirtualRows({
    scroller,
    count: () => props.rows.length,
    height: () => rowHeight.value,
    head: () => headHeight.value,
    beyond: 10,
  });
  watch(
    rowHeight,
    (height, before) => {
      virtual.scrollTo(virtual.offset() * (height / before));
    },
    { flush: 'post' },
  );

  const { shown, headers } = useShownRows(props, virtual.shown);
  const { waiting, note, toTop } = useHeldPlace(props, { scroller, virtual, rowHeight });
  const { active, activeGroup, activeId, activate, onFocus } = useActiveRow(props, {
    virtual,
    shown,
    headers,
    rowHeight,
    select,
    onRevealed: note,
  });
  const hands = useListHands(props, {
    active,
    activeGroup,
    activate,
    page: () => {
      const height = (scroller.value?.clientHeight ?? rowHeight.value) - headHeight.value;
      return Math.max(1, Math.floor(height / rowHeight.value) - 1);
    },
    open: select,
    toggleGroup,
  });

  return {
    active,
    activeId,
    activeGroup,
    waiting,
    shown,
    headers,
    marksOf: useRowMarks(props),
    height: virtual.drawn,
    onFocus,
    onScroll: note,
    toTop,
    ...hands,
  };
}
