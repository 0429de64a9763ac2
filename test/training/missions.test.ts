import { describe, expect, test } from 'vitest';
import { testStart } from '../support/clock.ts';
import { scene, type Scene } from './support.ts';

type Mission = Record<string, unknown>;

interface Sent {
  readonly key?: string;
  readonly body?: string;
}

const send = (
  { coordinate }: Scene,
  decision: 'approve' | 'reject',
  missionId: string,
  { key, body }: Sent = {},
): Promise<Response> =>
  coordinate(`/admin/missions/${decision}`, {
    method: 'POST',
    body: body ?? JSON.stringify({ mission_id: missionId }),
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });

const pending = async ({ coordinate }: Scene, query = ''): Promise<Mission[]> =>
  ((await (await coordinate(`/admin/missions/pending${query}`)).json()) as { missions: Mission[] }).missions;

const stateOf = ({ server }: Scene, id: string): unknown => server.missions().get(id)?.state;

test('three to five missions are pending, the same for the same seed', async () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const it = await scene({ seed });
    const listed = await pending(it);
    expect(listed.length).toBeGreaterThanOrEqual(3);
    expect(listed.length).toBeLessThanOrEqual(5);
    expect(listed).toEqual([...it.server.missions().values()]);
    for (const mission of listed) {
      for (const field of ['mission_id', 'name', 'purpose', 'area', 'drone', 'requested_by', 'risk']) {
        expect(mission[field]).toEqual(expect.any(String));
      }
      expect(Date.parse(String(mission['requested_at']))).toBeLessThanOrEqual(testStart);
      expect(mission['state']).toBe('pending');
    }
    expect(await pending(await scene({ seed }))).toEqual(listed);
  }
});

test('the list may lag: a decided mission stays in it as it was, for as long as the switch says', async () => {
  const it = await scene({ switches: { missionListLagMs: 60_000 } });
  const id = it.server.addMission();
  const listed = async () => (await pending(it)).find((mission) => mission['mission_id'] === id)?.['state'];
  expect((await send(it, 'approve', id)).status).toBe(200);
  expect([stateOf(it, id), await listed()]).toEqual(['approved', 'pending']);
  // Only the list is behind: the mission itself cannot be decided on again.
  expect((await send(it, 'approve', id, { key: 'other' })).status).toBe(409);
  await it.server.set({ missionListLagMs: 0 });
  expect(await listed()).toBeUndefined();
});

test('the list has pages, and the clock offset of the service', async () => {
  const it = await scene();
  for (let more = it.server.missions().size; more < 60; more += 1) it.server.addMission();
  const first = (await (await it.coordinate('/admin/missions/pending')).json()) as {
    missions: Mission[];
    next_cursor: string;
  };
  expect(first.missions).toHaveLength(50);
  expect(await pending(it, `?cursor=${first.next_cursor}`)).toHaveLength(10);
  expect((await it.coordinate('/admin/missions/pending?cursor=x')).status).toBe(400);
  await it.server.set({ clockOffsetMs: -60_000 });
  const id = it.server.addMission({ name: 'late' });
  const late = (await pending(it, '?limit=200')).find((mission) => mission['mission_id'] === id);
  expect(late).toMatchObject({
    name: 'late',
    requested_at: new Date(testStart - 60_000).toISOString(),
  });
});

test('a mission can be given an id of its own, once', async () => {
  const { server } = await scene();
  expect(server.addMission({ mission_id: 'm/1 ä' })).toBe('m/1 ä');
  expect(() => server.addMission({ mission_id: 'm/1 ä' })).toThrow(RangeError);
});

