import { afterEach, describe, expect, it } from 'vitest';
import { casesOf } from '../../../../support/campaign.ts';
import { testStart } from '../../../../support/clock.ts';
import { ListService, weekOfIncidents, type ListBehaviour } from './listService.ts';
import { createSyncRig, wasRead, type SyncRig } from './syncRig.ts';

const rigs: SyncRig[] = [];
afterEach(async () => {
  for (const rig of rigs.splice(0)) await rig.close();
});

async function open(...options: Parameters<typeof createSyncRig>): Promise<SyncRig> {
  const rig = await createSyncRig(...options);
  rigs.push(rig);
  return rig;
}

const now = testStart;
const crowd = { count: 5_000, together: 600, now };

/** The first `part` of the cases in `npm test`, all of them in the slow tier. */
const some = <Case>(cases: readonly Case[], part: number): readonly Case[] =>
  cases.slice(0, casesOf({ part, whole: cases.length }));

/** All are known, or each one that is not lies in a window that is named. */
function expectHonest(rig: SyncRig, service: ListService): void {
  const known = new Set(rig.known());
  const { uncertain } = rig.state();
  expect(uncertain.windows).toHaveLength(uncertain.count);
  for (const { id, created_at } of service.incidents) {
    if (known.has(id)) continue;
    const at = Date.parse(created_at);
    const named = uncertain.windows.some(
      ({ from, to }) => at >= (from ?? -Infinity) - 1000 && at <= (to ?? Infinity) + 1000,
    );
    expect(named, `${id} at ${created_at}`).toBe(true);
  }
  expect(rig.meta().completeness).toBe(uncertain.count === 0 ? 'complete' : 'at-least');
}

describe('5,000 incidents of which 600 share one second', () => {
  const cases: [string, Partial<ListBehaviour>, Parameters<typeof weekOfIncidents>[0]][] = [
    ['page limit 200', {}, crowd],
    ['silently 50', { cap: 50 }, crowd],
    ['silently 100', { cap: 100 }, crowd],
    ['oldest first', { order: 'oldest-first' }, crowd],
    ['in random order', { order: 'random' }, crowd],
    ['in random order, silently 50', { order: 'random', cap: 50 }, crowd],
    ['fractional seconds', {}, { ...crowd, fractions: true }],
    ['fractional seconds, cut by the service', { fractions: false }, { ...crowd, fractions: true }],
  ];
  it.each(some(cases, 3))('%s: all known, or what is missing is named', async (_, behaviour, week) => {
    const service = new ListService(weekOfIncidents(week), behaviour);
    const rig = await open(service);
    rig.sync.start({ ledger: null });
    await rig.until(() => wasRead(rig), 'the first reading');
    expectHonest(rig, service);
    expect(rig.state().pageSize).toBe(behaviour.cap ?? 200);
    expect(rig.meta().completeness).toBe('at-least');
    const saturated = rig.state().uncertain.windows;
    // The crowded second is on the boundary of two smallest windows at most.
    expect(saturated.length).toBeLessThanOrEqual(2);
    for (const { from, to, known, why } of saturated) {
      expect(why).toBe('saturated');
      expect((to ?? 0) - (from ?? 0)).toBe(1000);
      expect(known).toBeGreaterThan(behaviour.cap ?? 199);
    }
  });

  it('in milliseconds, found out by itself: the crowd spreads and all is complete', async () => {
    const service = new ListService(weekOfIncidents({ ...crowd, fractions: true }), { unit: 'milliseconds' });
    const rig = await open(service, { unit: 'auto' });
    rig.sync.start({ ledger: null });
    await rig.until(() => wasRead(rig), 'the first reading');
    expect(rig.state()).toMatchObject({ unit: 'milliseconds', uncertain: { count: 0 } });
    expect(rig.meta()).toMatchObject({ completeness: 'complete', count: 5_000 });
    expect(rig.known()).toEqual(service.ids);
  });

  it.each(['object', 'header'] as const)('with a cursor in the %s: complete', async (cursor) => {
    const service = new ListService(weekOfIncidents(crowd), { cursor });
    const rig = await open(service);
    rig.sync.start({ ledger: null });
    await rig.until(() => wasRead(rig), 'the first reading');
    expect(rig.meta()).toMatchObject({ completeness: 'complete', count: 5_000 });
    expect(rig.known()).toEqual(service.ids);
    expect(rig.asked.some(({ query }) => query['cursor'] !== undefined)).toBe(true);
  });
});

