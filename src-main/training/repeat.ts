import type { Clock } from '../core/base/ports.ts';

/** Does something again and again, each time after the wait that `wait` draws; what comes back ends it. */
export function repeat(clock: Clock, wait: () => number, run: () => void): () => void {
  let cancel = (): void => undefined;
  const arm = (): void => {
    cancel = clock.schedule(wait(), () => {
      run();
      arm();
    });
  };
  arm();
  return () => cancel();
}
