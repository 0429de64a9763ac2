import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { paced } from '../../src-renderer/lib/pace.ts';

const brisk = { leastMs: 100, restMs: () => 0 };
const resting = { leastMs: 100, restMs: () => 200 };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('what has rested runs at once, and not in the task that asks', () => {
  const run = vi.fn();
  const map = paced(brisk, run);
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
  const map = paced(brisk, () => done.push(wish));
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
  const map = paced(brisk, run);
  map.ask();
  map.drop();
  vi.runAllTimers();
  expect(run).not.toHaveBeenCalled();
  map.ask();
  vi.runAllTimers();
  expect(run).toHaveBeenCalledTimes(1);
});

test('where a rest is wanted the first runs at once, the next when the asking rests', () => {
  const run = vi.fn();
  const map = paced(resting, run);
  map.ask();
  vi.advanceTimersByTime(0);
  expect(run).toHaveBeenCalledTimes(1);
  for (let at = 0; at < 5; at += 1) {
    map.ask();
    vi.advanceTimersByTime(150);
  }
  expect(run).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(50);
  expect(run).toHaveBeenCalledTimes(2);
  vi.runAllTimers();
  expect(run).toHaveBeenCalledTimes(2);
});

test('a hand that never rests is followed all the same', () => {
  const run = vi.fn();
  const map = paced(resting, run);
  map.ask();
  vi.advanceTimersByTime(0);
  for (let at = 0; at < 60; at += 1) {
    map.ask();
    vi.advanceTimersByTime(50);
  }
  // Three seconds, each of which is five rests.
  expect(run).toHaveBeenCalledTimes(4);
});
