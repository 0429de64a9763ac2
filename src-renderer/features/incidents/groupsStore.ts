import { typeWord } from '../../base/severities.ts';
import { defineStore } from 'pinia';
import { computed, shallowRef, watch, type ComputedRef } from 'vue';
import { foldWord } from '../../../src-preload/contract/index.ts';
import { t } from '../../i18n/index.ts';
import { count } from '../../base/format.ts';
import { townText } from '../../base/towns.ts';
import { foldAlike, type FoldedRows } from '../../table/alike.ts';
import { entriesOf, groupRows } from '../../table/groups.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { useNotes } from '../notes/index.ts';
import { useChanges } from './changesStore.ts';
import { useMarked } from './markedStore.ts';
import { useRows } from './rowsStore.ts';
import type { ShownHeader } from './scroll/shownRows.ts';
import { useTowns } from './search/townsStore.ts';
import { useUi } from '../../base/stores/ui.ts';

/** Numbers of groups by place: a town's comes after these two. */
const unknownPlace = 0;
const noPlace = 1;
const firstTown = 2;

/** The rows of the list, those that read alike as one until one of them is chosen. */
function useFolded(): ComputedRef<FoldedRows> {
  const mirror = useMirror();
  const rows = useRows();
  const ui = useUi();
  const changes = useChanges();
  const marked = useMarked();
  const notes = useNotes();
  /** Keys of incidents that were chosen: what is like them stays in the list, so that it does not jump. */
  const opened = shallowRef<ReadonlySet<number>>(new Set());
  const folded = computed<FoldedRows>(() => {
    // A table shows what differs.
    if (ui.columns !== null) return { rows: rows.rows, counts: new Map() };
    const { table } = mirror;
    const keyOf = (row: number): number => table.columns.key[row] ?? 0;
    const standsOut = (row: number): boolean => {
      const key = keyOf(row);
      return changes.of(key) !== null || notes.pinnedKeys.has(key) || notes.notedKeys.has(key);
    };
    return foldAlike(table, rows.rows, standsOut, (row) => opened.value.has(keyOf(row)));
  });

  watch(
    [
      () => mirror.epoch,
      () => ui.sortBy,
      () => ui.sortDirection,
      () => ui.selected,
      () => marked.keys,
    ] as const,
    ([epoch, by, direction, selected, keys], before) => {
      const isSame = epoch === before[0] && by === before[1] && direction === before[2];
      const chosen = selected === null ? [...keys] : [selected, ...keys];
      opened.value = new Set([...(isSame ? opened.value : []), ...chosen]);
    },
    { immediate: true, flush: 'sync' },
  );
  return folded;
}

/** The groups of the list, by type or by the nearest town; ungrouped, rows that read alike as one. */
export const useGroups = defineStore('groups', () => {
  const mirror = useMirror();
  const rows = useRows();
  const towns = useTowns();
  const ui = useUi();
  /** Numbers of the groups whose rows are hidden. */
  const collapsed = shallowRef<ReadonlySet<number>>(new Set());

  /** The group of each entry of the dictionary of types: the first entry of its spelling. */
  function typeGroups(): Uint32Array {
    const first = new Map<string, number>();
    return Uint32Array.from(mirror.table.dictionaries.type, (text, at) => {
      const word = foldWord(text);
      if (!first.has(word)) first.set(word, at);
      return first.get(word) ?? at;
    });
  }
  const groups = computed(() => {
    if (ui.groupBy === 'none') return [];
    const { table } = mirror;
    const { key, type } = table.columns;
    if (ui.groupBy === 'type') {
      const ofType = typeGroups();
      return groupRows(table, rows.rows, (row) => ofType[type[row] ?? 0] ?? 0);
    }
    void towns.version;
    const { nearest } = towns;
    return groupRows(table, rows.rows, (row) => {
      const town = nearest.idOf(key[row] ?? 0);
      return town === null ? unknownPlace : town < 0 ? noPlace : town + firstTown;
    });
  });
  const byId = computed(() => new Map(groups.value.map((group, place) => [group.id, { group, place }])));

  const folded = useFolded();

  watch([() => ui.groupBy, () => mirror.epoch], () => {
    collapsed.value = new Set();
  });

  function toggle(id: number, wanted = !collapsed.value.has(id)): void {
    const next = new Set(collapsed.value);
    if (wanted) next.add(id);
    else next.delete(id);
    collapsed.value = next;
  }
  function nameOf(id: number): string {
    if (ui.groupBy === 'type') return typeWord(mirror.table.dictionaries.type[id] ?? '');
    if (id === unknownPlace) return t('incidents.groups.unknown');
    if (id === noPlace) return t('incidents.row.noLocation');
    const town = towns.name(id - firstTown);
    return town === null ? t('incidents.groups.unknown') : townText(town);
  }

  /** What each header in view says. */
  const headersOf = (headers: readonly ShownHeader[]) =>
    headers.flatMap((header) => {
      const found = byId.value.get(header.group);
      if (found === undefined) return [];
      const { open, rows: members } = found.group;
      const name = nameOf(header.group);
      const counts = t('incidents.groups.count', { all: count(members.length) }, open);
      return [
        {
          ...header,
          place: found.place + 1,
          name,
          counts,
          label: t('incidents.groups.header', { group: name, counts }),
          none: open === 0,
          collapsed: collapsed.value.has(header.group),
        },
      ];
    });

  const everyEntry = computed(() =>
    ui.groupBy === 'none' ? rows.rows : entriesOf(groups.value, collapsed.value),
  );
  return {
    /** What the list shows, headers among rows; its rows alone where nothing is grouped. */
    entries: computed(() => (ui.groupBy === 'none' ? folded.value.rows : everyEntry.value)),
    /** The same, and the rows that one like them stands for. */
    everyEntry,
    /** How many incidents a row of the list stands for. */
    alike: (row: number): number => (ui.groupBy === 'none' ? (folded.value.counts.get(row) ?? 1) : 1),
    groups,
    nameOf,
    headersOf,
    toggle,
  };
});
