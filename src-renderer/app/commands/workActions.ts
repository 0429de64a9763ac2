import { computed, type ComputedRef } from 'vue';
import { t } from '../../i18n/index.ts';
import { useCommands } from '../../base/stores/commands.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { useUi, type Overlay } from '../../base/stores/ui.ts';
import { useViews } from '../../features/views/viewsStore.ts';
import { useWatch } from '../../features/notes/notesStore.ts';
import { useWindows } from '../../features/views/windowsStore.ts';
import type { Action } from './action.ts';

/** Exports, windows, saved views and the shift. */
export function workActions(): ComputedRef<readonly Action[]> {
  const mirror = useMirror();
  const ui = useUi();
  const views = useViews();
  const windows = useWindows();
  const desk = useWatch();

  return computed(() => {
    const work = { group: 'work', unavailable: null } as const;
    const noExports = mirror.policy?.exports === false ? t('commands.why.noExports') : null;
    const noShift = (desk.state?.shift ?? null) === null ? t('commands.why.noShift') : null;
    const noHands = mirror.policy?.kiosk === 'wallboard' ? t('commands.why.wallboard') : null;
    return [
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
    ] satisfies readonly Action[];
  });
}

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

/** To leave the console, for a while or for good. */
export function accountActions(): ComputedRef<readonly Action[]> {
  const commands = useCommands();

  return computed(() => {
    const account = { group: 'account', unavailable: null } as const;
    return [
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