describe('a small service', () => {
  it.each([0, 2, 20, 300])('of %i incidents is complete within seconds', async (count) => {
    const service = new ListService(weekOfIncidents({ count, now }));
    const rig = await open(service, { requestsPerMinute: 120 });
    rig.sync.start({ ledger: null });
    await rig.until(() => wasRead(rig), 'the first reading');
    expect(rig.clock.elapsed()).toBeLessThan(1_000_000 + 10_000);
    expect(rig.meta()).toMatchObject({ completeness: 'complete', count, freshness: 'fresh' });
    expect(rig.state().completeAsOf).not.toBeNull();
  });

  it('whose only incidents share a second is never said to be complete', async () => {
    const at = new Date(now - 3_600_000).toISOString();
    const alike = weekOfIncidents({ count: 15, now }).map((incident) => ({ ...incident, created_at: at }));
    const rig = await open(new ListService(alike));
    rig.sync.start({ ledger: null });
    await rig.until(() => wasRead(rig), 'the first reading');
    expect(rig.meta()).toMatchObject({ completeness: 'at-least', count: 15 });
    expect(rig.state().uncertain.windows[0]).toMatchObject({ why: 'saturated', known: 15 });
  });

  it('is asked for a severity in each of its spellings, which the service need not take for one', async () => {
    const spellings = ['critical', 'CRITICAL', ' Critical', 'extreme'];
    const crowded = weekOfIncidents({ count: 600, together: 600, now });
    const mixed = crowded.map((one, at) => ({ ...one, severity: spellings[at % 4] ?? '', status: 'open' }));
    const rig = await open(new ListService(mixed));
    rig.sync.start({ ledger: null });
    await rig.until(() => wasRead(rig), 'the first reading');
    expect(rig.known()).toHaveLength(600);
  });
});

describe('pages that become smaller while the console runs', () => {
  it.each(some([50, 73], 1))('from 200 to %i in the first reading: nothing is missed unsaid', async (cap) => {
    const service = new ListService(weekOfIncidents({ count: 5_000, now }));
    const rig = await open(service);
    rig.fail = () => {
      if (rig.asked.length === 25) service.behaviour.cap = cap;
      return null;
    };
    rig.sync.start({ ledger: null });
    await rig.pass(600_000);
    await rig.until(() => wasRead(rig), 'the first reading');
    expectHonest(rig, service);
    expect(rig.known()).toEqual(service.ids);
    expect(rig.state().pageSize).toBe(cap);
  });

  it('after it: what comes then is found too, and nothing counts as gone', async () => {
    const service = new ListService(weekOfIncidents({ count: 600, now }), { order: 'random' });
    const rig = await open(service);
    rig.sync.start({ ledger: null });
    await rig.until(() => wasRead(rig), 'the first reading');
    service.behaviour.cap = 60;
    await rig.pass(2_500_000);
    expect(rig.state()).toMatchObject({ pageSize: 60, notReturned: 0, uncertain: { count: 0 } });
    service.incidents.push(
      ...weekOfIncidents({ count: 100, now }, 2).map((incident) => ({
        ...incident,
        id: `late-${incident.id}`,
      })),
    );
    await rig.pass(900_000);
    expect(rig.known()).toEqual(service.ids);
  });
});

describe('a service that does not follow windows', () => {
  it.each(some(['seconds', 'auto'] as const, 1))(
    'is found out (%s), said, and read as a plain list',
    async (unit) => {
      const service = new ListService(weekOfIncidents({ count: 2_000, now }), { ignoresTimes: true });
      const rig = await open(service, { unit, intervalMs: 60_000 });
      rig.sync.start({ ledger: null });
      await rig.until(() => rig.state().phase === 'unfiltered', 'the finding');
      await rig.pass(180_000);
      expect(rig.state()).toMatchObject({
        unit: 'ignored',
        windows: { complete: 0 },
        uncertain: { count: 1 },
      });
      expect(rig.meta()).toMatchObject({ completeness: 'at-least', rangeIgnored: true });
      // Severities and statuses find more than one page does.
      expect(rig.meta().count).toBeGreaterThan(400);
      const windowed = rig.asked.filter(({ query }) => query['start_time'] !== undefined).length;
      expect(windowed).toBeLessThan(10);
      await rig.pass(1_800_000);
      expect(rig.asked.filter(({ query }) => query['start_time'] !== undefined)).toHaveLength(windowed);
      service.behaviour.ignoresTimes = false;
      await rig.pass(1_900_000);
      expect(rig.meta().rangeIgnored).toBe(false);
      await rig.until(() => wasRead(rig), 'the reading by windows');
      expect(rig.known()).toEqual(service.ids);
    },
  );

  it('but has a cursor is complete', async () => {
    const service = new ListService(weekOfIncidents({ count: 900, now }), {
      ignoresTimes: true,
      cursor: 'object',
    });
    const rig = await open(service, { unit: 'auto' });
    rig.sync.start({ ledger: null });
    await rig.until(() => rig.state().phase === 'unfiltered', 'the finding');
    await rig.pass(60_000);
    expect(rig.meta()).toMatchObject({ completeness: 'complete', count: 900 });
  });

  it('and answers no window at all leaves the unit undecided', async () => {
    const service = new ListService(weekOfIncidents({ count: 100, now }));
    const rig = await open(service, { unit: 'auto' });
    rig.fail = (query) => (query['start_time'] === undefined ? null : 400);
    rig.sync.start({ ledger: null });
    await rig.until(() => rig.state().phase === 'unfiltered', 'the finding');
    expect(rig.state().unit).toBe('undecided');
    await rig.pass(60_000);
    expect(rig.meta()).toMatchObject({ completeness: 'at-least', count: 100, rangeIgnored: false });
  });

  it('because its unit is another than the setting says', async () => {
    const service = new ListService(weekOfIncidents({ count: 500, now }), { unit: 'milliseconds' });
    const rig = await open(service, { unit: 'seconds' });
    rig.sync.start({ ledger: null });
    await rig.until(() => rig.state().phase === 'unfiltered', 'the finding');
    expect(rig.meta().completeness).not.toBe('complete');
  });
});
