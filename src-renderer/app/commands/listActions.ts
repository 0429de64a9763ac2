import { computed, type ComputedRef } from 'vue';
import { groupings, sortColumns } from '../../../src-preload/contract/index.ts';
import { t } from '../../i18n/index.ts';
import { firstDirection, isFromStation } from '../../features/incidents/columns.ts';
import { useStation } from '../../base/stores/station.ts';
import { useUi } from '../../base/stores/ui.ts';
import type { Action } from './action.ts';

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
