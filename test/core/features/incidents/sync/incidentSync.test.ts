import { afterEach, describe, expect, it } from 'vitest';
import type { WireIncident } from '../../../../support/training/index.ts';
import { ok } from '../../../../../src-preload/contract/index.ts';
import { testStart } from '../../../../support/clock.ts';
import { LargeGate } from '../../../service/transport/largeGate.ts';
import { createTestStore } from '../../../state/storeFixtures.ts';
import { wireIncident } from '../../../state/wireIncident.ts';
import { ListService, weekOfIncidents } from './listService.ts';
import { createSyncRig, intervalMs, wasRead, type SyncRig } from './syncRig.ts';

const rigs: SyncRig[] = [];
afterEach(async () => {
  for (const rig of rigs.splice(0)) await rig.close();
});

async function open(...options: Parameters<typeof createSyncRig>): Promise<SyncRig> {
  const rig = await createSyncRig(...options);
  rigs.push(rig);
  return rig;
}

async function opened(
  service: ListService,
  options: Parameters<typeof createSyncRig>[1] = {},
): Promise<SyncRig> {
  const rig = await open(service, options);
  rig.sync.start({ ledger: null });
  await rig.until(() => wasRead(rig), 'the first reading');
  return rig;
}

const now = testStart;
const week = (count = 1_000): ListService => new ListService(weekOfIncidents({ count, now }));
const added = (id: string, at: number): WireIncident =>
  wireIncident(id, new Date(at).toISOString()) as WireIncident;
const longest = intervalMs * 1.2;

/** Whether a request is for the newest window, which ends in an hour, or up to ten minutes later. */
function isNewest({ clock }: SyncRig, { end_time }: Record<string, string>): boolean {
  const ahead = Number(end_time) * 1000 - clock.wallNow() - 3_600_000;
  return ahead > -60_000 && ahead < 660_000;
}

