import { defineStore } from 'pinia';
import { computed, onScopeDispose, shallowRef, watch, type ComputedRef, type ShallowRef } from 'vue';
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

  /** `second` as a function: who passes it on to what shows an age is not rendered each second with it. */
  const now = (): number => second.value;

  /** Milliseconds until then; null where it is past, or there is nothing to wait for. */
  const left = (until: number | null): number | null =>
    until !== null && until > second.value ? until - second.value : null;

  return { serverNow, second, decasecond, now, left };
});

/**
 * Server time that steps only when what `said` makes of it says something else, for what is costly to make or is made
 * of several texts. What `said` is made of may change too: then the earlier time has to say the same of it, or it goes.
 */
export function useSteadyNow(said: (now: number) => string): ComputedRef<number> {
  const clock = useClock();
  return computed<number>((before) =>
    before !== undefined && said(before) === said(clock.second) ? before : clock.second,
  );
}

/** Milliseconds by which a clock follows what else is renewed each second: more than a frame, and nothing one sees. */
const asideMs = 100;

/**
 * `second`, renewed in a frame apart from everything else. Chromium draws the one rectangle again that holds all that
 * changed in a frame: between a clock in one corner and a countdown at the other end lies the whole map.
 */
export function useSecondAside(): Readonly<ShallowRef<number>> {
  const clock = useClock();
  const mirror = useMirror();
  const shown = shallowRef(clock.second);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const follow = (): void => {
    shown.value = clock.second;
  };
  watch([() => clock.second, () => mirror.link.state === 'lost'], ([second, stands]) => {
    clearTimeout(timer);
    // A clock that was set, the first time or to another, is no tick; and one that stands stands at once.
    if (stands || Math.abs(second - shown.value) > 2_000) follow();
    else timer = setTimeout(follow, asideMs);
  });
  onScopeDispose(() => {
    clearTimeout(timer);
  });
  return shown;
}
