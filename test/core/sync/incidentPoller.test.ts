import { describe, expect, it } from 'vitest';
import { incidentsSchema, type ApiConnection } from '../../../src-preload/contract/index.ts';
import { IncidentPoller } from '../../../src-main/core/sync/incidentPoller.ts';
import { IncidentReader } from '../../../src-main/core/sync/incidentReader.ts';
import { flush, testStart } from '../../support/clock.ts';
import { createTestPorts } from '../../support/ports.ts';
import { wireIncident } from '../domain/wireIncident.ts';
import { createTestStore } from '../store/storeFixtures.ts';
import { failure, ScriptedApi } from './scriptedApi.ts';

const intervalMs = 15_000;
const longest = intervalMs * 1.2;

function setUp() {
  const ports = createTestPorts();
  const store = createTestStore();
  const api = new ScriptedApi();
  const stationTime = { stationNow: () => ports.clock.wallNow() };
  const link: { state: ApiConnection['state'] } = { state: 'online' };
  const poller = new IncidentPoller({
    ...ports,
    store,
    stationTime,
    intervalMs,
    connection: () => link.state,
    reader: new IncidentReader({ api, unit: 'seconds', stationTime }),
  });
  const slice = () => incidentsSchema.parse(store.slice('incidents'));
  const ids = () => [...store.incidents.ids()].sort();
  return { ...ports, store, api, poller, slice, ids, link };
}

describe('reading incidents', () => {
  it('begins at once, and goes on within a fifth of the interval', async () => {
    const { api, poller, clock, slice } = setUp();
    api.onList = () => [wireIncident('a'), { ...wireIncident('b'), location: null }, { id: 'bad' }];
    poller.start();
    expect(slice().reading).toBe(true);
    await flush();
    expect(slice()).toMatchObject({
      count: 2,
      withoutLocation: 1,
      unreadable: { count: 1, examples: [{ id: 'bad' }] },
      completeness: 'complete',
      severities: ['high'],
      statuses: ['open'],
      reading: false,
      lastReadAt: testStart,
      lastRequestId: 'req-1',
      failure: null,
      freshness: 'fresh',
    });
    const next = (slice().nextReadAt ?? 0) - testStart;
    expect(next).toBeGreaterThanOrEqual(intervalMs * 0.8);
    expect(next).toBeLessThanOrEqual(longest);
    await clock.advance(intervalMs * 12);
    expect(api.asked.length).toBeGreaterThanOrEqual(10);
    expect(api.asked.length).toBeLessThanOrEqual(16);
  });

  it('marks as arrived live only what comes after the first read', async () => {
    const { api, poller, clock, store } = setUp();
    api.onList = () => [wireIncident('a')];
    poller.start();
    await flush();
    api.onList = () => [wireIncident('a'), wireIncident('b')];
    await clock.advance(longest);
    const arrived = store.frameSince(null)?.columns.arrivedAt ?? [];
    expect(arrived[0]).toBe(0);
    expect(arrived[1]).toBeGreaterThan(testStart);
  });

  it('does not take old incidents of a wider range for live arrivals', async () => {
    const { api, poller, store } = setUp();
    api.onList = ({ startTime }) =>
      startTime === undefined ? [wireIncident('old', '2026-11-01T00:00:00Z')] : [];
    poller.start();
    await flush();
    store.beginEpoch();
    poller.setQuery({ range: '1h', severities: [], statuses: [], limit: null });
    await flush();
    poller.setQuery({ range: 'all', severities: [], statuses: [], limit: null });
    await flush();
    expect([...(store.frameSince(null)?.columns.arrivedAt ?? [])]).toEqual([0]);
  });

  it('keeps the rows when it fails, says why, waits longer each time and recovers', async () => {
    const { api, poller, clock, slice, ids } = setUp();
    api.onList = () => [wireIncident('a')];
    poller.start();
    await flush();
    api.onList = () => failure('service-error', { requestId: 'req-9' });
    await clock.advance(longest);
    expect(ids()).toEqual(['a']);
    expect(slice()).toMatchObject({
      failure: { code: 'service-error', requestId: 'req-9' },
      lastRequestId: 'req-9',
    });
    const before = api.asked.length;
    await clock.advance(600_000);
    expect(api.asked.length - before).toBeLessThan(10);
    expect(slice().freshness).not.toBe('fresh');
    api.onList = () => [wireIncident('a')];
    poller.connectionReturned();
    await clock.advance(1000);
    expect(slice()).toMatchObject({ failure: null, freshness: 'fresh' });
  });

  it('asks no sooner than the service said', async () => {
    const { api, poller, clock } = setUp();
    api.onList = () => failure('too-many-requests', { retryAt: testStart + 120_000 });
    poller.start();
    await clock.advance(119_000);
    expect(api.asked).toHaveLength(1);
    await clock.advance(10_000);
    expect(api.asked).toHaveLength(2);
  });

  it('stops at a missing scope until the operator checks again or a new token comes', async () => {
    const { api, poller, clock, slice } = setUp();
    api.onList = () => failure('not-granted');
    poller.start();
    await clock.advance(3_600_000);
    poller.connectionReturned();
    poller.setQuery({ range: '6h', severities: [], statuses: [], limit: null });
    poller.wake();
    await clock.advance(3_600_000);
    expect(api.asked).toHaveLength(1);
    expect(slice().nextReadAt).toBeNull();
    expect((await poller.refresh()).ok).toBe(false);
    expect(api.asked[1]?.options).toMatchObject({ recheck: true, interactive: true });
    await clock.advance(3_600_000);
    expect(api.asked).toHaveLength(2);
    api.onList = () => [];
    poller.tokenChanged();
    await clock.advance(3_600_000);
    expect(api.asked.length).toBeGreaterThan(100);
    expect(slice().failure).toBeNull();
  });

  it('has one read in flight, which a second refresh shares', async () => {
    const { api, poller } = setUp();
    const waiting: ((body: unknown) => void)[] = [];
    api.onList = () => new Promise((resolve) => waiting.push(resolve));
    poller.start();
    const refreshed = Promise.all([poller.refresh(), poller.refresh()]);
    await flush();
    expect(api.asked).toHaveLength(1);
    waiting[0]?.([]);
    expect(await refreshed).toEqual([
      { ok: true, value: null },
      { ok: true, value: null },
    ]);
  });

  it('gives a read up when the query changes, and never shows its late answer', async () => {
    const { api, poller, slice, ids } = setUp();
    const waiting: ((body: unknown) => void)[] = [];
    api.onList = () => new Promise((resolve) => waiting.push(resolve));
    poller.start();
    poller.setQuery({ range: 'all', severities: [], statuses: [], limit: 5 });
    await flush();
    expect(api.asked.map(({ params }) => params.limit)).toEqual([undefined, 5]);
    expect(api.asked[0]?.options?.signal?.aborted).toBe(true);
    waiting[1]?.([wireIncident('new')]);
    await flush();
    waiting[0]?.([wireIncident('late')]);
    await flush();
    expect(ids()).toEqual(['new']);
    expect(slice()).toMatchObject({ reading: false, query: { limit: 5 } });
  });

  it('forgets all when it stops, and takes no late answer', async () => {
    const { api, poller, clock, slice, ids } = setUp();
    const waiting: ((body: unknown) => void)[] = [];
    api.onList = () => new Promise((resolve) => waiting.push(resolve));
    poller.start();
    poller.setQuery({ range: '1h', severities: ['high'], statuses: [], limit: null });
    poller.stop();
    for (const give of waiting) give([wireIncident('late')]);
    await clock.advance(3_600_000);
    expect(ids()).toEqual([]);
    expect(slice().query).toEqual({ range: 'all', severities: [], statuses: [], limit: null });
    expect(api.asked).toHaveLength(2);
    expect(await poller.refresh()).toMatchObject({ ok: false, failure: { code: 'signed-out' } });
  });
});