/** The most requests in any minute. */
function busiestMinute({ asked }: SyncRig): number {
  let most = 0;
  let first = 0;
  for (const [last, { at }] of asked.entries()) {
    while ((asked[first]?.at ?? 0) <= at - 60_000) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

describe('large answers', () => {
  it('are held one at a time, each until its rows are in the store', async () => {
    const service = new ListService(weekOfIncidents({ count: 3_000, now }), { cap: 100 });
    const gate = new LargeGate();
    const given = new Set<string>();
    const missing: number[] = [];
    const store = createTestStore();
    const applyRows = store.applyRows.bind(store);
    store.applyRows = async (change) => {
      // As writing many rows does, it lets others have their turn.
      await new Promise((resolve) => setImmediate(resolve));
      return applyRows(change);
    };
    const rig = await opened(service, {
      store,
      api: {
        async listIncidents(params, call) {
          await gate.enter(call);
          missing.push(given.size - store.incidents.count);
          const asked = { start_time: params.startTime, end_time: params.endTime, limit: params.limit };
          const { body } = service.answer(JSON.parse(JSON.stringify(asked)) as Record<string, string>);
          for (const { id } of body as WireIncident[]) given.add(id);
          // Others ask meanwhile.
          await new Promise((resolve) => setImmediate(resolve));
          return ok({ body, requestId: 'req-1', responseMs: 1, linkCursor: null });
        },
      },
    });
    expect(given.size).toBe(3_000);
    expect(missing.length).toBeGreaterThan(30);
    expect(missing.filter((count) => count !== 0)).toEqual([]);
    await rig.stop();
    expect(await gate.isFree()).toBe(true);
  });
});

describe('the plan', () => {
  it('finds a new incident within one interval, and marks it as arrived', async () => {
    const service = week();
    const rig = await opened(service);
    const at = rig.clock.wallNow();
    service.incidents.push(added('new', at));
    await rig.pass(longest + 1_000);
    expect(rig.store.incidents.stored('new')?.arrivedAt).toBeGreaterThanOrEqual(at);
    expect(rig.store.incidents.stored('inc-00007')?.arrivedAt).toBe(0);
  });

  it.each(['newest-first', 'oldest-first', 'random'] as const)(
    'finds a new incident that is dated minutes before the newest one within one interval, in the order %s',
    async (order) => {
      const recent = Array.from({ length: 3 }, (_, at) => added(`newest-${String(at)}`, now - 1_000 * at));
      const incidents = [...weekOfIncidents({ count: 1_000, now }), ...recent];
      const service = new ListService(incidents, { order });
      const rig = await opened(service);
      await rig.pass(60_000);
      for (const minutes of [1, 4, 7])
        service.incidents.push(added(`late-${String(minutes)}`, now - minutes * 60_000));
      await rig.pass(longest + 1_000);
      const newest = rig.asked.findLast(({ query }) => isNewest(rig, query))!;
      expect(Number(newest.query['start_time']) * 1_000).toBeLessThan(now - 7 * 60_000);
      expect(['late-1', 'late-4', 'late-7'].filter((id) => !rig.store.incidents.stored(id))).toEqual([]);
    },
  );

  it('finds at once what an event names, however old, and as many events cost one read', async () => {
    const service = week();
    const rig = await opened(service);
    await rig.pass(1_000);
    const [oldest] = service.incidents.toSorted((a, b) => a.created_at.localeCompare(b.created_at));
    if (!oldest) throw new Error('The service has no incidents');
    Object.assign(oldest, { evidence_count: 77 });
    const before = rig.asked.length;
    for (let event = 0; event < 1_000; event += 1) rig.sync.requestRead(oldest.id);
    await rig.until(() => rig.store.incidents.stored(oldest.id)?.record.evidenceCount === 77, 'the change');
    expect(rig.asked.length - before).toBeLessThan(10);
  });

  it('finds what changed in an old incident, an open one before a resolved one', async () => {
    const service = week();
    const old = (status: string): WireIncident => {
      const found = service.incidents
        .filter((incident) => incident.status === status)
        .toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))[0];
      if (!found) throw new Error('There is none');
      return found;
    };
    const [wasOpen, wasResolved] = [old('open'), old('resolved')];
    const rig = await opened(service);
    Object.assign(wasOpen, { status: 'resolved' });
    Object.assign(wasResolved, { evidence_count: 77 });
    await rig.pass(3 * longest);
    expect(rig.store.incidents.stored(wasOpen.id)?.record.status).toBe('resolved');
    await rig.pass(45 * intervalMs);
    expect(rig.store.incidents.stored(wasResolved.id)?.record.evidenceCount).toBe(77);
  });

  it('reads first what the operator looks at', async () => {
    const rig = await open(week(15_000), { requestsPerMinute: 20 });
    rig.sync.start({ ledger: null });
    rig.sync.setQuery({
      range: '24h',
      severities: ['high'],
      statuses: [],
      types: [],
      openOnly: false,
    });
    await rig.pass(150_000);
    const dayAgo = rig.clock.wallNow() - 86_400_000;
    const [unread] = rig.state().uncertain.windows.filter(({ why }) => why === 'unread');
    expect(rig.state().phase).toBe('first');
    expect(unread?.to).toBeLessThan(dayAgo + 3_600_000);
    expect(rig.asked.every(({ query }) => query['severity'] === undefined && query['limit'] === '200')).toBe(
      true,
    );
    expect(rig.meta().query).toEqual({
      range: '24h',
      severities: ['high'],
      statuses: [],
      types: [],
      openOnly: false,
    });
  });

  it.each([20, 120])(
    'keeps to %i requests a minute, and still finds new incidents in time',
    async (perMinute) => {
      const service = week(20_000);
      const rig = await open(service, { requestsPerMinute: perMinute });
      rig.sync.start({ ledger: null });
      await rig.pass(150_000);
      service.incidents.push(added('new', rig.clock.wallNow()));
      await rig.pass(longest + 2_000);
      expect(rig.known()).toContain('new');
      expect(busiestMinute(rig)).toBeLessThanOrEqual(perMinute);
      expect(busiestMinute(rig)).toBeGreaterThan(perMinute * 0.8);
      expect(rig.state().requests).toMatchObject({ perMinute });
      expect(rig.state().requests.lastMinute).toBeLessThanOrEqual(perMinute);
    },
  );

  it('asks again at once when the operator wants it, one read for all who ask', async () => {
    const service = week(300);
    const rig = await opened(service);
    service.incidents.push(added('new', rig.clock.wallNow()));
    const before = rig.asked.length;
    const answers = [rig.sync.refresh(), rig.sync.refresh()];
    await rig.until(() => rig.known().includes('new'), 'the new one');
    expect(await Promise.all(answers)).toEqual([
      { ok: true, value: null },
      { ok: true, value: null },
    ]);
    expect(rig.asked.slice(before).filter(({ query }) => isNewest(rig, query))).toHaveLength(1);
  });
});

