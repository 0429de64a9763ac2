import { computed, type ComputedRef } from 'vue';
import { t } from '../../i18n/index.ts';
import type { Action } from '../../base/action.ts';
import { useViews } from './viewsStore.ts';
import { useWindows } from './windowsStore.ts';

/** More windows, and saved views. */
export function viewActions(): ComputedRef<readonly Action[]> {
  const views = useViews();
  const windows = useWindows();

  return computed(() => [
    ...(['map', 'list'] as const).map((show): Action => ({
      id: `window-${show}`,
      group: 'work',
      name: t(`commands.work.window.${show}`),
      unavailable: windows.allowed ? null : t('commands.why.kiosk'),
      run: () => void windows.open(show),
    })),
    ...views.views.map((view): Action => ({
      id: `view-${view.id}`,
      group: 'views',
      name: t('commands.work.view', { name: view.name }),
      unavailable: null,
      run: () => {
        views.apply(view);
      },
    })),
  ]);
}
