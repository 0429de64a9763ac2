import { describe, expect, it } from 'vitest';
import { Poller } from '../../../src-main/core/base/poller.ts';
import { Timer } from '../../../src-main/core/base/timer.ts';
import { createVirtualClock, flush } from '../../support/clock.ts';

function setUp({ after = () => 10 as number | null } = {}) {
  const clock = createVirtualClock();
  const asked: string[] = [];
  const ends: ((answer: number) => void)[] = [];
  const poller = new Poller<string, number>({
    clock,
    byItself: 'by itself',
    run: (how) => {
      asked.push(how);
      return new Promise((resolve) => ends.push(resolve));
    },
    after,
  });
  const end = async (answer = 0): Promise<void> => {
    ends.shift()?.(answer);
    await flush();
  };
  return { clock, asked, poller, end };
}

describe('a poller', () => {
  it('does a thing once, however many ask meanwhile, and gives all of them the answer', async () => {
    const { poller, asked, end } = setUp();
    const both = [poller.now('first'), poller.now('second')];
    expect(poller.present).not.toBeNull();
    await end(7);
    expect(await Promise.all(both)).toEqual([7, 7]);
    expect(asked).toEqual(['first']);
    expect(poller.present).toBeNull();
  });

  it('does it again by itself, counted from its end', async () => {
    const { poller, clock, asked, end } = setUp();
    void poller.now();
    await clock.advance(100);
    expect(asked).toHaveLength(1);
    await end();
    await clock.advance(9);
    expect(asked).toHaveLength(1);
    await clock.advance(1);
    expect(asked).toEqual(['by itself', 'by itself']);
  });

  it('asked for in between, does not do it at the old time as well', async () => {
    const next = [10, null];
    const { poller, clock, asked, end } = setUp({ after: () => next.shift() ?? null });
    void poller.now();
    await end();
    await clock.advance(5);
    void poller.now('asked');
    await end();
    await clock.advance(100);
    expect(asked).toEqual(['by itself', 'asked']);
  });

  it('rests where nothing is to follow, and once it is stopped', async () => {
    const resting = setUp({ after: () => null });
    void resting.poller.now();
    await resting.end();
    await resting.clock.advance(1_000);
    expect(resting.asked).toHaveLength(1);
    const stopped = setUp();
    void stopped.poller.now();
    await stopped.end();
    stopped.poller.stop();
    await stopped.clock.advance(1_000);
    expect(stopped.asked).toHaveLength(1);
  });

  it('asked for again by who hears of its end, sets no time beside', async () => {
    const rig: { again: (() => void) | null } = { again: null };
    const { poller, clock, asked, end } = setUp({
      after: () => {
        const { again } = rig;
        again?.();
        return again === null ? null : 10;
      },
    });
    rig.again = () => {
      rig.again = null;
      void poller.now('again');
    };
    void poller.now();
    await end();
    expect(asked).toEqual(['by itself', 'again']);
    await end();
    await clock.advance(100);
    expect(asked).toHaveLength(2);
  });
});

describe('a timer', () => {
  it('runs once, at the time it was set to last', async () => {
    const clock = createVirtualClock();
    let runs = 0;
    const timer = new Timer(clock, () => (runs += 1));
    timer.set(5);
    timer.set(10);
    await clock.advance(9);
    expect([runs, timer.isSet]).toEqual([0, true]);
    await clock.advance(1);
    expect([runs, timer.isSet]).toEqual([1, false]);
    await clock.advance(100);
    expect(runs).toBe(1);
  });

  it('set once stays at the first time, and can be set again after it', async () => {
    const clock = createVirtualClock();
    let runs = 0;
    const timer = new Timer(clock, () => (runs += 1));
    timer.setOnce(5);
    timer.setOnce(10);
    await clock.advance(5);
    expect(runs).toBe(1);
    timer.setOnce(5);
    timer.stop();
    await clock.advance(100);
    expect(runs).toBe(1);
  });
});
