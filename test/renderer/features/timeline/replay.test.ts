import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { latestPerFrame, pageFrames, ticker } from '../../../../src-renderer/base/frames.ts';
import {
  advance,
  fittingSpeed,
  off,
  pause,
  play,
  seek,
  shownOf,
  speeds,
  start,
  tails,
  type Replay,
} from '../../../../src-renderer/features/timeline/replay.ts';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const period = { from: 1_000_000, to: 1_000_000 + 10 * hour };
const at = (state: 'playing' | 'paused' | 'ended', hours: number): Replay => ({
  ...period,
  state,
  at: period.from + hours * hour,
});
const states = { off, playing: at('playing', 2), paused: at('paused', 2), ended: at('ended', 10) } as const;

describe('every transition of a replay', () => {
  it.each([
    ['play', play, { off, playing: states.playing, paused: at('playing', 2), ended: at('playing', 0) }],
    ['pause', pause, { off, playing: at('paused', 2), paused: states.paused, ended: states.ended }],
    [
      'a second passes',
      (replay: Replay) => advance(replay, 1_000, hour),
      { off, playing: at('playing', 3), paused: states.paused, ended: states.ended },
    ],
    [
      'ten seconds pass',
      (replay: Replay) => advance(replay, 10_000, hour),
      { off, playing: at('ended', 10), paused: states.paused, ended: states.ended },
    ],
    [
      'seek inside',
      (replay: Replay) => seek(replay, period.from + hour),
      { off, playing: at('paused', 1), paused: at('paused', 1), ended: at('paused', 1) },
    ],
    [
      'seek past the end',
      (replay: Replay) => seek(replay, period.to + hour),
      { off, playing: at('ended', 10), paused: at('ended', 10), ended: at('ended', 10) },
    ],
    [
      'seek before the start',
      (replay: Replay) => seek(replay, 0),
      { off, playing: at('paused', 0), paused: at('paused', 0), ended: at('paused', 0) },
    ],
  ])('%s', (_, step, expected) => {
    for (const name of ['off', 'playing', 'paused', 'ended'] as const)
      expect(step(states[name]), name).toEqual(expected[name]);
  });

  it('begins playing at its first instant', () => {
    expect(start(period)).toEqual(at('playing', 0));
  });
});

describe('what a replay shows', () => {
  it('grows, or slides with its tail', () => {
    expect(shownOf(off, null)).toBeNull();
    expect(shownOf(at('playing', 5), null)).toEqual({ from: period.from, to: period.from + 5 * hour });
    expect(shownOf(at('playing', 5), hour)).toEqual({
      from: period.from + 4 * hour,
      to: period.from + 5 * hour,
    });
    expect(shownOf(at('playing', 0.5), hour)).toEqual({ from: period.from, to: period.from + 0.5 * hour });
  });
  it('never leaves the period and never runs backwards', () => {
    const steps = fc.array(fc.integer({ min: -100, max: 5_000 }), { maxLength: 60 });
    fc.assert(
      fc.property(steps, fc.constantFrom(...speeds), fc.constantFrom(...tails), (elapsed, speed, tail) => {
        let replay = start(period);
        let reached = period.from;
        for (const ms of elapsed) {
          replay = advance(replay, ms, speed);
          const shown = shownOf(replay, tail);
          if (shown === null) throw new Error('a replay that runs shows something');
          expect(shown.to).toBeGreaterThanOrEqual(reached);
          expect(shown.to).toBeLessThanOrEqual(period.to);
          expect(shown.from).toBeGreaterThanOrEqual(period.from);
          expect(shown.from).toBeLessThanOrEqual(shown.to);
          reached = shown.to;
        }
      }),
    );
  });
  it.each([
    [hour, minute],
    [6 * hour, 10 * minute],
    [day, hour],
    [7 * day, 6 * hour],
    [400 * day, day],
  ])('of %d ms begins at a speed that is done within a minute, where there is one', (length, speed) => {
    expect(fittingSpeed({ from: 0, to: length })).toBe(speed);
  });
});

