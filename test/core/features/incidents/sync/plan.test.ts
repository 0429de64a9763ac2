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

it.each([
  ['open incidents', { open: 1 }],
  ['records that could not be read', { unreadableCount: 1 }],
])('a refresh reads an old window with %s at once, and another one in its turn', (_, has) => {
  const read = { state: 'whole', readAt: 1, wholeAt: 1 } as const;
  const window = newWindow({ from: 0, to: 1000 }, { ...read, ...has });
  const other = newWindow({ from: 1000, to: 1500 }, read);
  const facts = { now: 3, intervalMs: 10_000, preferFrom: 0, recentFrom: 2000, freshFrom: 2 };
  const choice = (): ReturnType<typeof chooseWindow> =>
    chooseWindow([window, other, newWindow({ from: 1500, to: null })], facts);
  expect(choice().window).toBe(window);
  window.readAt = 3;
  expect(choice().window).toBeNull();
});
