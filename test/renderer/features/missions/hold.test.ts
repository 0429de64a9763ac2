import { describe, expect, it } from 'vitest';
import {
  holdMs,
  holdProgress,
  holdStep,
  idle,
  stepped,
  type Hold,
  type HoldInput,
} from '../../../../src-renderer/features/missions/hold.ts';

const down = (by: 'pointer' | 'key', repeat = false): HoldInput => ({ kind: 'press', by, repeat });
const up = (by: 'pointer' | 'key'): HoldInput => ({ kind: 'release', by });
const tick: HoldInput = { kind: 'tick' };

/** Plays inputs, each at its time, and counts how often it acted. */
function play(inputs: readonly (readonly [number, HoldInput])[]): { hold: Hold; acted: number } {
  let hold = idle;
  let acted = 0;
  for (const [at, input] of inputs) {
    const next = holdStep(hold, input, at);
    if (next.state === 'spent' && hold.state !== 'spent') acted += 1;
    hold = next;
  }
  return { hold, acted };
}

describe('a control that is held', () => {
  it('acts once its time has passed, and not a moment before', () => {
    expect(
      play([
        [100, down('pointer')],
        [100 + holdMs - 1, tick],
      ]).acted,
    ).toBe(0);
    expect(
      play([
        [100, down('pointer')],
        [100 + holdMs, tick],
      ]).acted,
    ).toBe(1);
  });

  it('acts once, however long it is held and however often it is pressed again', () => {
    const inputs: [number, HoldInput][] = [[0, down('key')]];
    for (let at = 30; at < 5 * holdMs; at += 30) inputs.push([at, down('key', true)], [at, tick]);
    inputs.push([10_000, up('key')], [10_100, down('pointer')], [20_000, tick]);
    expect(play(inputs).acted).toBe(1);
  });

  it.each([
    ['is let go', up('pointer')],
    ['is left', { kind: 'leave' }],
  ] as const)('does not act when it %s in time', (_what, end) => {
    expect(
      play([
        [0, down('pointer')],
        [holdMs - 1, end],
        [10 * holdMs, tick],
      ]),
    ).toEqual({ hold: idle, acted: 0 });
  });

  it('begins anew after it was let go', () => {
    const halves: [number, HoldInput][] = [
      [0, down('pointer')],
      [1_000, up('pointer')],
      [1_100, down('pointer')],
      [2_000, tick],
    ];
    expect(play(halves).acted).toBe(0);
    expect(play([...halves, [1_100 + holdMs, tick]]).acted).toBe(1);
  });

  it('does not take a key for pressed that was down before it was there', () => {
    expect(
      play([
        [0, down('key', true)],
        [holdMs, down('key', true)],
        [2 * holdMs, tick],
      ]).acted,
    ).toBe(0);
  });

  it('is not let go by what does not hold it', () => {
    expect(
      play([
        [0, down('pointer')],
        [10, down('key')],
        [20, up('key')],
        [holdMs, tick],
      ]).acted,
    ).toBe(1);
  });

  it('is not a double click', () => {
    const clicks = [0, 120, 240, 360, 480].flatMap((at): [number, HoldInput][] => [
      [at, down('pointer')],
      [at + 60, up('pointer')],
    ]);
    expect(play([...clicks, [10_000, tick]]).acted).toBe(0);
  });
});

it('shows how far it is, in steps where motion is not wanted', () => {
  const held: Hold = { state: 'held', by: 'key', since: 1_000 };
  expect(holdProgress(idle, 5)).toBe(0);
  expect(holdProgress(held, 1_000)).toBe(0);
  expect(holdProgress(held, 1_000 + holdMs / 2)).toBe(0.5);
  expect(holdProgress(held, 99_000)).toBe(1);
  expect(holdProgress({ state: 'spent' }, 0)).toBe(1);
  expect([0, 0.19, 0.2, 0.5, 0.99, 1].map(stepped)).toEqual([0, 0, 0.2, 0.4, 0.8, 1]);
});
