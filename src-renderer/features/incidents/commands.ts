import { computed, nextTick, type ComputedRef } from 'vue';
import { groupings, sortColumns } from '../../../src-preload/contract/index.ts';
import type { Action } from '../../base/action.ts';
import { whyUnavailable } from '../../base/liveness.ts';
import { isFiltered, unfiltered } from '../../base/query.ts';
import { useCommands } from '../../base/stores/commands.ts';
import { useLive } from '../../base/stores/live.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { useStation } from '../../base/stores/station.ts';
import { useUi } from '../../base/stores/ui.ts';
import { t } from '../../i18n/index.ts';
import { useAlarms } from '../alarms/index.ts';
import { useWalk } from '../map/index.ts';
import { useNotes } from '../notes/index.ts';
import { changedList } from './changedList.ts';
import { useChanges } from './changesStore.ts';
import { firstDirection, isFromStation } from './columns.ts';
import { useMarked } from './markedStore.ts';
import { nearList } from './nearList.ts';
import { useRows } from './rowsStore.ts';
import { useSearch } from './search/searchStore.ts';
import { useWorst } from './worstStore.ts';

/** The search over incidents: begin it, and end it. */
export function searchActions(): ComputedRef<readonly Action[]> {
  const ui = useUi();
  const search = useSearch();

  async function toSearch(): Promise<void> {
    ui.panel = 'incidents';
    // In a narrow window the details stand where the box is.
    if (document.querySelector('[data-search]') === null) ui.select(null);
    // Before the next key, not with the next frame: what is typed at once would be taken for commands.
    await nextTick();
    document.querySelector<HTMLInputElement>('[data-search]')?.select();
    document.querySelector<HTMLInputElement>('[data-search]')?.focus();
  }

  return computed(() => {
    const incidents = { group: 'incidents', unavailable: null } as const;
    return [
      {
        ...incidents,
        id: 'search',
        name: t('commands.search.focus'),
        run: () => void toSearch(),
      },
      {
        ...incidents,
        id: 'clear-search',
        name: t('commands.search.clear'),
        unavailable: ui.search === '' ? t('commands.why.noSearch') : null,
        run: search.clear,
      },
    ] satisfies readonly Action[];
  });
}

/** From one incident to another: along the list, to the worst, by distance. */
export function incidentActions(): ComputedRef<readonly Action[]> {
  const mirror = useMirror();
  const ui = useUi();
  const rows = useRows();
  const walk = useWalk();
  const worst = useWorst();
  const changes = useChanges();
  const showChanged = changedList();
  const near = nearList();
  const station = useStation();

  function stepInList(by: 1 | -1): void {
    const row = ui.selected === null ? -1 : mirror.table.indexOfKey(ui.selected);
    const at = row < 0 ? -1 : rows.rows.indexOf(row);
    const next = rows.rows[at < 0 ? 0 : Math.max(0, Math.min(rows.rows.length - 1, at + by))];
    if (next !== undefined) ui.select(mirror.table.columns.key[next] ?? null);
  }

  return computed(() => {
    const nothing = rows.rows.length === 0 ? t('commands.why.noIncidents') : null;
    const noPlaces = rows.mapRows.length === 0 ? t('commands.why.noIncidents') : null;
    const incidents = { group: 'incidents', unavailable: nothing } as const;
    return [
      {
        ...incidents,
        id: 'next-incident',
        name: t('commands.next'),
        run: () => {
          stepInList(1);
        },
      },
      {
        ...incidents,
        id: 'previous-incident',
        name: t('commands.previous'),
        run: () => {
          stepInList(-1);
        },
      },
      {
        ...incidents,
        id: 'worst-open',
        name: t('incidents.open.worst'),
        unavailable: worst.none ? t('commands.why.noneOpen') : null,
        run: worst.open,
      },
      {
        ...incidents,
        id: 'changed',
        name: t('incidents.changed.title'),
        on: ui.listPart === 'changed',
        unavailable: changes.count === 0 && ui.listPart !== 'changed' ? t('incidents.changed.none') : null,
        run: () => void showChanged(),
      },
      {
        ...incidents,
        id: 'near',
        name: t('incidents.near.title'),
        on: near.isOn(),
        unavailable: station.position === null ? t('commands.why.noStation') : nothing,
        run: () => void near.toggle(),
      },
      {
        ...incidents,
        id: 'farther',
        name: t('commands.farther'),
        unavailable: noPlaces,
        run: () => {
          walk.byDistance('outwards');
        },
      },
      {
        ...incidents,
        id: 'nearer',
        name: t('commands.nearer'),
        unavailable: noPlaces,
        run: () => {
          walk.byDistance('inwards');
        },
      },
      {
        ...incidents,
        id: 'close-details',
        name: t('commands.closeDetails'),
        unavailable: ui.selected === null ? t('commands.why.nothingSelected') : null,
        run: () => {
          ui.select(null);
        },
      },
    ] satisfies readonly Action[];
  });
}