describe('a limit', () => {
  it('shows what the service returns for it, and all again without it', async () => {
    const { api, poller, slice, ids } = setUp();
    api.onList = ({ limit }) => [wireIncident('a'), wireIncident('b'), wireIncident('c')].slice(0, limit);
    poller.start();
    await flush();
    expect(ids()).toEqual(['a', 'b', 'c']);
    poller.setQuery({ ...slice().query, limit: 2 });
    await flush();
    expect(ids()).toEqual(['a', 'b']);
    expect(slice().completeness).toBe('at-least');
    poller.setQuery({ ...slice().query, limit: null });
    await flush();
    expect(ids()).toEqual(['a', 'b', 'c']);
  });
});

describe('an incident that is no longer returned', () => {
  it('goes after two complete reads without it', async () => {
    const { api, poller, clock, ids } = setUp();
    api.onList = () => [wireIncident('a'), wireIncident('b')];
    poller.start();
    await flush();
    api.onList = () => [wireIncident('a')];
    await clock.advance(longest);
    expect(ids()).toEqual(['a', 'b']);
    await poller.refresh();
    expect(ids()).toEqual(['a', 'b']);
    await clock.advance(longest);
    expect(ids()).toEqual(['a']);
  });

  it('stays when it comes back in between', async () => {
    const { api, poller, clock, ids } = setUp();
    let round = 0;
    api.onList = () => ((round += 1) % 2 === 0 ? [] : [wireIncident('a')]);
    poller.start();
    await clock.advance(intervalMs * 10);
    expect(ids()).toEqual(['a']);
  });

  it.each([
    [
      'reads that may be cut',
      () => Array.from({ length: 50 }, (_, index) => wireIncident(`x-${String(index)}`)),
    ],
    ['failures', () => failure('unreachable')],
    ['its own record turned unreadable', () => [{ ...wireIncident('a'), created_at: 'tomorrow' }]],
  ])('stays through %s', async (_, onList) => {
    const { api, poller, clock, ids } = setUp();
    api.onList = () => [wireIncident('a')];
    poller.start();
    await flush();
    api.onList = onList;
    await clock.advance(intervalMs * 20);
    expect(ids()).toContain('a');
  });

  it('stays when the reads did not cover its creation time', async () => {
    const { api, poller, clock, ids } = setUp();
    api.onList = () => [wireIncident('old', '2026-11-01T00:00:00Z')];
    poller.start();
    await flush();
    api.onList = () => [];
    poller.setQuery({ range: '1h', severities: [], statuses: [], limit: null });
    await clock.advance(intervalMs * 10);
    expect(ids()).toEqual(['old']);
  });
});
