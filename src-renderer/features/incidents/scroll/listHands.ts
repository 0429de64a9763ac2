import { direction } from '../../../i18n/index.ts';
import { groupAt } from '../../../table/groups.ts';
import { useMarked } from '../markedStore.ts';
import type { useActiveRow } from './activeRow.ts';
import {
  keyOfGroup,
  positionOf,
  type IncidentScrollOptions,
  type IncidentScrollProps,
} from './listPlaces.ts';

interface ListHandsOptions
  extends
    Pick<ReturnType<typeof useActiveRow>, 'active' | 'activeGroup' | 'activate'>,
    Pick<IncidentScrollOptions, 'toggleGroup'> {
  /** How many rows are in view. */
  readonly page: () => number;
  readonly open: (key: number) => void;
}

/** What the pointer and the keyboard do to the list: go, open, mark, fold groups. */
export function useListHands(props: IncidentScrollProps, options: ListHandsOptions) {
  const { active, activeGroup, activate, page, open, toggleGroup } = options;
  const marked = useMarked();

  /** To another row, marking every one on the way. */
  function stretch(position: number): void {
    if (marked.keys.size === 0 && active.value !== null && active.value >= 0) marked.toggle(active.value);
    activate(position);
    if (active.value !== null && active.value >= 0) marked.extend(active.value, props.everyRow);
  }
  /** A press on a row: alone it opens, with Ctrl it marks, with Shift it marks up to here. */
  function onPress(event: MouseEvent, key: number): void {
    active.value = key;
    if (event.shiftKey) marked.extend(key, props.everyRow);
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
    toggleGroup(id);
  }
  /** What a key does on a header, and the way from a row to the header of its group. @returns whether it was that. */
  function onGroupKey(key: string, at: number): boolean {
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

  /** What a key does wherever the keyboard stands. @returns whether it means something here. */
  function onListKey({ key, shiftKey }: KeyboardEvent, at: number): boolean {
    const go = shiftKey ? stretch : activate;
    switch (key) {
      case 'ArrowDown':
        go(at + 1);
        return true;
      case 'ArrowUp':
        go(Math.max(0, at - 1));
        return true;
      case 'Home':
        activate(0);
        return true;
      case 'End':
        activate(props.rows.length - 1);
        return true;
      case 'PageDown':
        activate(Math.max(0, at) + page());
        return true;
      case 'PageUp':
        activate(at - page());
        return true;
      case 'Enter':
        marked.clear();
        if (active.value !== null && at >= 0) open(active.value);
        return true;
      case ' ':
        if (active.value !== null && at >= 0) marked.toggle(active.value);
        return true;
      case 'Escape':
        // Where nothing is marked, Escape is for what lies around.
        if (marked.keys.size === 0) return false;
        marked.clear();
        return true;
      default:
        return false;
    }
  }
  function onKey(event: KeyboardEvent): void {
    const at = positionOf(props, active.value);
    if (onGroupKey(event.key, at) || onListKey(event, at)) event.preventDefault();
  }

  return { isSelected, onPress, onHeader, onKey };
}