describe('an incident that is no longer returned', () => {
  it('is marked after two complete reads an interval apart, kept, and unmarked when it comes back', async () => {
    const service = week(300);
    const rig = await opened(service);
    const [gone] = service.incidents.filter(({ status }) => status === 'open');
    if (!gone) throw new Error('There is none');
    service.incidents = service.incidents.filter((incident) => incident !== gone);
    await rig.pass(8 * intervalMs);
    expect(rig.store.incidents.stored(gone.id)?.notReturnedSince).not.toBeNull();
    expect(rig.state().notReturned).toBe(1);
    expect(rig.meta().count).toBe(300);
    service.incidents.push(gone);
    await rig.pass(45 * intervalMs);
    expect(rig.store.incidents.stored(gone.id)?.notReturnedSince).toBeNull();
    expect(rig.state().notReturned).toBe(0);
  });

  it('is not one that a record without an id may be', async () => {
    const service = week(300);
    const rig = await opened(service);
    const [gone] = service.incidents.filter(({ status }) => status === 'open');
    Object.assign(gone ?? {}, { id: null });
    await rig.pass(20 * intervalMs);
    expect(rig.state().notReturned).toBe(0);
    expect(rig.meta().unreadable.count).toBe(1);
    // All was read, but not all could be: there are at least as many as are known.
    expect(rig.meta().completeness).toBe('at-least');
    Object.assign(gone ?? {}, { id: 'readable-again' });
    await rig.pass(20 * intervalMs);
    expect(rig.meta()).toMatchObject({ unreadable: { count: 0 }, completeness: 'complete' });
  });

  it.each(['at first', 'later'])('is counted where no record has an id, %s', async (when) => {
    const service = week(30);
    const list = service.incidents.map((incident) => ({ ...incident }));
    const blank = (): void => service.incidents.forEach((incident) => Object.assign(incident, { id: null }));
    if (when === 'at first') blank();
    const rig = await open(service);
    rig.sync.start({ ledger: null });
    await rig.pass(4 * intervalMs);
    blank();
    await rig.pass(20 * intervalMs);
    expect(rig.meta()).toMatchObject({
      count: when === 'at first' ? 0 : 30,
      completeness: 'at-least',
      unreadable: { count: 30 },
      failure: null,
    });
    expect(rig.state().notReturned).toBe(0);
    service.incidents = list;
    await rig.pass(90 * intervalMs);
    expect(rig.meta()).toMatchObject({ count: 30, completeness: 'complete', unreadable: { count: 0 } });
  });

  it('is counted once where the service returns it in every window', async () => {
    const service = week(300);
    const strays = [{ severity: 'critical' }, { severity: 'critical' }, { id: '' }];
    const answer = service.answer.bind(service);
    service.answer = (asked) => {
      const { body, headers } = answer(asked);
      return { body: [...(body as object[]), ...strays], headers };
    };
    const rig = await opened(service);
    await rig.pass(20 * intervalMs);
    expect(rig.meta().unreadable).toMatchObject({
      count: 3,
      examples: [
        { json: '{"severity":"critical"}' },
        { json: '{"severity":"critical"}' },
        { json: '{"id":""}' },
      ],
    });
  });

  it('goes from this computer after the days that the deployment allows, with a word', async () => {
    const service = week(300);
    const retention = { days: null, incidents: 1_000_000, notReturnedDays: 0 };
    const rig = await opened(service, { retention });
    service.incidents = service.incidents.filter(({ status }) => status !== 'open');
    await rig.pass(1_500_000);
    expect(rig.known()).toEqual(service.ids);
    expect(rig.notices[0]).toMatch(/not returned by the service/);
  });
});

