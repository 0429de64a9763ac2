import { expect, it } from 'vitest';
import { chooseWindow } from '../../../../../src-main/core/features/incidents/sync/plan.ts';
import { newWindow } from '../../../../../src-main/core/features/incidents/sync/window.ts';

it.each([
  [0, 0, 40],
  [1, 0, 2],
  [0, 1, 2],
])('reads a window with %i open incidents that lacks %i after %i intervals', (open, lacks, intervals) => {
  const intervalMs = 10_000;
  const window = newWindow({ from: 0, to: 1000 }, { state: 'whole', readAt: 1, wholeAt: 1, open, lacks });
  const choiceAt = (now: number) =>
    chooseWindow([window, newWindow({ from: 1000, to: null })], {
      ...{ now, intervalMs, preferFrom: 0, recentFrom: 2000, freshFrom: 0 },
    });
  expect(choiceAt(2)).toEqual({ window: null, dueAt: 1 + intervals * intervalMs });
  expect(choiceAt(1 + intervals * intervalMs).window).toBe(window);
});
