import { CID } from 'multiformats/cid';
import { describe, expect, test } from 'vitest';
import { testStart } from '../support/clock.ts';
import { scene, type Scene } from './support.ts';

type Item = Record<string, unknown>;
interface Wrapped {
  readonly evidence: Item[];
  readonly next_cursor?: string;
}

const pageOf = async ({ ask }: Scene, query = ''): Promise<Wrapped> =>
  (await (await ask(`/evidence${query}`)).json()) as Wrapped;

async function everything(it: Scene, limit: number): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | undefined, pages = 0; pages < 100; pages += 1) {
    const page = await pageOf(it, `?limit=${limit}${cursor === undefined ? '' : `&cursor=${cursor}`}`);
    expect(page.evidence.length).toBeLessThanOrEqual(limit);
    items.push(...page.evidence);
    cursor = page.next_cursor;
    if (cursor === undefined) return items;
  }
  throw new Error('The list has no end');
}

test('about 40 pieces are there, with real CIDs; the incidents they name count exactly them', async () => {
  const it = await scene();
  const items = await everything(it, 200);
  expect(items.length).toBeGreaterThanOrEqual(38);
  expect(items.length).toBeLessThanOrEqual(50);
  expect(items).toEqual(it.server.evidence());
  const counted = new Map<unknown, number>();
  for (const item of items) {
    expect(CID.parse(String(item['cid'])).toString()).toBe(item['cid']);
    expect(Date.parse(String(item['created_at']))).toBeLessThanOrEqual(testStart);
    counted.set(item['incident_id'], (counted.get(item['incident_id']) ?? 0) + 1);
  }
  expect(new Set(items.map((item) => item['cid'])).size).toBe(items.length);
  expect(counted.get(undefined)).toBe(2);
  counted.delete(undefined);
  expect(counted.size).toBeGreaterThan(5);
  const incidents = it.server.incidents();
  for (const [id, count] of counted) expect(incidents.get(String(id))?.evidence_count).toBe(count);
});

test('the same seed collects the same, another seed something else', async () => {
  const cids = async (seed: number) => (await scene({ seed })).server.evidence().map((item) => item['cid']);
  expect(await cids(3)).toEqual(await cids(3));
  expect(await cids(3)).not.toEqual(await cids(4));
});

describe('with a cursor', () => {
  test('pages of every size hold the same, 50 by default and at most 200', async () => {
    const it = await scene();
    for (let more = it.server.evidence().length; more < 260; more += 1) it.server.addEvidence();
    const all = await pageOf(it);
    expect([all.evidence.length, typeof all.next_cursor]).toEqual([50, 'string']);
    expect((await pageOf(it, '?limit=5000')).evidence).toHaveLength(200);
    const whole = it.server.evidence();
    expect(await everything(it, 7)).toEqual(whole);
    expect(await everything(it, 200)).toEqual(whole);
  });

  test('what is added between two pages moves nothing', async () => {
    const it = await scene();
    const before = it.server.evidence();
    const first = await pageOf(it, '?limit=20');
    it.server.addEvidence({ file_name: 'late.jpg' });
    const rest = await pageOf(it, `?limit=200&cursor=${first.next_cursor ?? ''}`);
    const read = [...first.evidence, ...rest.evidence];
    expect(read.slice(0, -1)).toEqual(before);
    expect(read.at(-1)).toMatchObject({ file_name: 'late.jpg' });
    expect(rest.next_cursor).toBeUndefined();
  });

  test.each(['limit=x', 'limit=0', 'limit=-1', 'limit=1&limit=2', 'cursor=x', 'cursor=WyJtaXNzaW9ucyIsMV0'])(
    '?%s is refused',
    async (query) => {
      const { ask } = await scene();
      expect((await ask(`/evidence?${query}`)).status).toBe(400);
    },
  );
});

test('without a cursor a bare array holds everything, whatever is asked', async () => {
  const it = await scene({ switches: { evidenceWithCursor: false } });
  for (let more = 0; more < 250; more += 1) it.server.addEvidence();
  const items = (await (await it.ask('/evidence?limit=3')).json()) as Item[];
  expect(items).toEqual(it.server.evidence());
  expect(items.length).toBeGreaterThan(250);
});

test('a token and the scope are needed', async () => {
  const { server, ask } = await scene({ switches: { evidenceScope: false } });
  const denied = await ask('/evidence');
  expect([denied.status, await denied.json()]).toEqual([
    403,
    { error: 'Scope evidence:read has not been granted' },
  ]);
  expect((await fetch(`${server.infrastructureUrl}/evidence`)).status).toBe(401);
  const uploadToken = { headers: { authorization: `Bearer ${server.uploadToken}` } };
  expect((await fetch(`${server.infrastructureUrl}/evidence`, uploadToken)).status).toBe(401);
});

test('a piece added by hand is served as given and counted where it belongs', async () => {
  const it = await scene();
  const { id, evidence_count } = it.server.addIncident({ evidence_count: 3 });
  it.server.addEvidence();
  expect(it.server.evidence().at(-1)).toMatchObject({ incident_id: id });
  expect(it.server.incidents().get(id)?.evidence_count).toBe(evidence_count + 1);
  it.server.addEvidence({ incident_id: undefined, cid: 'no cid', odd: [1] });
  expect(it.server.incidents().get(id)?.evidence_count).toBe(evidence_count + 1);
  const last = (await everything(it, 200)).at(-1);
  expect(last).toMatchObject({ cid: 'no cid', odd: [1] });
  expect(last).not.toHaveProperty('incident_id');
});

test("created_at has the service's clock offset", async () => {
  const it = await scene({ switches: { clockOffsetMs: 86_400_000 } });
  it.server.addEvidence();
  const [last] = (await everything(it, 200)).slice(-1);
  expect(Date.parse(String(last?.['created_at']))).toBe(testStart + 86_400_000);
  expect(Date.parse(String(it.server.evidence().at(-1)?.['created_at']))).toBe(testStart);
});

test('what the script makes an incident gain is in the list', async () => {
  const it = await scene({ switches: { arrivals: true } });
  const before = it.server.evidence().length;
  const counts = (): number =>
    [...it.server.incidents().values()].reduce((sum, { evidence_count }) => sum + evidence_count, 0);
  const counted = counts();
  it.clock.advance(3_600_000);
  expect(it.server.evidence().length - before).toBeGreaterThan(5);
  expect(counts() - counted).toBe(it.server.evidence().length - before);
});
