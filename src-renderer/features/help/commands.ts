import { computed, type ComputedRef } from 'vue';
import { t } from '../../i18n/index.ts';
import type { Action } from '../../base/action.ts';
import { useUi, type Overlay } from '../../base/stores/ui.ts';

/** The dialogs that explain the console. */
export function helpActions(): ComputedRef<readonly Action[]> {
  const ui = useUi();

  return computed(() => {
    const dialog = (id: Overlay, name: string): Action => ({
      id,
      group: 'work',
      name,
      unavailable: null,
      run: () => {
        ui.overlay = id;
      },
    });
    return [
      dialog('shortcuts', t('commands.work.shortcuts')),
      dialog('tour', t('commands.work.tour')),
      dialog('words', t('commands.work.words')),
    ];
  });
}
