import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followFor, paced, restFor } from '../../../src-renderer/base/pace.ts';

const brisk = { leastMs: () => 100, restMs: () => 0 };
const resting = { leastMs: () => 100, restMs: () => 200 };

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

test('where a rest is wanted it runs when the asking rests, the first time too', () => {
  const run = vi.fn();
  const map = paced(resting, run);
  for (let at = 0; at < 5; at += 1) {
    map.ask();
    vi.advanceTimersByTime(150);
  }
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(50);
  expect(run).toHaveBeenCalledTimes(1);
  vi.runAllTimers();
  expect(run).toHaveBeenCalledTimes(1);
});

test('a hand that never rests is followed all the same', () => {
  const run = vi.fn();
  const map = paced(resting, run);
  for (let at = 0; at < 60; at += 1) {
    map.ask();
    vi.advanceTimersByTime(50);
  }
  // Three seconds, each of which is five rests.
  expect(run).toHaveBeenCalledTimes(3);
});

test('a map that draws fast is not waited for, a slow one the longer the slower it is, within reason', () => {
  expect([0, 50].map(restFor)).toEqual([0, 0]);
  expect(restFor(60)).toBe(200);
  expect(restFor(200)).toBe(300);
  expect(restFor(5_000)).toBe(400);
});

test('a rest that is no longer wanted is not waited for', () => {
  let rest = 200;
  const run = vi.fn();
  const map = paced({ leastMs: () => 100, restMs: () => rest }, run);
  map.ask();
  vi.advanceTimersByTime(50);
  rest = 0;
  map.drop();
  map.ask();
  vi.advanceTimersByTime(0);
  expect(run).toHaveBeenCalledTimes(1);
});

test('what moves by itself is followed ten times a second, and by a slow page a third of the time', () => {
  expect([0, 17, 33].map(followFor)).toEqual([100, 100, 100]);
  expect(followFor(80)).toBe(240);
  expect(followFor(2_000)).toBe(500);
});
