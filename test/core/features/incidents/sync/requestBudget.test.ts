import { expect, it } from 'vitest';
import { RequestBudget } from '../../../../../src-main/core/features/incidents/sync/requestBudget.ts';
import { StillClock } from '../../../../support/clock.ts';
import { syncDeployment } from './syncDeployment.ts';

it('a minute has no more requests than are needed, but for urgent ones, which need no more than are allowed', () => {
  const clock = new StillClock();
  let needed = Infinity;
  // With a reserve of 5: the newest window is read three times a minute.
  const deployment = syncDeployment({ requestsPerMinute: 20, intervalMs: 20_000 });
  const budget = new RequestBudget({ clock, deployment }, () => needed);
  const takeAll = (urgent: boolean): number => {
    let taken = 0;
    while (budget.take(urgent)) taken += 1;
    return taken;
  };
  expect([takeAll(false), takeAll(true)]).toEqual([15, 5]);
  clock.advance(60_000);
  needed = 6.5;
  expect([takeAll(false), takeAll(true)]).toEqual([7, 13]);
  expect(budget.waitMs(false)).toBe(60_000);
});
