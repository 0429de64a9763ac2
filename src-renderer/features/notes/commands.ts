import { computed, type ComputedRef } from 'vue';
import { t } from '../../i18n/index.ts';
import type { Action } from '../../base/action.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { useUi } from '../../base/stores/ui.ts';
import { useNotes } from './notesStore.ts';

/** The shift: begin it, hand it over. */
export function shiftActions(): ComputedRef<readonly Action[]> {
  const mirror = useMirror();
  const ui = useUi();
  const notes = useNotes();

  return computed(() => {
    const work = { group: 'work', unavailable: null } as const;
    const noShift = (notes.state?.shift ?? null) === null ? t('commands.why.noShift') : null;
    const noHands = mirror.policy?.kiosk === 'wallboard' ? t('commands.why.wallboard') : null;
    return [
      {
        ...work,
        id: 'begin-shift',
        name: t('commands.work.beginShift'),
        confirm: { question: t('commands.work.beginShiftQuestion'), does: t('commands.work.beginShift') },
        run: () => void notes.beginShift(),
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
