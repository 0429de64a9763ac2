import { computed, nextTick, shallowRef, watch, type ComputedRef, type Ref } from 'vue';
import { useVirtualRows } from '../../base/virtualRows.ts';
import { direction } from '../../i18n/index.ts';
import { arrivalsAbove } from './arrivals.ts';
import { groupAt, headerOf } from '../../table/groups.ts';
import type { IncidentTable } from '../../table/table.ts';
import { openEntries } from '../../table/worstOpen.ts';
import { useChanges } from './changesStore.ts';
import { useMarked } from './markedStore.ts';
import { useWatch } from '../notes/index.ts';

/** What both forms of the list are given. */
export interface IncidentScrollProps {
  readonly table: IncidentTable;
  /** Rows of the table in the list's order, among them headers of groups (table/groups.ts). */
  readonly rows: Uint32Array;
  /** In which keys hold; in another one places are found again by id. */
  readonly epoch: string | null;
  readonly selected: number | null;
  /** Server time, ticking. */
  readonly now: number;
  /** What is searched for: the list of another question starts at the top. */
  readonly question?: string;
}

interface IncidentScrollOptions {
  readonly scroller: Readonly<Ref<HTMLElement | null>>;
  /** The height of a row, CSS pixels. */
  readonly rowHeight: ComputedRef<number>;
  /** The height of what stays above the rows while they scroll, CSS pixels. */
  readonly headHeight?: ComputedRef<number>;
  readonly select: (key: number | null) => void;
  readonly open: (key: number) => void;
  /** Shows or hides the rows of a group; left out, the other one of both. */
  readonly toggleGroup?: (id: number, collapsed?: boolean) => void;
}

/** The keyboard stands on a group's header as on a key below zero. */
const keyOfGroup = (id: number): number => -1 - id;
const groupOfKey = (key: number): number => -1 - key;

