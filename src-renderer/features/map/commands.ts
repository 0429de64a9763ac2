import { computed, type ComputedRef } from 'vue';
import { t } from '../../i18n/index.ts';
import { useMapTools } from './mapToolsStore.ts';
import { useStation } from '../../base/stores/station.ts';
import { useUi } from '../../base/stores/ui.ts';
import type { Action } from '../../base/action.ts';

/** Where the map looks, what lies over it, its tools. */
export function mapActions(): ComputedRef<readonly Action[]> {
  const ui = useUi();
  const station = useStation();
  const tools = useMapTools();

  return computed(() => {
    const map = { group: 'map', unavailable: null } as const;
    const noMap = tools.map === null ? t('commands.why.noMap') : null;
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
    ] satisfies readonly Action[];
  });
}
