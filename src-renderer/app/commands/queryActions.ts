import { computed, type ComputedRef } from 'vue';
import { t } from '../../i18n/index.ts';
import { whyUnavailable } from '../../base/liveness.ts';
import { isFiltered, unfiltered } from '../../base/query.ts';
import { useCommands } from '../../base/stores/commands.ts';
import { useLive } from '../../base/stores/live.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import type { Action } from './action.ts';

const ranges = ['1h', '6h', '24h', '7d', 'all'] as const;

/** What the console reads, and which incidents it shows: reading now, the range, the filters. */
export function queryActions(): ComputedRef<readonly Action[]> {
  const mirror = useMirror();
  const live = useLive();
  const commands = useCommands();

  const offline = computed(() => whyUnavailable(live.liveness, mirror.link));
  const isPlain = computed(() => {
    const query = mirror.incidents?.query;
    return query === undefined || !isFiltered(query);
  });

  return computed(() => {
    const work = { group: 'work', unavailable: null } as const;
    const noHands = mirror.policy?.kiosk === 'wallboard' ? t('commands.why.wallboard') : null;
    const filter = (change: Parameters<typeof commands.changeQuery>[0]) => (): void => {
      void commands.changeQuery(change);
    };
    return [
      {
        ...work,
        id: 'refresh',
        name: t('commands.work.refresh'),
        unavailable: offline.value,
        run: () => void commands.refresh(),
      },
      {
        ...work,
        id: 'check-integrations',
        name: t('commands.work.checkHealth'),
        unavailable: offline.value,
        run: () => void commands.checkHealth(),
      },
      ...ranges.map((range): Action => ({
        id: `range-${range}`,
        group: 'incidents',
        name: t(`commands.ranges.${range}`),
        on: mirror.incidents?.query.range === range,
        unavailable: noHands,
        run: filter({ range }),
      })),
      ...(['open', 'all'] as const).map((choice): Action => ({
        id: `show-${choice}`,
        group: 'incidents',
        name: t(`incidents.open.${choice}`),
        on: mirror.incidents?.query.openOnly === (choice === 'open'),
        unavailable: noHands,
        run: filter({ openOnly: choice === 'open' }),
      })),
      {
        id: 'clear-filters',
        group: 'incidents',
        name: t('commands.work.clearFilters'),
        unavailable: isPlain.value ? t('commands.why.noFilters') : noHands,
        run: filter(unfiltered),
      },
    ] satisfies readonly Action[];
  });
}
