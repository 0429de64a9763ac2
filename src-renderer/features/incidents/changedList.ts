import { nextTick } from 'vue';
import { useAlarms } from '../alarms/index.ts';
import { useUi } from '../../base/stores/ui.ts';

/** Shows what changed since the operator last looked, and what was shown before it again; the focus goes to the list. */
export function changedList(): () => Promise<void> {
  const ui = useUi();
  const alarms = useAlarms();
  return async () => {
    alarms.stopShowing();
    ui.panel = 'incidents';
    ui.listPart = ui.listPart === 'changed' ? 'all' : 'changed';
    await nextTick();
    document.querySelector<HTMLElement>('.incidents [data-region-entry]')?.focus();
  };
}
