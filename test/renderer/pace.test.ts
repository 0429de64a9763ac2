import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { paced } from '../../src-renderer/lib/pace.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('what has rested runs at once, and not in the task that asks', () => {
  const run = vi.fn();
  const map = paced(100, run);
  map.ask();
  map.ask();
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(0);
  expect(run).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(100);
  map.ask();
  vi.advanceTimersByTime(0);
  expect(run).toHaveBeenCalledTimes(2);
});

test('asked again and again it runs at its pace, and once after the last time', () => {
  let wish = 0;
  const done: number[] = [];
  const map = paced(100, () => done.push(wish));
  for (; wish < 25; wish += 1) {
    map.ask();
    vi.advanceTimersByTime(10);
  }
  expect(done).toHaveLength(3);
  wish = 99;
  vi.runAllTimers();
  expect(done.at(-1)).toBe(99);
  expect(done).toHaveLength(4);
});

test('what was dropped does not run, and what is asked for afterwards does', () => {
  const run = vi.fn();
  const map = paced(100, run);
  map.ask();
  map.drop();
  vi.runAllTimers();
  expect(run).not.toHaveBeenCalled();
  map.ask();
  vi.runAllTimers();
  expect(run).toHaveBeenCalledTimes(1);
});
