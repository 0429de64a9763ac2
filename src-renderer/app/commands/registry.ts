import { computed, type ComputedRef } from 'vue';
import { goActions } from './goActions.ts';
import { lookActions } from './lookActions.ts';
import type { Action } from './action.ts';
import { selectionActions } from './selectionActions.ts';
import { workActions } from './workActions.ts';

/** Every action, as it is now. Call it within a store or a component. */
export function actionsOf(): ComputedRef<readonly Action[]> {
  const parts = [goActions(), lookActions(), selectionActions(), workActions()];
  return computed(() => parts.flatMap((part) => part.value));
}
