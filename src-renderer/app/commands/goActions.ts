import { useEventListener } from '@vueuse/core';
import { computed, type ComputedRef } from 'vue';
import { panelNames } from '../../../src-preload/contract/index.ts';
import { t } from '../../i18n/index.ts';
import { regionNames, Regions } from '../regions.ts';
import { useAlarms } from '../../features/alarms/alarmsStore.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { useUi, type DrawerName } from '../../base/stores/ui.ts';
import type { Action } from '../../base/action.ts';

/** Panels, parts of the page, drawers. */
export function goActions(): ComputedRef<readonly Action[]> {
  const mirror = useMirror();
  const ui = useUi();
  const alarms = useAlarms();
  const regions = new Regions(document);
  useEventListener(document, 'focusin', ({ target }) => {
    regions.note(target);
  });

  return computed(() => {
    const go = { group: 'go', unavailable: null } as const;
    const drawer = (name: DrawerName, title: string): Action => ({
      ...go,
      id: `drawer-${name}`,
      name: title,
      on: ui.drawer === name,
      run: () => {
        ui.toggleDrawer(name);
      },
    });
    return [
      ...panelNames.map((panel): Action => ({
        ...go,
        id: `panel-${panel}`,
        name: t('commands.panel', { name: t(`rail.panels.${panel}`) }),
        on: ui.panel === panel,
        run: () => {
          ui.panel = panel;
          ui.select(null);
        },
      })),
      ...regionNames.map((name): Action => ({
        ...go,
        id: `region-${name}`,
        name: t(`commands.regions.${name}`),
        unavailable: name === 'details' && ui.selected === null ? t('commands.why.nothingSelected') : null,
        run: () => {
          // The details of a narrow window stand in the panel's place.
          if (!regions.focus(name) && name === 'details') regions.focus('panel');
        },
      })),
      {
        ...go,
        id: 'next-region',
        name: t('commands.regions.next'),
        run: () => {
          regions.step(1, document.activeElement);
        },
      },
      {
        ...go,
        id: 'previous-region',
        name: t('commands.regions.previous'),
        run: () => {
          regions.step(-1, document.activeElement);
        },
      },
      drawer('sync', t('commands.drawers.sync')),
      drawer('events', t('commands.drawers.events')),
      drawer('storage', t('commands.drawers.storage')),
      ...(mirror.training === null ? [] : [drawer('training', t('commands.drawers.training'))]),
      {
        ...go,
        id: 'next-alarm',
        name: t('commands.alarm'),
        unavailable: alarms.active.length === 0 ? t('commands.why.noAlarms') : null,
        run: () => {
          ui.panel = 'alarms';
          ui.select(null);
          alarms.focusWanted = true;
        },
      },
    ] satisfies readonly Action[];
  });
}
