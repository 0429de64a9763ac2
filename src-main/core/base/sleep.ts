import type { Clock } from './ports.ts';

/** Resolves true after `ms` on the clock, or false as soon as `signal` is aborted. */
export function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve(false);
      return;
    }
    const abort = (): void => {
      cancel();
      resolve(false);
    };
    const cancel = clock.schedule(ms, () => {
      signal.removeEventListener('abort', abort);
      resolve(true);
    });
    signal.addEventListener('abort', abort, { once: true });
  });
}
