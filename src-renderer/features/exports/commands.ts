import { computed, type ComputedRef } from 'vue';
import { t } from '../../i18n/index.ts';
import type { Action } from '../../base/action.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { useUi } from '../../base/stores/ui.ts';

/** Exporting incidents. */
export function exportActions(): ComputedRef<readonly Action[]> {
  const mirror = useMirror();
  const ui = useUi();

  return computed(() => [
    {
      id: 'export',
      group: 'work',
      name: t('commands.work.export'),
      unavailable: mirror.policy?.exports === false ? t('commands.why.noExports') : null,
      run: () => {
        ui.overlay = 'export';
      },
    },
  ]);
}
