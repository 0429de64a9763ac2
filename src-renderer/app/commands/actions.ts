import { defineStore } from 'pinia';
import { computed, type ComputedRef } from 'vue';
import { t } from '../../i18n/index.ts';
import type { Action } from '../../base/action.ts';
import { useLive } from '../../base/stores/live.ts';
import { useUi } from '../../base/stores/ui.ts';
import { keyedCommands, type KeyedCommand } from '../../base/commandKeys.ts';
import { alarmActions } from '../../features/alarms/commands.ts';
import { droneActions } from '../../features/drones/commands.ts';
import { exportActions } from '../../features/exports/commands.ts';
import { healthActions } from '../../features/health/commands.ts';
import { helpActions } from '../../features/help/commands.ts';
import {
  incidentActions,
  listActions,
  queryActions,
  searchActions,
  selectionActions,
} from '../../features/incidents/commands.ts';
import { mapActions } from '../../features/map/commands.ts';
import { shiftActions } from '../../features/notes/commands.ts';
import { accountActions } from '../../features/session/commands.ts';
import { lookActions } from '../../features/settings/commands.ts';
import { viewActions } from '../../features/views/commands.ts';
import { goActions } from './goActions.ts';

/** By the id of an action: the command whose keys do it. */
export const commandsByAction = <N extends string>(
  commands: Readonly<Record<N, KeyedCommand>>,
): ReadonlyMap<string, N> =>
  new Map(
    (Object.entries(commands) as [N, KeyedCommand][]).flatMap(([name, { action }]) =>
      action === undefined ? [] : [[action, name]],
    ),
  );
const commandOfAction = commandsByAction(keyedCommands);

/** Every action, as it is now, in the order in which equally good matches are offered. Call it within a store or a component. */
export function actionsOf(): ComputedRef<readonly Action[]> {
  const parts = [
    searchActions(),
    incidentActions(),
    goActions(),
    droneActions(),
    mapActions(),
    listActions(),
    lookActions(),
    selectionActions(),
    queryActions(),
    healthActions(),
    alarmActions(),
    exportActions(),
    viewActions(),
    shiftActions(),
    helpActions(),
    accountActions(),
  ];
  return computed(() =>
    parts.flatMap((part) =>
      part.value.map((action) => {
        const command = commandOfAction.get(action.id);
        return command === undefined ? action : { ...action, command };
      }),
    ),
  );
}

/** How many of the last used actions are remembered, sealed with the rest of the layout. */
const remembered = 8;

/** Every action of the console by its name, and which were used last. */
export const useActions = defineStore('actions', () => {
  const ui = useUi();
  const live = useLive();
  const known = actionsOf();
  /** Without the console the page still turns to another part and moves its map. */
  const all = computed(() =>
    live.frozen
      ? known.value.map((action) =>
          action.group === 'go' || action.group === 'map'
            ? action
            : { ...action, unavailable: t('status.lostConsole') },
        )
      : known.value,
  );
  /** Does it, unless it is not available now. */
  function run(action: Action): void {
    if (action.unavailable !== null) return;
    // Once for a key that is pressed again and again.
    if (ui.recentActions[0] !== action.id)
      ui.recentActions = [action.id, ...ui.recentActions.filter((id) => id !== action.id)].slice(
        0,
        remembered,
      );
    action.run();
  }

  return {
    all: computed(() => all.value),
    recent: computed(() => ui.recentActions),
    run,
    /** Does what a key stands for, which counts as used too; what is not available now is passed over. */
    command: (name: Action['command']) => {
      const action = all.value.find(({ command }) => command !== undefined && command === name);
      if (action !== undefined) run(action);
    },
  };
});