/** The order and the form of the list. */
export function listActions(): ComputedRef<readonly Action[]> {
  const ui = useUi();
  const station = useStation();

  return computed(() => {
    const noStation = station.position === null ? t('commands.why.noStation') : null;
    return [
      ...sortColumns.map((column): Action => ({
        id: `sort-${column}`,
        group: 'incidents',
        name: t(`commands.sort.${column}`),
        on: ui.sortBy === column,
        unavailable: isFromStation(column) ? noStation : null,
        run: () => {
          ui.askSort(column, firstDirection(column));
        },
      })),
      ...groupings.map((by): Action => ({
        id: `group-${by}`,
        group: 'incidents',
        name: t(`commands.grouping.${by}`),
        on: ui.groupBy === by,
        unavailable: null,
        run: () => {
          ui.groupBy = by;
        },
      })),
      {
        id: 'usual-list',
        group: 'look',
        name: t('commands.look.usualList'),
        unavailable: ui.columns === null ? t('commands.why.isSo') : null,
        run: () => {
          ui.columns = null;
        },
      },
    ] satisfies readonly Action[];
  });
}

const ranges = ['1h', '6h', '24h', '7d', 'all'] as const;

/** What the console reads, and which incidents it shows: reading now, the range, the filters. */
export function queryActions(): ComputedRef<readonly Action[]> {
  const mirror = useMirror();
  const live = useLive();
  const commands = useCommands();

  const offline = computed(() => whyUnavailable(live.liveness, mirror.link));
  const isPlain = computed(() => {
    const query = mirror.incidents?.query;
    return query === undefined || !isFiltered(query);
  });

  return computed(() => {
    const work = { group: 'work', unavailable: null } as const;
    const noHands = mirror.policy?.kiosk === 'wallboard' ? t('commands.why.wallboard') : null;
    const filter = (change: Parameters<typeof commands.changeQuery>[0]) => (): void => {
      void commands.changeQuery(change);
    };
    return [
      {
        ...work,
        id: 'refresh',
        name: t('commands.work.refresh'),
        unavailable: offline.value,
        run: () => void commands.refresh(),
      },
      ...ranges.map((range): Action => ({
        id: `range-${range}`,
        group: 'incidents',
        name: t(`commands.ranges.${range}`),
        on: mirror.incidents?.query.range === range,
        unavailable: noHands,
        run: filter({ range }),
      })),
      ...(['open', 'all'] as const).map((choice): Action => ({
        id: `show-${choice}`,
        group: 'incidents',
        name: t(`incidents.open.${choice}`),
        on: mirror.incidents?.query.openOnly === (choice === 'open'),
        unavailable: noHands,
        run: filter({ openOnly: choice === 'open' }),
      })),
      {
        id: 'clear-filters',
        group: 'incidents',
        name: t('commands.work.clearFilters'),
        unavailable: isPlain.value ? t('commands.why.noFilters') : noHands,
        run: filter(unfiltered),
      },
    ] satisfies readonly Action[];
  });
}

/** What is done to the incidents that are selected: those that are marked in the list, else the open one. */
export function selectionActions(): ComputedRef<readonly Action[]> {
  const mirror = useMirror();
  const ui = useUi();
  const alarms = useAlarms();
  const notes = useNotes();
  const marked = useMarked();

  return computed(() => {
    void mirror.tableRevision;
    const open = ui.selected === null ? -1 : mirror.table.indexOfKey(ui.selected);
    const several = marked.rows.length > 0;
    const rows = several ? [...marked.rows] : open < 0 ? [] : [open];
    const ids = rows.map((row) => mirror.table.idAt(row));
    const [first] = ids;
    const none = first === undefined ? t('commands.why.nothingSelected') : null;
    const theirs = ids.length === 0 ? [] : alarms.alone(new Set(ids));
    const base = { group: 'work', ofSelection: true, unavailable: none } as const;
    const openId = open < 0 ? null : mirror.table.idAt(open);
    const isPinned = ids.length > 0 && ids.every((id) => notes.pinnedIds.has(id));
    return [
      {
        ...base,
        id: 'acknowledge-selected',
        name: t('commands.selection.acknowledge'),
        unavailable: none ?? (theirs.length === 0 ? t('commands.why.noAlarms') : null),
        run: () => void alarms.acknowledgeThese(theirs.map(({ id }) => id)),
      },
      {
        ...base,
        id: 'open-selected',
        name: t('commands.selection.open'),
        unavailable: none ?? (rows[0] === open ? t('commands.why.isSo') : null),
        run: () => {
          ui.select(mirror.table.columns.key[rows[0] ?? -1] ?? null);
        },
      },
      {
        ...base,
        id: 'copy-message',
        name: t('incidents.marked.copy'),
        run: () => void marked.copy(rows),
      },
      {
        ...base,
        id: 'pin',
        name: t('commands.work.pin'),
        on: isPinned,
        run: () => {
          if (several && !isPinned) void marked.pin();
          else if (first !== undefined) void notes.pin(first, !isPinned);
        },
      },
      {
        ...base,
        id: 'note',
        name: t('commands.work.note'),
        unavailable:
          ui.pane === 'map'
            ? t('commands.why.noDetails')
            : openId === null
              ? t('commands.why.nothingSelected')
              : null,
        run: () => {
          if (openId !== null) notes.askForNote(openId);
        },
      },
      {
        ...base,
        id: 'copy-link',
        name: t('incidents.marked.link'),
        run: () => {
          if (rows[0] !== undefined) void marked.copyLink(rows[0]);
        },
      },
    ] satisfies readonly Action[];
  });
}
