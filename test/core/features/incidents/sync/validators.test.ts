import { createHash } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { testStart } from '../../../../support/clock.ts';
import type { WireIncident } from '../../../../support/training/index.ts';
import { createTestStore } from '../../../state/storeFixtures.ts';
import { wireIncident } from '../../../state/wireIncident.ts';
import { ListService, weekOfIncidents } from './listService.ts';
import { createSyncRig, wasRead, type SyncRig } from './syncRig.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const hash = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 16);
const etag = (_: unknown, body: string): Record<string, string> => ({ etag: `"${hash(body)}"` });
const week = (count = 1_000): ListService =>
  new ListService(weekOfIncidents({ count, fractions: true, now: testStart }));

async function open(
  service: ListService,
  tag: SyncRig['tag'],
  options: Parameters<typeof createSyncRig>[1] = {},
): Promise<SyncRig> {
  const rig = await createSyncRig(service, options);
  onTestFinished(() => rig.close());
  rig.tag = tag;
  return rig;
}

/** All was read once whole, and again. */
async function settled(service: ListService, tag: SyncRig['tag'] = etag): Promise<SyncRig> {
  const rig = await open(service, tag);
  rig.sync.start({ ledger: null });
  await rig.until(() => wasRead(rig), 'the first reading');
  await rig.pass(30 * 60_000);
  expect(rig.meta().completeness).toBe('complete');
  return rig;
}

const statusesSince = ({ asked }: SyncRig, from: number): number[] =>
  asked.slice(from).map(({ status }) => status);
const share = (statuses: readonly number[], status: number): number =>
  statuses.filter((one) => one === status).length / statuses.length;
const statusOf = ({ store }: SyncRig, id: string): string | undefined => store.incidents.recordOf(id)?.status;
/** An old incident in the middle of its window, for whose change no newer window is read. */
const oldOpen = ({ incidents }: ListService): WireIncident =>
  incidents.find(
    ({ status, created_at }) => status === 'open' && testStart - Date.parse(created_at) > 3 * dayMs,
  ) as WireIncident;
const change = (service: ListService, id: string, status: string): void => {
  service.incidents = service.incidents.map((one) => (one.id === id ? { ...one, status } : one));
};

it.each([
  ['an ETag', etag],
  ['a weak ETag', (_: unknown, body: string) => ({ etag: `W/"${hash(body)}"` })],
  ['Last-Modified', () => ({ 'last-modified': new Date(testStart - hourMs).toUTCString() })],
])('what is as it was comes as a 304 by %s, and all is as well known', async (_, tag) => {
  const rig = await settled(week(), tag);
  const from = rig.asked.length;
  const [seen] = rig.known();
  const seenAt = rig.store.incidents.stored(seen ?? '')?.lastSeenAt ?? 0;
  const asOf = rig.state().completeAsOf ?? 0;
  await rig.pass(30 * 60_000);
  const statuses = statusesSince(rig, from);
  expect(statuses.length).toBeGreaterThan(100);
  expect(share(statuses, 304)).toBeGreaterThan(0.8);
  expect(rig.meta()).toMatchObject({ completeness: 'complete', freshness: 'fresh', failure: null });
  expect(rig.state().completeAsOf).toBeGreaterThan(asOf + 10 * 60_000);
  expect(rig.store.incidents.stored(seen ?? '')?.lastSeenAt).toBeGreaterThan(seenAt + 10 * 60_000);
});

it('what has changed, came or left is known as before', async () => {
  const service = week();
  const rig = await settled(service);
  const { id } = oldOpen(service);
  const gone = service.incidents.find((one) => one.id !== id)?.id ?? '';
  change(service, id, 'resolved');
  service.incidents = service.incidents.filter((one) => one.id !== gone);
  const late = rig.clock.wallNow() - 2 * dayMs;
  service.incidents.push(wireIncident('late', new Date(late).toISOString()) as WireIncident);
  await rig.pass(40 * 60_000);
  expect(statusOf(rig, id)).toBe('resolved');
  expect(rig.known()).toContain('late');
  expect(rig.store.incidents.idsNotReturned()).toEqual([gone]);
});

it('validators are stored with the ledger: a restart costs no second reading', async () => {
  const service = week();
  const first = await settled(service);
  const rows = first.known().flatMap((id) => first.store.incidents.stored(id) ?? []);
  const store = createTestStore();
  await store.restore(rows);
  const rig = await open(service, etag, { store });
  rig.sync.start({ ledger: first.ledgers.at(-1) ?? null });
  await rig.pass(30 * 60_000);
  const statuses = statusesSince(rig, 0);
  expect(share(statuses, 304)).toBeGreaterThan(0.8);
  const { id } = oldOpen(service);
  change(service, id, 'resolved');
  await rig.pass(20 * 60_000);
  expect(statusOf(rig, id)).toBe('resolved');
});

it('a 304 that was not asked for is a failure, and vouches for nothing', async () => {
  const service = week(100);
  const rig = await open(service, () => null);
  rig.fail = () => 304;
  rig.sync.start({ ledger: null });
  await rig.pass(60_000);
  expect(rig.meta()).toMatchObject({ count: 0, completeness: 'unknown', lastReadAt: null });
  expect(rig.meta().failure?.code).toBe('answered-by-something-else');
});

it('a validator that stays while rows change is no longer used', async () => {
  const service = week();
  const rig = await settled(service, ({ end_time = '' }) => ({ etag: `"${end_time}"` }));
  const { id } = oldOpen(service);
  change(service, id, 'resolved');
  // The newest window has just begun to end at another instant.
  await rig.pass(60_000);
  service.incidents.push(
    wireIncident('new', new Date(rig.clock.wallNow() - 1_000).toISOString()) as WireIncident,
  );
  // The newest window is read whole every few minutes.
  await rig.pass(5 * 60_000);
  expect(rig.known()).toContain('new');
  await rig.pass(25 * 60_000);
  expect(statusOf(rig, id)).toBe('resolved');
  const from = rig.asked.length;
  await rig.pass(5 * 60_000);
  expect(new Set(statusesSince(rig, from))).toEqual(new Set([200]));
});

it('a change that only one of two answers shows makes the other one come whole', async () => {
  const service = week();
  let isFrozen: (query: Record<string, string>) => boolean = () => false;
  const rig = await settled(service, (query, body) =>
    isFrozen(query) ? { etag: `"${hash(JSON.stringify(query))}"` } : etag(query, body),
  );
  const { id, created_at } = oldOpen(service);
  const at = Math.floor(Date.parse(created_at) / 1_000);
  // The windows of one split answer by what was asked, whatever they have.
  const windows = rig.asked
    .map(({ query }) => query)
    .filter(({ start_time, end_time }) => Number(start_time) < at && at < Number(end_time));
  const frozen = windows.at(-1)?.['end_time'];
  isFrozen = ({ end_time }) => end_time === frozen;
  await rig.pass(40 * 60_000);
  change(service, id, 'resolved');
  const from = rig.asked.length;
  await rig.pass(40 * 60_000);
  expect(statusOf(rig, id)).toBe('resolved');
  const answers = rig.asked.slice(from).filter(({ query }) => query['end_time'] === frozen);
  expect(answers.map(({ status }) => status)).toContain(200);
});
