import type { Random } from './ports.ts';

/**
 * `intervalMs` plus or minus a fifth, at random: a hundred consoles must not send their requests in the same instant.
 */
export const withJitter = (intervalMs: number, random: Random): number =>
  Math.round(intervalMs * (0.8 + 0.4 * random.fraction()));

/** `firstMs` doubled `times` times (a negative `times` counts as 0), at most `mostMs`. All in milliseconds. */
export const doubled = (firstMs: number, times: number, mostMs: number): number =>
  Math.min(firstMs * 2 ** Math.min(Math.max(times, 0), 16), mostMs);

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
  const pause = withJitter(doubled(intervalMs, failures - 1, Math.max(longestMs, intervalMs)), random);
  return Math.max(pause, retryAfterMs ?? 0);
}
