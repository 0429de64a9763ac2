import type { SystemState } from '../../../src-preload/contract/index.ts';
import type { SystemControl } from '../../core/base/control.ts';

export interface TrackedSystem extends SystemControl {
  change(part: Partial<SystemState>): void;
  /** Calls `listener` when the operator wants to use the graphics processor again; the returned function stops that. */
  onRetryGraphics(listener: () => void): () => void;
  /** Calls `listener` when the operator wants the console to start again; the returned function stops that. */
  onRestart(listener: () => void): () => void;
}

/** Facts about this computer: parts of the host report them, and the console listens. */
export function trackSystem(initial: SystemState): TrackedSystem {
  let state = initial;
  const listeners = new Set<(state: SystemState) => void>();
  const retries = new Set<() => void>();
  const restarts = new Set<() => void>();
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
    onRestart: (listener) => listen(restarts, listener),
    restart: () => {
      for (const restart of [...restarts]) restart();
    },
  };
}