/** Animation frames that come when the test says so. */
function handFrames() {
  let now = 0;
  let next = 0;
  const waiting = new Map<number, (now: number) => void>();
  return {
    request: (callback: (now: number) => void) => {
      next += 1;
      waiting.set(next, callback);
      return next;
    },
    cancel: (handle: number) => void waiting.delete(handle),
    waiting,
    pass(ms: number): void {
      now += ms;
      const due = [...waiting.values()];
      waiting.clear();
      for (const callback of due) callback(now);
    },
  };
}

describe('frames', () => {
  it('are not waited for where the page gets none, and never come twice', () => {
    vi.useFakeTimers();
    const hand = handFrames();
    vi.stubGlobal('requestAnimationFrame', hand.request);
    vi.stubGlobal('cancelAnimationFrame', hand.cancel);
    try {
      const frames = pageFrames();
      let came = 0;
      frames.request(() => (came += 1));
      vi.advanceTimersByTime(1_000);
      expect(came).toBe(1);
      hand.pass(16);
      expect(came, 'late').toBe(1);
      frames.request(() => (came += 1));
      hand.pass(16);
      vi.advanceTimersByTime(1_000);
      expect(came, 'in time').toBe(2);
      frames.cancel(frames.request(() => (came += 1)));
      hand.pass(16);
      vi.advanceTimersByTime(1_000);
      expect(came, 'cancelled').toBe(2);
    } finally {
      vi.useRealTimers();
      vi.unstubAllGlobals();
    }
  });

  it('have the latest wish applied in a task of its own, once each, and nothing that was dropped', () => {
    vi.useFakeTimers();
    try {
      const frames = handFrames();
      const applied: number[] = [];
      const wishes = latestPerFrame<number>(frames, (value) => applied.push(value));
      for (let value = 1; value <= 50; value += 1) wishes.ask(value);
      expect(applied).toEqual([]);
      vi.advanceTimersByTime(0);
      expect(applied).toEqual([50]);
      wishes.ask(51);
      wishes.ask(52);
      vi.advanceTimersByTime(1_000);
      expect(applied, 'not before the first is drawn').toEqual([50]);
      frames.pass(16);
      expect(applied, 'not in the frame').toEqual([50]);
      vi.advanceTimersByTime(0);
      expect(applied).toEqual([50, 52]);
      frames.pass(16);
      wishes.ask(53);
      wishes.drop();
      vi.advanceTimersByTime(0);
      frames.pass(16);
      expect(applied).toEqual([50, 52]);
      wishes.ask(54);
      vi.advanceTimersByTime(0);
      expect(applied).toEqual([50, 52, 54]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('tick with what has passed, from the second on, until they are stopped', () => {
    const frames = handFrames();
    const ticks: number[] = [];
    const loop = ticker(
      frames,
      () => 0,
      (elapsed) => ticks.push(elapsed),
    );
    loop.start();
    loop.start();
    expect(frames.waiting.size).toBe(1);
    for (const ms of [100, 16, 17]) frames.pass(ms);
    expect(ticks).toEqual([16, 17]);
    loop.stop();
    frames.pass(16);
    expect(ticks).toEqual([16, 17]);
    expect(frames.waiting.size).toBe(0);
    // A pause is no time that passed.
    frames.pass(60_000);
    loop.start();
    for (const ms of [16, 16]) frames.pass(ms);
    expect(ticks).toEqual([16, 17, 16]);
  });

  it('step where motion is reduced, and do not leap after the page was hidden', () => {
    const frames = handFrames();
    const ticks: number[] = [];
    ticker(
      frames,
      () => 1_000,
      (elapsed) => ticks.push(elapsed),
    ).start();
    for (let frame = 0; frame <= 100; frame += 1) frames.pass(20);
    expect(ticks).toEqual([1_000, 1_000]);
    frames.pass(3_600_000);
    expect(ticks.at(-1)).toBe(2_000);
  });

  it('may be stopped by their own tick', () => {
    const frames = handFrames();
    let ticks = 0;
    const loop = ticker(
      frames,
      () => 0,
      () => {
        ticks += 1;
        loop.stop();
      },
    );
    loop.start();
    for (let frame = 0; frame < 5; frame += 1) frames.pass(16);
    expect(ticks).toBe(1);
  });
});
