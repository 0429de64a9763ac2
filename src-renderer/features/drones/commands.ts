import { computed, type ComputedRef } from 'vue';
import { t } from '../../i18n/index.ts';
import { droneOrder } from '../../base/droneOrder.ts';
import { useDrones } from '../../base/stores/drones.ts';
import { useStation } from '../../base/stores/station.ts';
import type { Action } from '../../base/action.ts';

/** What is done about the drones: from one to the next, to the chosen one, and with it. */
export function droneActions(): ComputedRef<readonly Action[]> {
  const drones = useDrones();
  const station = useStation();

  /** In the order of the panel; after the last comes the first. */
  function next(): void {
    const ids = droneOrder(drones.table.all(), drones.sort, station.position);
    const at = drones.chosenId === null ? -1 : ids.indexOf(drones.chosenId);
    const id = ids[(at + 1) % ids.length];
    if (id === undefined) return;
    drones.open(id);
    drones.goTo(id);
  }

  return computed(() => {
    void drones.members;
    const { chosenId, followedId } = drones;
    const none = drones.table.size === 0 ? t('drones.commands.none') : null;
    const map = {
      group: 'map',
      unavailable: none ?? (chosenId === null ? t('drones.commands.notChosen') : null),
    } as const;
    return [
      { group: 'go', id: 'next-drone', name: t('drones.commands.next'), unavailable: none, run: next },
      {
        ...map,
        id: 'show-drone',
        name: t('drones.commands.show'),
        run: () => {
          if (chosenId !== null) drones.goTo(chosenId);
        },
      },
      {
        ...map,
        id: 'follow-drone',
        name: t('drones.commands.follow'),
        on: followedId !== null,
        unavailable: followedId === null ? map.unavailable : null,
        run: () => {
          drones.follow(followedId === null ? chosenId : null);
        },
      },
    ] satisfies readonly Action[];
  });
}
