import { doubled } from '../../base/backoff.ts';
import type { Random } from '../../base/ports.ts';

const firstMs = 2_000;
const longestMs = 60_000;
const shortestMs = 500;

/**
 * Milliseconds before the next login after `failures` + 1 in a row without a usable answer: half of it
 * fixed, half jitter, so that a hundred stations do not come back in step. `askedMs` is what the
 * service asked for, and comes before it.
 */
export function loginBackoffMs(options: {
  readonly failures: number;
  readonly askedMs: number;
  readonly random: Random;
}): number {
  const { failures, askedMs, random } = options;
  const bound = doubled(firstMs, failures, longestMs);
  const own = Math.max(shortestMs, bound / 2 + (random.fraction() * bound) / 2);
  return askedMs > 0 ? askedMs + own : own;
}
