import { describe, expect, it } from 'vitest';
import { doubled, pauseAfterFailures, withJitter } from '../../../src-main/core/base/backoff.ts';

const random = (fraction: number) => ({ fraction: () => fraction, bytes: () => new Uint8Array() });

describe('a doubled wait', () => {
  it.each([
    [-1, 2_000],
    [0, 2_000],
    [1, 4_000],
    [4, 32_000],
    [5, 60_000],
    [10_000, 60_000],
  ])('after %d doublings is %d ms', (times, ms) => {
    expect(doubled(2_000, times, 60_000)).toBe(ms);
  });
});

describe('a pause after failed reads', () => {
  const pause = (failures: number, intervalMs = 30_000, retryAfterMs: number | null = null): number =>
    pauseAfterFailures({ intervalMs, failures, retryAfterMs, random: random(0.5) });

  it('doubles from the interval to five minutes, or to the interval where that is longer', () => {
    expect([1, 2, 3, 4, 5, 50].map((failures) => pause(failures))).toEqual([
      30_000, 60_000, 120_000, 240_000, 300_000, 300_000,
    ]);
    expect(pause(9, 900_000)).toBe(900_000);
  });

  it('is never shorter than what the service asked for', () => {
    expect(pause(1, 30_000, 45_000)).toBe(45_000);
    expect(pause(3, 30_000, 45_000)).toBe(120_000);
  });

  it('has a fifth of jitter', () => {
    expect([0, 1].map((fraction) => withJitter(10_000, random(fraction)))).toEqual([8_000, 12_000]);
  });
});
