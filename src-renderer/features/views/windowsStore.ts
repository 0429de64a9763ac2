import { defineStore } from 'pinia';
import { computed } from 'vue';
import { useCommand } from '../../base/command.ts';
import { useBridge } from '../../base/stores/bridge.ts';
import { useMirror } from '../../base/stores/mirror.ts';

/** Second windows with the map or the list only. */
export const useWindows = defineStore('windows', () => {
  const { verbs } = useBridge();
  const mirror = useMirror();
  const { failure, run } = useCommand();
  /** A kiosk has one window and no more. */
  const allowed = computed(() => (mirror.policy?.kiosk ?? 'off') === 'off');

  /** Call it from a click: a browser opens no window for a page without one. Whether nothing went wrong. */
  async function open(show: 'map' | 'list'): Promise<boolean> {
    const opened = await run(verbs.openWindow({ show }));
    // Without the opener's handle the new window has its own storage, and gets in by its own code.
    if (opened.ok && opened.value.url !== null)
      window.open(opened.value.url, '_blank', 'noopener,popup,width=1200,height=800');
    return opened.ok;
  }

  return { allowed, failure, open };
});