/** The header of a group that is drawn now. */
export interface ShownHeader {
  readonly group: number;
  readonly slot: number;
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
interface RowMarks {
  /** Since its details were opened last it came, or is another. */
  readonly news: 'new' | 'changed' | null;
  /** It arrived within the last minute. */
  readonly live: boolean;
  /** The service names it no more. */
  readonly gone: boolean;
  /** It is resolved or closed. */
  readonly over: boolean;
  readonly pinned: boolean;
  readonly noted: boolean;
}
const liveForMs = 60_000;

/**
 * Scrolling and the keyboard of a list of incidents with rows of one height. What is being read never
 * moves: when rows change above it, the scroll position follows the first visible incident, and arrivals
 * wait behind a pill.
 */
export function useIncidentScroll(props: IncidentScrollProps, options: IncidentScrollOptions) {
  const { scroller, rowHeight, select, open } = options;
  const desk = useWatch();
  const changes = useChanges();
  const marked = useMarked();
  const headHeight = computed(() => options.headHeight?.value ?? 0);
  /** The key that the keyboard stands on; follows the selection. */
  const active = shallowRef<number | null>(props.selected);
  const waiting = shallowRef(0);
  let seen = props.table.newestKey;

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

  const keyAt = (position: number): number | null => {
    const row = props.rows[position];
    const group = groupAt(row);
    if (group !== null) return keyOfGroup(group);
    return row === undefined ? null : (props.table.columns.key[row] ?? null);
  };
  function positionOf(key: number | null): number {
    if (key === null) return -1;
    if (key < 0) return props.rows.indexOf(headerOf(groupOfKey(key)));
    const row = props.table.indexOfKey(key);
    return row < 0 ? -1 : props.rows.indexOf(row);
  }

  const shown = computed<ShownRow[]>(() => {
    const { key } = props.table.columns;
    const items = virtual.shown.value;
    // Patching an element that is there costs a third of mounting another one.
    const slots = Math.max(64, items.length);
    return items.flatMap(({ index: position, top }) => {
      const row = props.rows[position];
      if (row === undefined || row >= props.table.length) return [];
      return { key: key[row] ?? 0, row, slot: position % slots, position, top };
    });
  });
  const headers = computed<ShownHeader[]>(() => {
    const items = virtual.shown.value;
    const slots = Math.max(64, items.length);
    return items.flatMap(({ index, top }) => {
      const group = groupAt(props.rows[index]);
      return group === null ? [] : [{ group, slot: index % slots, top }];
    });
  });
  const openByStatus = computed(() => {
    // Another frame brings other rows, and may bring another status.
    void props.rows;
    return openEntries(props.table);
  });
  function marksOf({ key, row }: ShownRow): RowMarks {
    const { arrivedAt, notReturned, status } = props.table.columns;
    const at = arrivedAt[row] ?? 0;
    return {
      news: changes.of(key),
      live: at > 0 && props.now - at < liveForMs,
      gone: notReturned[row] === 1,
      over: openByStatus.value[status[row] ?? 0] !== 1,
      pinned: desk.pinnedKeys.has(key),
      noted: desk.notedKeys.has(key),
    };
  }
  const activeGroup = computed(() =>
    active.value !== null && active.value < 0 ? groupOfKey(active.value) : null,
  );
  const activeId = computed(() => {
    if (headers.value.some(({ group }) => group === activeGroup.value))
      return `incident-group-${activeGroup.value}`;
    return shown.value.some(({ key }) => key === active.value) ? `incident-${active.value}` : undefined;
  });

  function reveal(position: number): void {
    if (position < 0) return;
    virtual.reveal(position);
    // The event of it comes a frame later; rows that change before must not lead back to the old place.
    onScroll();
  }
  function activate(position: number): void {
    const bounded = Math.max(0, Math.min(props.rows.length - 1, position));
    const key = keyAt(bounded);
    if (key === null) return;
    active.value = key;
    reveal(bounded);
    // While details are open they follow the keyboard; they are not opened by moving about.
    if (key >= 0 && props.selected !== null && marked.keys.size === 0) select(key);
  }
  /** To another row, marking every one on the way. */
  function stretch(position: number): void {
    if (marked.keys.size === 0 && active.value !== null && active.value >= 0) marked.toggle(active.value);
    activate(position);
    if (active.value !== null && active.value >= 0) marked.extend(active.value, props.rows);
  }
  /** A press on a row: alone it opens, with Ctrl it marks, with Shift it marks up to here. */
  function onPress(event: MouseEvent, key: number): void {
    active.value = key;
    if (event.shiftKey) marked.extend(key, props.rows);
    else if (event.ctrlKey || event.metaKey) marked.toggle(key);
    else {
      marked.clear();
      open(key);
    }
  }
  const isSelected = (key: number): boolean =>
    marked.keys.size > 0 ? marked.keys.has(key) : key === props.selected;

  /** A press on a group's header. */
  function onHeader(id: number): void {
    active.value = keyOfGroup(id);
    options.toggleGroup?.(id);
  }
  /** What a key does on a header, and the way from a row to the header of its group. @returns whether it was that. */
  function onGroupKey(key: string, at: number): boolean {
    const { toggleGroup } = options;
    if (toggleGroup === undefined) return false;
    const [into, out] = direction.value === 'rtl' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft'];
    const group = activeGroup.value;
    if (group !== null && (key === 'Enter' || key === ' ')) toggleGroup(group);
    else if (group !== null && (key === into || key === out)) toggleGroup(group, key === out);
    else if (key === out && at >= 0) {
      let header = at;
      while (header > 0 && groupAt(props.rows[header]) === null) header -= 1;
      if (groupAt(props.rows[header]) === null) return false;
      activate(header);
    } else return false;
    return true;
  }

  function onKey(event: KeyboardEvent): void {
    const at = positionOf(active.value);
    const height = (scroller.value?.clientHeight ?? rowHeight.value) - headHeight.value;
    const page = Math.max(1, Math.floor(height / rowHeight.value) - 1);
    if (onGroupKey(event.key, at)) {
      event.preventDefault();
      return;
    }
    switch (event.key) {
      case 'ArrowDown':
        if (event.shiftKey) stretch(at + 1);
        else activate(at + 1);
        break;
      case 'ArrowUp':
        if (event.shiftKey) stretch(Math.max(0, at - 1));
        else activate(at < 0 ? 0 : at - 1);
        break;
      case 'Home':
        activate(0);
        break;
      case 'End':
        activate(props.rows.length - 1);
        break;
      case 'PageDown':
        activate(Math.max(0, at) + page);
        break;
      case 'PageUp':
        activate(at - page);
        break;
      case 'Enter':
        marked.clear();
        if (active.value !== null && at >= 0) open(active.value);
        break;
      case ' ':
        if (active.value !== null && at >= 0) marked.toggle(active.value);
        break;
      case 'Escape':
        // Where nothing is marked, Escape is for what lies around.
        if (marked.keys.size === 0) return;
        marked.clear();
        break;
      default:
        return;
    }
    event.preventDefault();
  }

  function onFocus(): void {
    if (positionOf(active.value) >= 0) return;
    active.value = keyAt(Math.ceil(virtual.offset() / rowHeight.value));
  }

  /** The first visible incident, noted while row indices still mean something; null at the top. */
  let anchor: { readonly key: number; readonly id: string; readonly offset: number } | null = null;
  let anchorEpoch = props.epoch;
  function onScroll(): void {
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

  function toTop(): void {
    virtual.scrollTo(0);
    onScroll();
    scroller.value?.focus();
  }

  watch(
    () => props.rows,
    async () => {
      const held = anchor;
      const keys = props.table.columns.key;
      const sameKeys = anchorEpoch === props.epoch;
      let position = -1;
      if (held !== null) {
        position = sameKeys ? positionOf(held.key) : props.rows.indexOf(props.table.indexOfId(held.id));
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

  watch(
    () => props.question,
    () => {
      virtual.scrollTo(0);
      onScroll();
    },
  );

  watch(
    () => props.selected,
    (key) => {
      if (key === null) return;
      active.value = key;
      reveal(positionOf(key));
    },
  );

  return {
    active,
    activeId,
    activeGroup,
    waiting,
    shown,
    headers,
    marksOf,
    isSelected,
    height: virtual.drawn,
    onKey,
    onFocus,
    onPress,
    onHeader,
    onScroll,
    toTop,
  };
}
