import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createServerTime } from '../../../../../src-main/core/base/serverTime.ts';
import {
  forgettable,
  forgettingSentence,
  RetentionSchedule,
} from '../../../../../src-main/core/features/incidents/sync/retention.ts';
import { createTestStore, record, upsertOf } from '../../../state/storeFixtures.ts';
import { syncDeployment } from './syncDeployment.ts';
import { said } from '../../../../support/messages.ts';
import { createTestPorts } from '../../../../support/ports.ts';

const day = 86_400_000;
const now = 1_000 * day;
const incident = (id: string, ageDays: number, goneDays: number | null = null) => ({
  id,
  createdAt: now - ageDays * day,
  notReturnedSince: goneDays === null ? null : now - goneDays * day,
});

it('keeps everything by default that the service still returns', () => {
  const policy = { days: null, incidents: 1_000_000, notReturnedDays: 30 };
  const kept = [incident('old', 900), incident('gone', 3, 29), incident('long gone', 3, 31)];
  const forgetting = forgettable(kept, policy, now);
  expect(forgetting).toMatchObject({ ids: ['long gone'], keptFrom: null });
  expect(said(forgettingSentence(forgetting, policy))).toBe(
    '1 incident was removed from this computer by deployment rules: 1 not returned by the service for 30 days.',
  );
});

it('forgets by age and number, the oldest first, and says from when on it keeps', () => {
  const policy = { days: 10, incidents: 2, notReturnedDays: 30 };
  const forgetting = forgettable(
    [incident('b', 5), incident('a', 7), incident('c', 1), incident('old', 11)],
    policy,
    now,
  );
  expect(forgetting.ids).toEqual(['old', 'a']);
  expect(forgetting.counts).toEqual({ age: 1, number: 1, notReturned: 0 });
  expect(forgetting.keptFrom).toBe(now - 7 * day + 1);
  expect(forgettingSentence(forgettable([], policy, now), policy)).toBeNull();
});

it('erases nothing by a wrong clock: not offline, nor later than an answer proved', async () => {
  const { clock, logger } = createTestPorts();
  const answeredAt = clock.wallNow();
  const serverTime = createServerTime({ clock });
  const store = createTestStore();
  const ageOf = (days: number) => ({ createdAt: answeredAt - days * day });
  await store.applyRows({
    upserts: [
      upsertOf(record('fresh', ageOf(1))),
      upsertOf(record('old', ageOf(40))),
      upsertOf(record('gone', ageOf(1))),
    ],
    removals: [],
    marks: [{ id: 'gone', since: answeredAt - 2 * day }],
  });
  const retention = { days: 30, incidents: 1_000_000, notReturnedDays: 30 };
  const schedule = new RetentionSchedule({
    ...{ store, clock, logger, serverTime, serverNow: serverTime.serverNow },
    deployment: syncDeployment({ retention }),
    vault: { note: () => undefined, noteLedger: () => undefined },
  });
  const known = () => [...store.incidents.ids()];

  clock.setWall(answeredAt + 4_400 * day);
  expect(schedule.review(null)).toBeNull();
  expect(known()).toHaveLength(3);
  serverTime.observe(new Date(answeredAt).toUTCString(), clock.elapsed(), clock.elapsed());
  expect(schedule.review(null)).toBeGreaterThan(0);
  expect(known()).toEqual(['fresh', 'gone']);
  clock.sleep(4_400 * day);
  schedule.review(null);
  expect(known()).toEqual(['fresh', 'gone']);
});

it('forgets nothing by age while no time is proven', () => {
  const policy = { days: 10, incidents: 2, notReturnedDays: 30 };
  const kept = [incident('b', 500), incident('a', 700), incident('gone', 1, 700)];
  expect(forgettable(kept, policy, null)).toEqual({
    ids: ['a'],
    counts: { age: 0, number: 1, notReturned: 0 },
    keptFrom: now - 700 * day + 1,
  });
});

it('never forgets one that no rule names, and never moves its bound back', () => {
  const some = fc.array(
    fc.record({
      id: fc.uuid(),
      createdAt: fc.integer({ min: now - 40 * day, max: now }),
      notReturnedSince: fc.option(fc.integer({ min: now - 40 * day, max: now })),
    }),
    { maxLength: 60 },
  );
  const policies = fc.record({
    days: fc.option(fc.integer({ min: 1, max: 40 })),
    incidents: fc.integer({ min: 1, max: 60 }),
    notReturnedDays: fc.integer({ min: 0, max: 40 }),
  });
  fc.assert(
    fc.property(
      some,
      policies,
      fc.option(fc.integer({ min: now - 40 * day, max: now })),
      (all, policy, bound) => {
        const { ids, counts, keptFrom } = forgettable(all, policy, now, bound);
        const gone = new Set(ids);
        const kept = all.filter(({ id }) => !gone.has(id));
        expect(counts.age + counts.number + counts.notReturned).toBe(ids.length);
        expect(kept.length).toBeLessThanOrEqual(policy.incidents);
        if (bound !== null) expect(keptFrom).toBeGreaterThanOrEqual(bound);
        for (const one of all) {
          const long =
            one.notReturnedSince !== null && now - one.notReturnedSince >= policy.notReturnedDays * day;
          const old = policy.days !== null && one.createdAt < now - policy.days * day;
          if (gone.has(one.id) && !long && !old) {
            expect(counts.number).toBeGreaterThan(0);
            for (const other of kept) expect(other.createdAt).toBeGreaterThanOrEqual(one.createdAt);
          }
          if (!gone.has(one.id)) expect(long || old).toBe(false);
        }
      },
    ),
    { numRuns: 300 },
  );
});
