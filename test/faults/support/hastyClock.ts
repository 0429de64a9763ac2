import type { Clock } from '../../../src-main/core/base/ports.ts';

/**
 * A clock on which all time passes `rate` times as fast since `start` (Unix ms). Two processes with the
 * same start and rate agree on the time, as a service and a station do, and wait less.
 */
export function createHastyClock(start: number, rate: number): Clock {
  const now = (): number => start + (performance.timeOrigin + performance.now() - start) * rate;
  return {
    wallNow: now,
    elapsed: () => now() - start,
    schedule(ms, run) {
      const timer = setTimeout(run, Math.min(2_147_483_647, ms / rate));
      return () => clearTimeout(timer);
    },
  };
}