describe('retention', () => {
  it('by age: neither kept nor read', async () => {
    const service = week(1_000);
    const rig = await opened(service, { retention: { days: 3, incidents: 1_000_000, notReturnedDays: 30 } });
    const oldest = rig.clock.wallNow() - 3 * 86_400_000;
    await rig.pass(60_000);
    const known = rig.known().map((id) => rig.store.incidents.stored(id)?.record.createdAt ?? 0);
    expect(Math.min(...known)).toBeGreaterThanOrEqual(oldest - 1_000);
    expect(known.length).toBeGreaterThan(300);
    const starts = rig.asked.slice(1).map(({ query }) => Number(query['start_time']) * 1000);
    expect(Math.min(...starts)).toBeGreaterThanOrEqual(oldest - 120_000);
    expect(rig.meta().completeness).toBe('complete');
    expect(rig.notices).toEqual([]);
  });

  it('by number: the oldest go, once', async () => {
    const rig = await open(week(1_000), { retention: { days: null, incidents: 400, notReturnedDays: 30 } });
    rig.sync.start({ ledger: null });
    await rig.pass(120_000);
    expect(rig.meta().count).toBeLessThanOrEqual(400);
    expect(rig.meta().count).toBeGreaterThan(390);
    const noticed = rig.notices.length;
    expect(rig.notices[0]).toMatch(/beyond the limit of 400/);
    await rig.pass(600_000);
    expect(rig.notices).toHaveLength(noticed);
  });
});

describe('trouble', () => {
  it('changes no row, is said, waits longer each time, and ends', async () => {
    const service = week(300);
    const rig = await opened(service);
    rig.fail = () => 500;
    const before = rig.asked.length;
    await rig.pass(600_000);
    expect(rig.meta()).toMatchObject({ count: 300, failure: { code: 'service-error' } });
    expect(rig.meta().freshness).not.toBe('fresh');
    expect(rig.asked.length - before).toBeLessThan(25);
    rig.fail = () => null;
    const fixed = rig.asked.length;
    rig.sync.connectionReturned();
    await rig.pass(10_000);
    expect(rig.meta()).toMatchObject({ failure: null, freshness: 'fresh', completeness: 'complete' });
    // No storm: the newest first, and then what is due, two at a time.
    expect(rig.asked.length - fixed).toBeLessThan(40);
    expect(rig.asked.slice(fixed, fixed + 4).some(({ query }) => isNewest(rig, query))).toBe(true);
  });

  it('of one window alone is named, and does not keep the others from being read', async () => {
    const service = week(1_000);
    const rig = await open(service);
    const from = Math.floor((now - 4 * 86_400_000) / 1000);
    const touches = ({ start_time, end_time }: Record<string, string>): boolean =>
      start_time !== undefined && Number(start_time) <= from && Number(end_time ?? Infinity) >= from;
    rig.fail = (query) => (touches(query) ? 400 : null);
    rig.sync.start({ ledger: null });
    await rig.pass(900_000);
    const { uncertain, phase } = rig.state();
    expect(phase).toBe('first');
    // Of a refused window the refused second is left: two smallest windows share it.
    expect(uncertain.windows.map(({ why }) => why)).toEqual(['failed', 'failed']);
    expect(rig.meta()).toMatchObject({ failure: null });
    expect(rig.meta().completeness).toBe('at-least');
    expect(rig.known()).toEqual(service.ids);
    rig.fail = () => null;
    await rig.pass(1_300_000);
    expect(rig.meta().completeness).toBe('complete');
    expect(rig.known()).toEqual(service.ids);
  });

  it('that is a missing scope stops all until it is checked again or a new token comes', async () => {
    const service = week(300);
    const rig = await open(service);
    rig.fail = () => 403;
    rig.sync.start({ ledger: null });
    await rig.until(() => rig.meta().failure !== null, 'the refusal');
    await rig.pass(600_000);
    rig.sync.connectionReturned();
    rig.sync.wake();
    rig.sync.setQuery({ range: '1h', severities: [], statuses: [], types: [], openOnly: false });
    await rig.pass(600_000);
    expect(rig.asked).toHaveLength(1);
    expect(rig.meta()).toMatchObject({ nextReadAt: null, failure: { code: 'not-granted' } });
    const refreshed = rig.sync.refresh();
    await rig.until(() => rig.asked.length === 2, 'the check');
    expect((await refreshed).ok).toBe(false);
    await rig.pass(600_000);
    expect(rig.asked).toHaveLength(2);
    rig.fail = () => null;
    const granted = rig.sync.refresh();
    await rig.until(() => wasRead(rig), 'the reading');
    expect((await granted).ok).toBe(true);
    expect(rig.known()).toEqual(service.ids);
  });

  it('of the kind 429 is not asked into', async () => {
    const service = week(300);
    const rig = await opened(service);
    rig.rig.service.on('/incidents', (_, response) => {
      rig.asked.push({ at: rig.clock.elapsed(), query: {}, status: 429, bytes: 0 });
      response.writeHead(429, { 'retry-after': '120', 'content-type': 'application/json' });
      response.end('{"error":"slow"}');
    });
    await rig.pass(30_000);
    const first = rig.asked.length;
    expect(rig.meta().failure?.code).toBe('too-many-requests');
    await rig.pass(80_000);
    expect(rig.asked).toHaveLength(first);
  });

  it('in the console itself is a failure like another: the reading goes on', async () => {
    const service = week(300);
    const rig = await open(service);
    const stop = rig.store.onRows(() => {
      throw new Error('a bug');
    });
    rig.sync.start({ ledger: null });
    await rig.until(() => rig.meta().failure !== null, 'the failure');
    expect(rig.meta().failure?.code).toBe('internal');
    stop();
    await rig.pass(60_000);
    expect(rig.meta()).toMatchObject({ failure: null, completeness: 'complete' });
  });

  it('ends with the sync: nothing comes in late, no timer is left', async () => {
    const rig = await open(week(2_000));
    rig.sync.start({ ledger: null });
    await rig.until(() => rig.asked.length > 3, 'some requests');
    await rig.stop();
    const known = rig.known().length;
    await rig.pass(60_000);
    expect(rig.known()).toHaveLength(known);
    expect(rig.meta()).toMatchObject({ lastReadAt: null, completeness: 'unknown' });
    expect(rig.state().phase).toBe('idle');
    expect(await rig.sync.refresh()).toMatchObject({ ok: false, failure: { code: 'signed-out' } });
  });
});

