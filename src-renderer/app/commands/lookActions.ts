import { computed, type ComputedRef } from 'vue';
import {
  coordinateFormats,
  groupings,
  lengthUnits,
  sortColumns,
  textSizes,
  themeNames,
} from '../../../src-preload/contract/index.ts';
import { t } from '../../i18n/index.ts';
import { firstDirection, isFromStation } from '../../features/incidents/columns.ts';
import { useCommands } from '../../base/stores/commands.ts';
import { resetLayout } from '../../features/views/layoutStore.ts';
import { useMapTools } from '../../features/map/mapToolsStore.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { useStation } from '../../base/stores/station.ts';
import { useUi } from '../../base/stores/ui.ts';
import type { Action } from './action.ts';

/** How things are shown: themes, sizes, units, overlays, the order of the list. */
export function lookActions(): ComputedRef<readonly Action[]> {
  const mirror = useMirror();
  const ui = useUi();
  const commands = useCommands();
  const station = useStation();
  const tools = useMapTools();

  return computed(() => {
    const preferences = mirror.preferences;
    const look = { group: 'look', unavailable: null } as const;
    const map = { group: 'map', unavailable: null } as const;
    const set = (change: Parameters<typeof commands.setPreferences>[0]) => (): void => {
      void commands.setPreferences(change);
    };
    const noMap = tools.map === null ? t('commands.why.noMap') : null;
    const noStation = station.position === null ? t('commands.why.noStation') : null;
    return [
      {
        ...map,
        id: 'show-all',
        name: t('commands.map.showAll'),
        run: () => {
          ui.look(null, { fly: true });
        },
      },
      {
        ...map,
        id: 'show-selected',
        name: t('commands.map.showSelected'),
        unavailable: ui.selected === null ? t('commands.why.nothingSelected') : null,
        run: () => {
          ui.shows += 1;
        },
      },
      {
        ...map,
        id: 'timeline',
        name: t('commands.map.timeline'),
        on: ui.timeline,
        run: () => {
          ui.timeline = !ui.timeline;
        },
      },
      {
        ...map,
        id: 'graticule',
        name: t('commands.map.graticule'),
        on: ui.overlays.graticule,
        run: () => {
          ui.overlays = { ...ui.overlays, graticule: !ui.overlays.graticule };
        },
      },
      {
        ...map,
        id: 'mgrs-grid',
        name: t('commands.map.mgrsGrid'),
        on: ui.overlays.mgrsGrid,
        run: () => {
          ui.overlays = { ...ui.overlays, mgrsGrid: !ui.overlays.mgrsGrid };
        },
      },
      {
        ...map,
        id: 'go-to-place',
        name: t('commands.map.goTo'),
        unavailable: noMap,
        run: tools.ask,
      },
      ...(['line', 'area'] as const).map((what): Action => ({
        ...map,
        id: `measure-${what}`,
        name: t(`commands.map.measure.${what}`),
        unavailable: noMap,
        run: () => {
          tools.measure(what);
        },
      })),
      {
        ...map,
        id: 'station-here',
        name: t('commands.map.stationHere'),
        unavailable: noMap,
        ...(station.position === null
          ? {}
          : {
              confirm: { question: t('commands.map.stationQuestion'), does: t('commands.map.stationHere') },
            }),
        run: () => {
          const centre = tools.centre();
          if (centre !== null) void station.place(centre);
        },
      },
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
        unavailable: ui.columns === null ? null : t('commands.why.isTable'),
        run: () => {
          ui.groupBy = by;
        },
      })),
      {
        ...look,
        id: 'usual-list',
        name: t('commands.look.usualList'),
        unavailable: ui.columns === null ? t('commands.why.isSo') : null,
        run: () => {
          ui.columns = null;
        },
      },
      { ...look, id: 'reset-layout', name: t('commands.look.resetLayout'), run: resetLayout },
      ...(['system', 'schedule', ...themeNames] as const).map((theme): Action => ({
        ...look,
        id: `theme-${theme}`,
        name: t(`commands.theme.${theme}`),
        on: preferences?.theme === theme,
        run: set({ theme }),
      })),
      ...textSizes.map((textSize): Action => ({
        ...look,
        id: `text-${textSize}`,
        name: t(`commands.textSize.${textSize}`),
        on: preferences?.textSize === textSize,
        run: set({ textSize }),
      })),
      {
        ...look,
        id: 'zone',
        name: t(preferences?.zone === 'local' ? 'commands.zone.utc' : 'commands.zone.local'),
        run: set({ zone: preferences?.zone === 'local' ? 'utc' : 'local' }),
      },
      ...coordinateFormats.map((coordinates): Action => ({
        ...look,
        id: `coordinates-${coordinates}`,
        name: t(`commands.coordinates.${coordinates}`),
        on: preferences?.coordinates === coordinates,
        run: set({ coordinates }),
      })),
      ...lengthUnits.map((units): Action => ({
        ...look,
        id: `units-${units}`,
        name: t(`commands.units.${units}`),
        on: preferences?.units === units,
        run: set({ units }),
      })),
      {
        ...look,
        id: 'touch',
        name: t('commands.look.touch'),
        on: preferences?.touch === 'on',
        run: set({ touch: preferences?.touch === 'on' ? 'auto' : 'on' }),
      },
      {
        ...look,
        id: 'reduced-motion',
        name: t('commands.look.reducedMotion'),
        on: preferences?.motion === 'reduced',
        run: set({ motion: preferences?.motion === 'reduced' ? 'system' : 'reduced' }),
      },
      {
        ...look,
        id: 'single-keys',
        name: t('commands.look.singleKeys'),
        on: preferences?.singleKeys === true,
        run: set({ singleKeys: preferences?.singleKeys !== true }),
      },
    ] satisfies readonly Action[];
  });
}
