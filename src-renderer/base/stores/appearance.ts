import { useMediaQuery, useWindowSize } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed } from 'vue';
import { sizesFor } from '../../design/sizes.ts';
import { minuteOfDay, systemTheme, themeFor } from '../../design/theme.ts';
import { useClock } from './clock.ts';
import { useMirror } from './mirror.ts';

/**
 * How the page is drawn now: the operator's wishes and what the system says where they leave it to it.
 * Holds before anybody signs in and while the console is locked, because the preferences do.
 */
export const useAppearance = defineStore('appearance', () => {
  const mirror = useMirror();
  const clock = useClock();
  const systemIsDark = useMediaQuery('(prefers-color-scheme: dark)');
  const systemIsStill = useMediaQuery('(prefers-reduced-motion: reduce)');
  const pointerIsCoarse = useMediaQuery('(pointer: coarse)');

  /** Server time in the computer's zone: a computer whose clock is a day wrong still has its evening. */
  const minute = computed(() => minuteOfDay(clock.second));
  const theme = computed(() =>
    mirror.preferences === undefined
      ? systemTheme(systemIsDark.value)
      : themeFor(mirror.preferences, systemIsDark.value, minute.value),
  );
  const touch = computed(() => {
    const wish = mirror.preferences?.touch ?? 'auto';
    return wish === 'auto' ? pointerIsCoarse.value : wish === 'on';
  });
  const reducedMotion = computed(() => systemIsStill.value || mirror.preferences?.motion === 'reduced');
  const window = useWindowSize();
  // A wallboard is enlarged as a whole (WallboardView.vue).
  const height = computed(() => (mirror.policy?.kiosk === 'wallboard' ? 0 : window.height.value));
  const sizes = computed(() => sizesFor(mirror.preferences?.textSize ?? 'normal', touch.value, height.value));

  return { theme, touch, reducedMotion, sizes };
});
