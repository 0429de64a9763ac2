import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createClock } from '../../src-main/adapters/clock.ts';

function withSources() {
  const at = { wallMs: 5_000, awakeMs: 100, bootMs: 90_000 };
  const clock = createClock({ wallMs: () => at.wallMs, awakeMs: () => at.awakeMs, bootMs: () => at.bootMs });
  return { at, clock };
}

describe('elapsed', () => {
  test('is fine while awake, whatever the boot clock rounds', () => {
    const { at, clock } = withSources();
    expect(clock.elapsed()).toBe(0);
    at.awakeMs += 12.5;
    expect(clock.elapsed()).toBe(12.5);
    at.awakeMs += 100;
    at.bootMs += 1_000;
    expect(clock.elapsed()).toBe(112.5);
  });

  test('counts sleep, once', () => {
    const { at, clock } = withSources();
    at.awakeMs += 1_000;
    at.bootMs += 3_601_000;
    expect(clock.elapsed()).toBe(3_601_000);
    at.awakeMs += 10;
    at.bootMs += 10;
    expect(clock.elapsed()).toBe(3_601_010);
    at.bootMs += 60_000;
    // The boot clock costs a file to read, so it is looked at again a moment after the last time.
    expect(clock.elapsed()).toBe(3_601_010);
    at.awakeMs += 5;
    expect(clock.elapsed()).toBe(3_661_010);
  });

  test('never goes backwards and does not follow the wall clock', () => {
    const { at, clock } = withSources();
    at.awakeMs += 5_000;
    at.bootMs += 5_000;
    at.wallMs -= 86_400_000;
    const before = clock.elapsed();
    at.awakeMs -= 3_000;
    at.bootMs -= 50_000;
    expect(clock.elapsed()).toBe(before);
    expect(clock.wallNow()).toBe(5_000 - 86_400_000);
  });

  test("of the system moves on, and its wall clock is the system's", async () => {
    const clock = createClock();
    const before = clock.elapsed();
    await expect.poll(() => clock.elapsed()).toBeGreaterThan(before);
    expect(Math.abs(clock.wallNow() - Date.now())).toBeLessThan(60_000);
  });
});

describe('schedule', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('runs once, after the time', () => {
    const run = vi.fn();
    withSources().clock.schedule(1_000, run);
    vi.advanceTimersByTime(999);
    expect(run).not.toHaveBeenCalled();
    vi.advanceTimersByTime(100_000);
    expect(run).toHaveBeenCalledOnce();
  });

  test('waits longer than setTimeout can, and can be cancelled on the way', () => {
    const days40 = 40 * 86_400_000;
    const run = vi.fn();
    const cancelled = vi.fn();
    const { clock } = withSources();
    clock.schedule(days40, run);
    const cancel = clock.schedule(days40, cancelled);
    vi.advanceTimersByTime(days40 - 1);
    expect(run).not.toHaveBeenCalled();
    cancel();
    vi.advanceTimersByTime(1);
    expect(run).toHaveBeenCalledOnce();
    expect(cancelled).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each([-5, Number.NaN, 0])('a delay of %d is none', (ms) => {
    const run = vi.fn();
    withSources().clock.schedule(ms, run);
    vi.advanceTimersByTime(1);
    expect(run).toHaveBeenCalledOnce();
  });
});