describe('a kept ledger', () => {
  async function kept(service: ListService) {
    const first = await opened(service);
    await first.pass(10_000);
    const ledger = first.ledgers.at(-1) ?? '';
    const rows = first
      .known()
      .map((id) => first.store.incidents.stored(id))
      .filter((row) => row !== null);
    const lastReadAt = first.meta().lastReadAt;
    return { ledger, rows, lastReadAt };
  }

  it('spares reading all again, and says how old it is until it is read', async () => {
    const service = week(3_000);
    const { ledger, rows, lastReadAt } = await kept(service);
    const store = createTestStore();
    await store.restore(rows);
    const rig = await open(service, { store });
    rig.clock.sleep(3 * 3_600_000);
    rig.fail = () => 500;
    rig.sync.start({ ledger });
    expect(rig.meta()).toMatchObject({
      count: 3_000,
      completeness: 'complete',
      freshness: 'stale',
      lastReadAt,
    });
    expect(rig.state()).toMatchObject({ phase: 'rolling', pageSize: 200 });
    rig.fail = () => null;
    service.incidents.push(added('while away', rig.clock.wallNow() - 3_600_000));
    await rig.pass(60_000);
    expect(rig.meta()).toMatchObject({ freshness: 'fresh', completeness: 'complete', count: 3_001 });
    expect(rig.store.incidents.stored('while away')?.arrivedAt).not.toBe(0);
  });

  it.each([
    ['damaged', (text: string) => text.slice(0, -20)],
    ['of another unit', (text: string) => text.replace('"seconds"', '"milliseconds"')],
    [
      'that vouches for rows that are not there',
      (text: string) => text.replace('"incidents":500', '"incidents":501'),
    ],
  ])('%s means starting anew', async (_, spoil) => {
    const service = week(500);
    const { ledger, rows } = await kept(service);
    expect(spoil(ledger)).not.toBe(ledger);
    const store = createTestStore();
    await store.restore(rows);
    const rig = await open(service, { store });
    rig.sync.start({ ledger: spoil(ledger) });
    expect(rig.meta()).toMatchObject({ completeness: 'at-least', lastReadAt: null });
    await rig.until(() => wasRead(rig), 'the reading');
    expect(rig.meta().completeness).toBe('complete');
  });

  it('is given away once in a few seconds at most', async () => {
    const rig = await opened(week(2_000));
    await rig.pass(120_000);
    expect(rig.ledgers.length).toBeGreaterThan(5);
    expect(rig.ledgers.length).toBeLessThan(26);
  });
});
