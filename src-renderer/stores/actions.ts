import { defineStore } from 'pinia';
import { computed, shallowRef, watch } from 'vue';
import { t } from '../i18n/index.ts';
import { actionsOf, type Action } from '../views/commands/registry.ts';
import { useLive } from './live.ts';
import { useMirror } from './mirror.ts';

/** How many of the last used actions are remembered. */
const remembered = 8;

/** Every action of the console by its name, and which were used last. */
export const useActions = defineStore('actions', () => {
  const mirror = useMirror();
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
  const recent = shallowRef<readonly string[]>([]);
  watch(
    () => mirror.opened,
    (opened) => {
      if (!opened) recent.value = [];
    },
    { flush: 'sync' },
  );

  /** Does it, unless it is not available now. */
  function run(action: Action): void {
    if (action.unavailable !== null) return;
    recent.value = [action.id, ...recent.value.filter((id) => id !== action.id)].slice(0, remembered);
    action.run();
  }

  return {
    all: computed(() => all.value),
    recent,
    run,
    /** Does what a key stands for; what is not available now is passed over. */
    command: (name: Action['command']) => {
      const action = all.value.find(({ command }) => command !== undefined && command === name);
      if (action?.unavailable === null) action.run();
    },
  };
});
