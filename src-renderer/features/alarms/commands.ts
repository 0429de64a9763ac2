import { computed, type ComputedRef } from 'vue';
import { t } from '../../i18n/index.ts';
import { useAlarms } from './alarmsStore.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import type { Action } from '../../base/action.ts';

const muteMinutes = [5, 30, 60] as const;

/** The alarms and their sound. */
export function alarmActions(): ComputedRef<readonly Action[]> {
  const mirror = useMirror();
  const alarms = useAlarms();

  return computed(() => {
    const work = { group: 'work', unavailable: null } as const;
    const muted = (mirror.siren?.mutedUntil ?? null) !== null;
    return [
      {
        ...work,
        id: 'acknowledge-all',
        name: t('commands.alarms.acknowledgeAll'),
        unavailable: alarms.active.length === 0 ? t('commands.why.noAlarms') : null,
        run: () => void alarms.acknowledge(null),
      },
      ...muteMinutes.map((minutes): Action => ({
        ...work,
        id: `mute-${minutes}`,
        name: t('commands.alarms.mute', { minutes }),
        unavailable: muted ? t('commands.why.isSo') : null,
        run: () => void alarms.mute(minutes),
      })),
      {
        ...work,
        id: 'unmute',
        name: t('commands.alarms.unmute'),
        unavailable: muted ? null : t('commands.why.notMuted'),
        run: () => void alarms.mute(null),
      },
    ] satisfies readonly Action[];
  });
}
