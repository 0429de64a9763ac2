import { computed, shallowRef, type ComputedRef, type ShallowRef } from 'vue';
import type { Failure, Result } from '../../src-preload/contract/index.ts';

export interface Command {
  /** Whether one is on its way. */
  readonly busy: ComputedRef<boolean>;
  /** Why the last one was not carried out; null once another was, or when it is closed. */
  readonly failure: ShallowRef<Failure | null>;
  run<T>(answer: Promise<Result<T>>): Promise<Result<T>>;
  /** Runs it unless one is on its way, so that a second press asks nothing; null then. */
  alone<T>(work: () => Promise<Result<T>>): Promise<Result<T> | null>;
  clear(): void;
}

/**
 * The commands that a panel, a dialog or a store gives to the console.
 *
 * @param failure of another one, where both are shown in one place.
 */
export function useCommand(failure = shallowRef<Failure | null>(null)): Command {
  const running = shallowRef(0);
  const busy = computed(() => running.value > 0);
  async function run<T>(answer: Promise<Result<T>>): Promise<Result<T>> {
    running.value += 1;
    try {
      const result = await answer;
      failure.value = result.ok ? null : result.failure;
      return result;
    } finally {
      running.value -= 1;
    }
  }
  return {
    busy,
    failure,
    run,
    alone: (work) => {
      if (busy.value) return Promise.resolve(null);
      failure.value = null;
      return run(work());
    },
    clear: () => {
      failure.value = null;
    },
  };
}
