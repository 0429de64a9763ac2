import { useEventListener } from '@vueuse/core';
import { computed, nextTick, type ComputedRef } from 'vue';
import { panelNames } from '../../../src-preload/contract/index.ts';
import { t } from '../../i18n/index.ts';
import { regionNames, Regions } from '../regions.ts';
import { useAlarms } from '../../features/alarms/alarmsStore.ts';
import { useChanges } from '../../features/incidents/changesStore.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { useRows } from '../../features/incidents/rowsStore.ts';
import { useSearch } from '../../features/incidents/search/searchStore.ts';
import { useStation } from '../../base/stores/station.ts';
import { useUi, type DrawerName } from '../../base/stores/ui.ts';
import { useWalk } from '../../features/map/walkStore.ts';
import { useWorst } from '../../features/incidents/worstStore.ts';
import { changedList } from '../../features/incidents/changedList.ts';
import { nearList } from '../../features/incidents/nearList.ts';
import type { Action } from './action.ts';

/** Panels, parts of the page, drawers, and the way from incident to incident. */
export function goActions(): ComputedRef<readonly Action[]> {
  const mirror = useMirror();
  const ui = useUi();
  const rows = useRows();
  const walk = useWalk();
  const worst = useWorst();
  const changes = useChanges();
  const showChanged = changedList();
  const near = nearList();
  const station = useStation();
  const alarms = useAlarms();
  const search = useSearch();
  const regions = new Regions(document);
  useEventListener(document, 'focusin', ({ target }) => {
    regions.note(target);
  });

  function stepInList(by: 1 | -1): void {
    const row = ui.selected === null ? -1 : mirror.table.indexOfKey(ui.selected);
    const at = row < 0 ? -1 : rows.rows.indexOf(row);
    const next = rows.rows[at < 0 ? 0 : Math.max(0, Math.min(rows.rows.length - 1, at + by))];
    if (next !== undefined) ui.select(mirror.table.columns.key[next] ?? null);
  }
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
    const nothing = rows.rows.length === 0 ? t('commands.why.noIncidents') : null;
    const noPlaces = rows.mapRows.length === 0 ? t('commands.why.noIncidents') : null;
    const go = { group: 'go', unavailable: null } as const;
    const incidents = { group: 'incidents', unavailable: nothing } as const;
    const drawer = (name: DrawerName, title: string): Action => ({
      ...go,
      id: `drawer-${name}`,
      name: title,
      on: ui.drawer === name,
      run: () => {
        ui.toggleDrawer(name);
      },
    });
    return [
      {
        ...go,
        id: 'search',
        group: 'incidents',
        name: t('commands.search.focus'),
        run: () => void toSearch(),
      },
      {
        ...go,
        id: 'clear-search',
        group: 'incidents',
        name: t('commands.search.clear'),
        unavailable: ui.search === '' ? t('commands.why.noSearch') : null,
        run: search.clear,
      },
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
      ...panelNames.map((panel): Action => ({
        ...go,
        id: `panel-${panel}`,
        name: t('commands.panel', { name: t(`rail.panels.${panel}`) }),
        on: ui.panel === panel,
        run: () => {
          ui.panel = panel;
          ui.select(null);
        },
      })),
      ...regionNames.map((name): Action => ({
        ...go,
        id: `region-${name}`,
        name: t(`commands.regions.${name}`),
        unavailable: name === 'details' && ui.selected === null ? t('commands.why.nothingSelected') : null,
        run: () => {
          // The details of a narrow window stand in the panel's place.
          if (!regions.focus(name) && name === 'details') regions.focus('panel');
        },
      })),
      {
        ...go,
        id: 'next-region',
        name: t('commands.regions.next'),
        run: () => {
          regions.step(1, document.activeElement);
        },
      },
      {
        ...go,
        id: 'previous-region',
        name: t('commands.regions.previous'),
        run: () => {
          regions.step(-1, document.activeElement);
        },
      },
      drawer('sync', t('commands.drawers.sync')),
      drawer('events', t('commands.drawers.events')),
      drawer('storage', t('commands.drawers.storage')),
      ...(mirror.training === null ? [] : [drawer('training', t('commands.drawers.training'))]),
      {
        ...go,
        id: 'next-alarm',
        name: t('commands.alarm'),
        unavailable: alarms.active.length === 0 ? t('commands.why.noAlarms') : null,
        run: () => {
          ui.panel = 'alarms';
          ui.select(null);
        },
      },
    ] satisfies readonly Action[];
  });
}
