import { computed, type ComputedRef } from 'vue';
import {
  coordinateFormats,
  lengthUnits,
  textSizes,
  themeNames,
} from '../../../src-preload/contract/index.ts';
import { t } from '../../i18n/index.ts';
import { resetLayout } from '../views/index.ts';
import { useCommands } from '../../base/stores/commands.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import type { Action } from '../../base/action.ts';

/** How the console looks: layout, themes, sizes, units. */
export function lookActions(): ComputedRef<readonly Action[]> {
  const mirror = useMirror();
  const commands = useCommands();

  return computed(() => {
    const preferences = mirror.preferences;
    const look = { group: 'look', unavailable: null } as const;
    const set = (change: Parameters<typeof commands.setPreferences>[0]) => (): void => {
      void commands.setPreferences(change);
    };
    return [
      { ...look, id: 'reset-layout', name: t('commands.look.resetLayout'), run: resetLayout },
      ...(['system', 'schedule', ...themeNames] as const).map((theme): Action => ({
        ...look,
        id: `theme-${theme}`,
        name: t(`commands.theme.${theme}`),
        on: preferences?.theme === theme,
        run: set({ theme }),
      })),
      ...textSizes.map((textSize): Action => ({
        ...look,
        id: `text-${textSize}`,
        name: t(`commands.textSize.${textSize}`),
        on: preferences?.textSize === textSize,
        run: set({ textSize }),
      })),
      {
        ...look,
        id: 'zone',
        name: t(preferences?.zone === 'local' ? 'commands.zone.utc' : 'commands.zone.local'),
        run: set({ zone: preferences?.zone === 'local' ? 'utc' : 'local' }),
      },
      ...coordinateFormats.map((coordinates): Action => ({
        ...look,
        id: `coordinates-${coordinates}`,
        name: t(`commands.coordinates.${coordinates}`),
        on: preferences?.coordinates === coordinates,
        run: set({ coordinates }),
      })),
      ...lengthUnits.map((units): Action => ({
        ...look,
        id: `units-${units}`,
        name: t(`commands.units.${units}`),
        on: preferences?.units === units,
        run: set({ units }),
      })),
      {
        ...look,
        id: 'touch',
        name: t('commands.look.touch'),
        on: preferences?.touch === 'on',
        run: set({ touch: preferences?.touch === 'on' ? 'auto' : 'on' }),
      },
      {
        ...look,
        id: 'reduced-motion',
        name: t('commands.look.reducedMotion'),
        on: preferences?.motion === 'reduced',
        run: set({ motion: preferences?.motion === 'reduced' ? 'system' : 'reduced' }),
      },
      {
        ...look,
        id: 'single-keys',
        name: t('commands.look.singleKeys'),
        on: preferences?.singleKeys === true,
        run: set({ singleKeys: preferences?.singleKeys !== true }),
      },
    ] satisfies readonly Action[];
  });
}
