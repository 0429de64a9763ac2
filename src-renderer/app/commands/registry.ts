import { computed, type ComputedRef } from 'vue';
import { keyedCommands, type KeyedCommand } from '../../base/commandKeys.ts';
import { goActions } from './goActions.ts';
import { lookActions } from './lookActions.ts';
import type { Action } from './action.ts';
import { selectionActions } from './selectionActions.ts';
import { workActions } from './workActions.ts';

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

/** Every action, as it is now. Call it within a store or a component. */
export function actionsOf(): ComputedRef<readonly Action[]> {
  const parts = [goActions(), lookActions(), selectionActions(), workActions()];
  return computed(() =>
    parts.flatMap((part) =>
      part.value.map((action) => {
        const command = commandOfAction.get(action.id);
        return command === undefined ? action : { ...action, command };
      }),
    ),
  );
}
