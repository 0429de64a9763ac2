import { computed } from 'vue';
import type { VirtualRows } from '../../../base/virtualRows.ts';
import { groupAt } from '../../../table/groups.ts';
import { openEntries } from '../../../table/worstOpen.ts';
import { useChanges, type News } from '../changesStore.ts';
import { useNotes } from '../../notes/index.ts';
import type { IncidentScrollProps } from './listPlaces.ts';

/** The header of a group that is drawn now. */
export interface ShownHeader {
  readonly group: number;
  readonly slot: number;
  readonly position: number;
  /** CSS pixels from the first entry. */
  readonly top: number;
}

/** A row that is drawn now. */
export interface ShownRow {
  readonly key: number;
  readonly row: number;
  /** The element that draws it; rows that scroll out lend theirs to those that scroll in. */
  readonly slot: number;
  readonly position: number;
  /** CSS pixels from the first row. */
  readonly top: number;
}

/** What a row says of its incident beside the columns. */
export interface RowMarks {
  /** Since its details were opened last it came, or is another. */
  readonly news: News | null;
  /** The service no longer names it. */
  readonly gone: boolean;
  /** It is resolved or closed. */
  readonly over: boolean;
  readonly pinned: boolean;
  readonly noted: boolean;
}

/** Elements there are at least: patching one that is there costs a third of mounting another one. */
const leastSlots = 64;

/** The rows and headers in view, each with the element that draws it. */
export function useShownRows(props: IncidentScrollProps, inView: VirtualRows['shown']) {
  const slots = computed(() => Math.max(leastSlots, inView.value.length));
  const shown = computed<ShownRow[]>(() => {
    const { key } = props.table.columns;
    return inView.value.flatMap(({ index: position, top }) => {
      const row = props.rows[position];
      if (row === undefined || row >= props.table.length) return [];
      return { key: key[row] ?? 0, row, slot: position % slots.value, position, top };
    });
  });
  const headers = computed<ShownHeader[]>(() =>
    inView.value.flatMap(({ index, top }) => {
      const group = groupAt(props.rows[index]);
      return group === null ? [] : [{ group, slot: index % slots.value, position: index, top }];
    }),
  );
  return { shown, headers };
}

/** The marks of a row that is drawn now. */
export function useRowMarks(props: IncidentScrollProps): (shown: ShownRow) => RowMarks {
  const notes = useNotes();
  const changes = useChanges();
  const openByStatus = computed(() => {
    // Another frame brings other rows, and may bring another status.
    void props.rows;
    return openEntries(props.table);
  });
  return ({ key, row }) => {
    const { notReturned, status } = props.table.columns;
    return {
      news: changes.of(key),
      gone: notReturned[row] === 1,
      over: openByStatus.value[status[row] ?? 0] !== 1,
      pinned: notes.pinnedKeys.has(key),
      noted: notes.notedKeys.has(key),
    };
  };
}