describe.each([
  ['approve', 'approved'],
  ['reject', 'rejected'],
] as const)('to %s', (decision, state) => {
  test('changes the state, leaves the pending list, and is one effect', async () => {
    const it = await scene();
    const id = it.server.addMission();
    const answer = await send(it, decision, id, { key: 'k' });
    expect([answer.status, await answer.json()]).toEqual([
      200,
      expect.objectContaining({ mission_id: id, state, decided_by: it.server.credentials.username }),
    ]);
    expect(stateOf(it, id)).toBe(state);
    expect((await pending(it)).map((mission) => mission['mission_id'])).not.toContain(id);
    expect(it.server.decisions()).toEqual([
      { missionId: id, decision, account: it.server.credentials.username, key: 'k' },
    ]);
  });

  test('is answered as at first to the same key, and refused with 409 under another', async () => {
    const it = await scene();
    const id = it.server.addMission();
    const first = await (await send(it, decision, id, { key: 'k' })).json();
    expect(await (await send(it, decision, id, { key: 'k' })).json()).toEqual(first);
    expect((await send(it, decision, it.server.addMission(), { key: 'k' })).status).toBe(422);
    for (const other of ['approve', 'reject'] as const) {
      const answer = await send(it, other, id, { key: `another ${other}`.replace(' ', '-') });
      expect([answer.status, await answer.json()]).toEqual([
        409,
        expect.objectContaining({ mission_id: id, state, error: expect.any(String) as string }),
      ]);
    }
    expect(it.server.decisions()).toHaveLength(1);
  });

  test('sent many times at once takes effect once', async () => {
    const it = await scene();
    const id = it.server.addMission();
    const statuses = await Promise.all(
      Array.from(
        { length: 20 },
        async (_, index) => (await send(it, decision, id, { key: `k${String(index % 2)}` })).status,
      ),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.filter((status) => status === 409)).toHaveLength(10);
    expect(it.server.decisions()).toHaveLength(1);
  });

  test('needs the scope and a token; the list needs the token only', async () => {
    const it = await scene({ switches: { missionScope: false } });
    const id = it.server.addMission();
    const denied = await send(it, decision, id, { key: 'k' });
    expect([denied.status, await denied.json()]).toEqual([
      403,
      { error: `Scope missions:${decision} has not been granted` },
    ]);
    expect((await pending(it)).map((mission) => mission['mission_id'])).toContain(id);
    await it.server.set({ missionScope: true });
    it.server.revokeTokens();
    expect((await send(it, decision, id)).status).toBe(401);
    expect((await it.coordinate('/admin/missions/pending')).status).toBe(401);
    expect(it.server.decisions()).toEqual([]);
    await it.login();
    // The refusal was not kept under the key.
    expect((await send(it, decision, id, { key: 'k' })).status).toBe(200);
  });

  test('of an unknown mission is 404, and a body that cannot be read 400', async () => {
    const it = await scene();
    expect((await send(it, decision, 'nobody')).status).toBe(404);
    for (const body of ['', 'null', '[]', '{"mission_id":1}', '{"mission":"x"}']) {
      expect((await send(it, decision, '', { body })).status).toBe(400);
    }
    expect(it.server.decisions()).toEqual([]);
  });

  test('cut before the effect has none, and the same key does it then', async () => {
    const it = await scene({ switches: { missionFault: 'cut-request' } });
    const id = it.server.addMission();
    await expect(send(it, decision, id, { key: 'k' })).rejects.toThrow();
    expect([stateOf(it, id), it.server.decisions()]).toEqual(['pending', []]);
    await it.server.set({ missionFault: 'none' });
    expect((await send(it, decision, id, { key: 'k' })).status).toBe(200);
    expect(it.server.decisions()).toHaveLength(1);
  });

  test('with the answer lost has its effect, which its key remembers', async () => {
    const it = await scene({ switches: { missionFault: 'answer-lost' } });
    const id = it.server.addMission();
    await expect(send(it, decision, id, { key: 'k' })).rejects.toThrow();
    expect(stateOf(it, id)).toBe(state);
    await it.server.set({ missionFault: 'none' });
    expect((await send(it, decision, id, { key: 'k' })).status).toBe(200);
    expect((await send(it, decision, id, { key: 'k2' })).status).toBe(409);
    expect(it.server.decisions()).toHaveLength(1);
  });

  test.each(['by a switch', 'as planned'])('meets somebody else who was first (%s)', async (how) => {
    const it = await scene();
    const id = it.server.addMission();
    if (how === 'by a switch') await it.server.set({ missionFault: 'conflict' });
    else it.server.failNext(1, 'conflict', `/admin/missions/${decision}`);
    const other = decision === 'approve' ? 'rejected' : 'approved';
    const answer = await send(it, decision, id, { key: 'k' });
    expect([answer.status, await answer.json()]).toEqual([
      409,
      expect.objectContaining({ state: other, decided_by: 'another operator' }),
    ]);
    expect(stateOf(it, id)).toBe(other);
    expect(it.server.decisions()).toEqual([]);
    expect((await send(it, decision, 'nobody')).status).toBe(404);
  });
});

test('missions are requested now and then while arrivals are on, and never more than eight wait', async () => {
  const it = await scene({ switches: { arrivals: true } });
  const before = it.server.missions().size;
  it.clock.advance(2 * 3_600_000);
  await it.login();
  expect(it.server.missions().size).toBeGreaterThan(before);
  expect((await pending(it)).length).toBe(8);
  await it.server.set({ arrivals: false });
  for (const mission of await pending(it)) await send(it, 'approve', String(mission['mission_id']));
  it.clock.advance(3_600_000);
  await it.login();
  expect(await pending(it)).toEqual([]);
});
