import { computed, shallowRef, watch, type ComputedRef } from 'vue';
import type { Preferences, Result } from '../../../src-preload/contract/index.ts';

interface Asked {
  readonly change: Partial<Preferences>;
}

/** How long an answered change may be shown without the console saying the same, ms. */
const agreementMs = 1_000;

/**
 * The preferences as the page shows them: what the console says, and on top of it what the operator asked for
 * a moment ago. A theme or a language would otherwise wait for the way to the console and back, and be drawn
 * one frame after the control that chose it.
 *
 *   asked --refused--> gone, with what it changed
 *   asked --granted--> gone as soon as the console says the same (its push and its answer come on ways of
 *   their own), at the latest after a second
 */
export function askedPreferences(known: () => Preferences | undefined): {
  readonly preferences: ComputedRef<Preferences | undefined>;
  /** Shows a change until its answer and the console's own word are here. */
  readonly ask: <R extends Result<unknown>>(change: Partial<Preferences>, answer: Promise<R>) => Promise<R>;
} {
  const waiting = shallowRef<readonly Asked[]>([]);
  const preferences = computed(() => {
    const base = known();
    return base && waiting.value.reduce((shown, { change }) => ({ ...shown, ...change }), base);
  });

  const drop = (asked: Asked): void => {
    waiting.value = waiting.value.filter((other) => other !== asked);
  };

  function dropWhenKnown(asked: Asked): void {
    const timer = setTimeout(done, agreementMs);
    const stop = watch(
      () => holds(known(), asked.change),
      (agreed) => {
        if (agreed) done();
      },
      { flush: 'sync' },
    );
    function done(): void {
      clearTimeout(timer);
      stop();
      drop(asked);
    }
    if (holds(known(), asked.change)) done();
  }

  return {
    preferences,
    ask: async (change, answer) => {
      const asked = { change };
      waiting.value = [...waiting.value, asked];
      try {
        const result = await answer;
        if (result.ok) dropWhenKnown(asked);
        else drop(asked);
        return result;
      } catch (error) {
        drop(asked);
        throw error;
      }
    },
  };
}

/** Lists and objects count as other ones when they are not the same: the second's end covers them. */
const holds = (known: Preferences | undefined, change: Partial<Preferences>): boolean =>
  known !== undefined &&
  (Object.keys(change) as (keyof Preferences)[]).every((name) => known[name] === change[name]);
