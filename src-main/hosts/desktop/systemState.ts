import type { SystemState } from '../../../src-preload/contract/index.ts';
import type { SystemControl } from '../../core/base/control.ts';

export interface TrackedSystem extends SystemControl {
  change(part: Partial<SystemState>): void;
  /** Hears that the operator wants the graphics processor back; the returned function ends it. */
  onRetryGraphics(listener: () => void): () => void;
}

/** What is known of this computer, and who has to hear of it: parts of the host tell, the console listens. */
export function trackSystem(initial: SystemState): TrackedSystem {
  let state = initial;
  const listeners = new Set<(state: SystemState) => void>();
  const retries = new Set<() => void>();
  const listen = <T>(all: Set<T>, listener: T): (() => void) => {
    all.add(listener);
    return () => void all.delete(listener);
  };
  const change = (part: Partial<SystemState>): void => {
    state = { ...state, ...part };
    for (const listener of [...listeners]) listener(state);
  };
  return {
    state: () => state,
    watch: (listener) => listen(listeners, listener),
    change,
    onRetryGraphics: (listener) => listen(retries, listener),
    retryGraphics: () => {
      if (state.gpuOffSince === null) return;
      for (const retry of [...retries]) retry();
      change({ gpuNextStart: true });
    },
  };
}
