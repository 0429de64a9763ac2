import { computed, type ComputedRef } from 'vue';
import { t } from '../../i18n/index.ts';
import { livenessOf, whyUnavailable } from '../../base/liveness.ts';
import { isFiltered, unfiltered } from '../../base/query.ts';
import { useAlarms } from '../../features/alarms/alarmsStore.ts';
import { useClock } from '../../base/stores/clock.ts';
import { useCommands } from '../../base/stores/commands.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { useUi } from '../../base/stores/ui.ts';
import { useViews } from '../../features/views/viewsStore.ts';
import { useWatch } from '../../features/notes/notesStore.ts';
import { useWindows } from '../../features/views/windowsStore.ts';
import type { Action } from './action.ts';

const ranges = ['1h', '6h', '24h', '7d', 'all'] as const;
const muteMinutes = [5, 30, 60] as const;

/** What asks something of the service or of the console: reading anew, filters, alarms, views, the account. */
export function workActions(): ComputedRef<readonly Action[]> {
  const mirror = useMirror();
  const ui = useUi();
  const clock = useClock();
  const commands = useCommands();
  const alarms = useAlarms();
  const views = useViews();
  const windows = useWindows();
  const desk = useWatch();

  const liveness = computed(() => livenessOf(mirror.session, clock.decasecond));
  const offline = computed(() => whyUnavailable(liveness.value, mirror.link));
  const isPlain = computed(() => {
    const query = mirror.incidents?.query;
    return query === undefined || !isFiltered(query);
  });

  return computed(() => {
    const work = { group: 'work', unavailable: null } as const;
    const account = { group: 'account', unavailable: null } as const;
    const noExports = mirror.policy?.exports === false ? t('commands.why.noExports') : null;
    const muted = (mirror.siren?.mutedUntil ?? null) !== null;
    const noShift = (desk.state?.shift ?? null) === null ? t('commands.why.noShift') : null;
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
      {
        ...work,
        id: 'acknowledge-all',
        name: t('commands.alarms.acknowledgeAll'),
        unavailable: alarms.active.length === 0 ? t('commands.why.noAlarms') : null,
        confirm: {
          question: t('commands.alarms.acknowledgeQuestion', {}, mirror.siren?.unacknowledged ?? 0),
          does: t('commands.alarms.acknowledgeAll'),
        },
        run: () => void alarms.acknowledgeAll(),
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
      {
        ...work,
        id: 'export',
        name: t('commands.work.export'),
        unavailable: noExports,
        run: () => {
          ui.overlay = 'export';
        },
      },
      ...(['map', 'list'] as const).map((show): Action => ({
        ...work,
        id: `window-${show}`,
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
      {
        ...work,
        id: 'begin-shift',
        name: t('commands.work.beginShift'),
        confirm: { question: t('commands.work.beginShiftQuestion'), does: t('commands.work.beginShift') },
        run: () => void desk.beginShift(),
      },
      {
        ...work,
        id: 'hand-over',
        name: t('commands.work.handOver'),
        unavailable: noHands ?? noShift,
        // The log says afterwards that it was done.
        run: () => {
          ui.panel = 'log';
          ui.select(null);
          ui.overlay = 'hand-over';
        },
      },
      {
        ...work,
        id: 'shortcuts',
        name: t('commands.work.shortcuts'),
        run: () => {
          ui.overlay = 'shortcuts';
        },
      },
      {
        ...work,
        id: 'tour',
        name: t('commands.work.tour'),
        run: () => {
          ui.overlay = 'tour';
        },
      },
      {
        ...work,
        id: 'words',
        name: t('commands.work.words'),
        run: () => {
          ui.overlay = 'words';
        },
      },
      { ...account, id: 'lock', name: t('commands.account.lock'), run: () => void commands.lock() },
      {
        ...account,
        id: 'sign-out',
        name: t('commands.account.signOut'),
        confirm: { question: t('commands.account.signOutQuestion'), does: t('commands.account.signOut') },
        run: () => void commands.signOut(),
      },
    ] satisfies readonly Action[];
  });
}
