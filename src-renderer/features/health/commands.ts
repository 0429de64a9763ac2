import { computed, type ComputedRef } from 'vue';
import { t } from '../../i18n/index.ts';
import type { Action } from '../../base/action.ts';
import { whyUnavailable } from '../../base/liveness.ts';
import { useCommands } from '../../base/stores/commands.ts';
import { useLive } from '../../base/stores/live.ts';
import { useMirror } from '../../base/stores/mirror.ts';

/** Reading the health of the integrations now. */
export function healthActions(): ComputedRef<readonly Action[]> {
  const mirror = useMirror();
  const live = useLive();
  const commands = useCommands();

  return computed(() => [
    {
      id: 'check-integrations',
      group: 'work',
      name: t('commands.work.checkHealth'),
      unavailable: whyUnavailable(live.liveness, mirror.link),
      run: () => void commands.checkHealth(),
    },
  ]);
}
