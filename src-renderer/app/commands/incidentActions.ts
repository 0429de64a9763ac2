import { computed, nextTick, type ComputedRef } from 'vue';
import { t } from '../../i18n/index.ts';
import { useChanges } from '../../features/incidents/changesStore.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { useRows } from '../../features/incidents/rowsStore.ts';
import { useSearch } from '../../features/incidents/search/searchStore.ts';
import { useStation } from '../../base/stores/station.ts';
import { useUi } from '../../base/stores/ui.ts';
import { useWalk } from '../../features/map/walkStore.ts';
import { useWorst } from '../../features/incidents/worstStore.ts';
import { changedList } from '../../features/incidents/changedList.ts';
import { nearList } from '../../features/incidents/nearList.ts';
import type { Action } from './action.ts';

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
