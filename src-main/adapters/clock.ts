import { uptime } from 'node:os';
import { performance } from 'node:perf_hooks';
import type { Clock } from '../core/base/ports.ts';

/** The longest delay of setTimeout. With a longer one it fires at once. */
const longestTimeout = 2_147_483_647;

/** The two clocks differ by rounding (Windows counts 16 ms, macOS whole seconds). A sleep is longer than this. */
const shortestSleepMs = 2_500;

/** Reading the boot clock opens a file on Linux. Noticing a sleep this much later does no harm. */
const bootReadEveryMs = 5;

/** Three of the system's clocks, each in milliseconds. */
export interface TimeSources {
  readonly wallMs: () => number;
  /** Precise, but on Linux and Windows it stops while the machine sleeps. */
  readonly awakeMs: () => number;
  /** Since boot, sleep included, but coarse. */
  readonly bootMs: () => number;
}

const system: TimeSources = {
  wallMs: () => Date.now(),
  awakeMs: () => performance.now(),
  bootMs: () => uptime() * 1000,
};

/**
 * The computer's clocks. No other code reads them.
 *
 * `elapsed()` is the precise clock plus the sleeps, which the boot clock counts and the precise one does not. Otherwise
 * a laptop that slept through a token's lifetime would still use the token.
 */
export function createClock(sources: TimeSources = system): Clock {
  const { wallMs, awakeMs, bootMs } = sources;
  const awakeAtStart = awakeMs();
  const bootAtStart = bootMs();
  let slept = 0;
  let latest = 0;
  let bootReadAt = -Infinity;

  return {
    wallNow: wallMs,
    elapsed: () => {
      const awake = awakeMs() - awakeAtStart;
      if (awake - bootReadAt >= bootReadEveryMs) {
        bootReadAt = awake;
        const missed = bootMs() - bootAtStart - (awake + slept);
        if (missed > shortestSleepMs) slept += missed;
      }
      // Never backwards: the difference of two readings would be a negative age.
      latest = Math.max(latest, awake + slept);
      return latest;
    },
    schedule: (ms, run) => {
      let left = Number.isNaN(ms) ? 0 : Math.max(0, ms);
      let timer: NodeJS.Timeout;
      const arm = (): void => {
        const part = Math.min(left, longestTimeout);
        left -= part;
        timer = setTimeout(() => (left > 0 ? arm() : run()), part);
      };
      arm();
      return () => clearTimeout(timer);
    },
  };
}
