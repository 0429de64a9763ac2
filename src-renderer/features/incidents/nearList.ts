import { nextTick } from 'vue';
import { useAlarms } from '../alarms/index.ts';
import { useUi } from '../../base/stores/ui.ts';

/** Lists what is nearest to the station first, and the worst first again; the focus goes to the list. */
export function nearList(): { readonly isOn: () => boolean; readonly toggle: () => Promise<void> } {
  const ui = useUi();
  const alarms = useAlarms();
  const isOn = (): boolean =>
    ui.panel === 'incidents' &&
    ui.listPart === 'all' &&
    ui.sortBy === 'distance' &&
    ui.sortDirection === 'ascending';
  return {
    isOn,
    toggle: async () => {
      const near = !isOn();
      alarms.stopShowing();
      ui.panel = 'incidents';
      ui.listPart = 'all';
      ui.askSort(near ? 'distance' : 'severity', near ? 'ascending' : 'descending');
      // After the order, which takes a separate task: a list in another order is another element.
      await new Promise((resolve) => setTimeout(resolve));
      await nextTick();
      document.querySelector<HTMLElement>('.incidents [data-region-entry]')?.focus();
    },
  };
}
