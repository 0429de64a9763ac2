import type { Random } from './ports.ts';

/** `intervalMs` give or take a fifth: a hundred stations must not ask in the same instant. */
export const withJitter = (intervalMs: number, random: Random): number =>
  Math.round(intervalMs * (0.8 + 0.4 * random.fraction()));

const longestMs = 300_000;

/**
 * The time to the next read after `failures` failed ones in a row: doubling from the interval, to at
 * most 5 minutes (or the interval, if that is longer), with jitter, and never before `retryAfterMs`.
 */
export function pauseAfterFailures(options: {
  readonly intervalMs: number;
  readonly failures: number;
  readonly retryAfterMs: number | null;
  readonly random: Random;
}): number {
  const { intervalMs, failures, retryAfterMs, random } = options;
  const doubled = intervalMs * 2 ** Math.min(Math.max(failures - 1, 0), 16);
  const pause = withJitter(Math.min(doubled, Math.max(longestMs, intervalMs)), random);
  return Math.max(pause, retryAfterMs ?? 0);
}
