import { defineStore } from 'pinia';
import { computed, onScopeDispose, shallowRef } from 'vue';
import { useMirror } from './mirror.ts';

/**
 * Server time in the page: the console's own clock, carried on by `performance.now()` between
 * pushes. The page never asks the computer what time it is, which may be a day wrong.
 *
 * It stands while the page has lost the console: ages and countdowns that went on over a screen that no
 * longer changes made it look alive.
 */
export const useClock = defineStore('clock', () => {
  const mirror = useMirror();

  /** Server time now, Unix ms. Not reactive; for what is computed once. */
  const serverNow = (): number => {
    const { link } = mirror;
    const at = link.state === 'lost' ? link.since : performance.now();
    return (mirror.time?.serverNow ?? 0) + (at - mirror.timeReceivedAt);
  };

  const ticks = shallowRef(0);
  const timer = setInterval(() => {
    ticks.value += 1;
  }, 1_000);
  onScopeDispose(() => {
    clearInterval(timer);
  });

  /** Server time, renewed each second and with each push of time; what ticking ages are made of. */
  const second = computed(() => {
    void ticks.value;
    return serverNow();
  });
  /** The same in steps of ten seconds, for what is too costly to renew each second. */
  const decasecond = computed(() => Math.floor(second.value / 10_000) * 10_000);

  return { serverNow, second, decasecond };
});
