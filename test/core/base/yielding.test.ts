import { expect, it, onTestFinished, vi } from 'vitest';
import { Yielding } from '../../../src-main/core/base/yielding.ts';

/** A clock that only the test moves. */
function stillClock(): { pass: (ms: number) => void } {
  let now = 0;
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => spy.mockRestore());
  return { pass: (ms) => (now += ms) };
}

const otherWork = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('ends a turn after some milliseconds, and begins the next one when others had theirs', async () => {
  const clock = stillClock();
  const yielding = new Yielding();
  clock.pass(5);
  expect(yielding.over).toBe(false);
  clock.pass(5);
  expect(yielding.over).toBe(true);
  let others = 0;
  void otherWork().then(() => (others += 1));
  await yielding.next();
  expect([others, yielding.over]).toEqual([1, false]);
});

it('does not count the time in which the event loop ran other work', async () => {
  const clock = stillClock();
  const yielding = new Yielding();
  await otherWork();
  clock.pass(1_000);
  expect(yielding.over).toBe(false);
});

it('gives pieces of work that share it one turn together', async () => {
  const clock = stillClock();
  const yielding = new Yielding();
  clock.pass(10);
  const first = yielding.next().then(() => {
    const before = yielding.over;
    clock.pass(10);
    return before;
  });
  const second = yielding.next().then(() => yielding.over);
  expect(await Promise.all([first, second])).toEqual([false, true]);
});
