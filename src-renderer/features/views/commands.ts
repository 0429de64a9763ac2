import { computed, type ComputedRef } from 'vue';
import { t } from '../../i18n/index.ts';
import type { Action } from '../../base/action.ts';
import { useViews } from './viewsStore.ts';
import { useBridge } from '../../base/stores/bridge.ts';
import { useCommands } from '../../base/stores/commands.ts';
import { useMirror } from '../../base/stores/mirror.ts';

/** More windows, and saved views. */
export function viewActions(): ComputedRef<readonly Action[]> {
  const views = useViews();
  const { verbs } = useBridge();
  const mirror = useMirror();
  const commands = useCommands();

  async function openWindow(show: 'map' | 'list'): Promise<void> {
    const opened = await verbs.openWindow({ show });
    if (!opened.ok) commands.report('page', opened.failure);
    // Without the opener's handle the new window has its own storage, and gets in by its own code.
    else if (opened.value.url !== null)
      window.open(opened.value.url, '_blank', 'noopener,popup,width=1200,height=800');
  }

  return computed(() => [
    ...(['map', 'list'] as const).map((show): Action => ({
      id: `window-${show}`,
      group: 'work',
      name: t(`commands.work.window.${show}`),
      // A kiosk has one window and no more.
      unavailable: (mirror.policy?.kiosk ?? 'off') === 'off' ? null : t('commands.why.kiosk'),
      run: () => void openWindow(show),
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
