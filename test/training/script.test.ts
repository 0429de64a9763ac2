import { expect, test } from 'vitest';
import { startTraining } from '../support/training/index.ts';
import { StillClock } from '../support/clock.ts';
import { scene } from './support.ts';

const minute = 60_000;
const running = { arrivals: true, integrationScript: true };

/** All that a client can see of half an hour of the script. */
async function story(seed: number): Promise<string> {
  const { clock, list, ask, login } = await scene({ seed, switches: running });
  const seen: unknown[] = [];
  for (let step = 0; step < 30; step += 1) {
    clock.advance(minute);
    seen.push(await (await ask('/health')).json());
  }
  await login();
  return JSON.stringify([seen, await list()]);
}

test('the same seed tells the same story, another seed another', async () => {
  const told = await story(1);
  expect(await story(1)).toBe(told);
  expect(await story(2)).not.toBe(told);
});

test('incidents arrive about every 45 s, now, near others, of several kinds', async () => {
  const { clock, list, login, server } = await scene({
    switches: { ...running, tokenLifetimeSeconds: 86_400 },
  });
  const before = new Map((await list()).map((row) => [row.id, row]));
  clock.advance(120 * minute);
  await login();
  const after = await list();
  const arrived = after.filter((row) => !before.has(row.id));
  // 160 expected; five standard deviations of a Poisson count to either side.
  expect(arrived.length).toBeGreaterThan(97);
  expect(arrived.length).toBeLessThan(223);
  expect(new Set(arrived.map((row) => row.incident_type)).size).toBeGreaterThan(3);
  expect(new Set(arrived.map((row) => row.severity)).size).toBe(4);
  for (const row of arrived) {
    expect(Math.abs(row.location?.latitude ?? 91)).toBeLessThanOrEqual(90);
    expect(Date.parse(row.created_at)).toBeLessThanOrEqual(clock.wallNow());
  }
  const changed = after.filter((row) => {
    const was = before.get(row.id);
    return was !== undefined && JSON.stringify(was) !== JSON.stringify(row);
  });
  expect(changed.some((row) => before.get(row.id)?.status === 'open' && row.status === 'resolved')).toBe(
    true,
  );
  expect(changed.some((row) => row.evidence_count > (before.get(row.id)?.evidence_count ?? Infinity))).toBe(
    true,
  );
  expect(
    changed.some(
      (row) => row.blockchain_records.length > (before.get(row.id)?.blockchain_records.length ?? Infinity),
    ),
  ).toBe(true);
  await server.set({ arrivals: false });
  const still = JSON.stringify(await list());
  clock.advance(60 * minute);
  expect(JSON.stringify(await list())).toBe(still);
});

test('every integration fails and recovers, and the overall text follows', async () => {
  const { clock, ask, server } = await scene({ switches: { integrationScript: true } });
  const seen = new Set<string>();
  for (let step = 0; step < 240; step += 1) {
    clock.advance(15_000);
    const report = (await (await ask('/health')).json()) as Record<string, string | boolean>;
    for (const [field, value] of Object.entries(report)) seen.add(`${field}: ${value}`);
    const well =
      report['ai_analysis'] === true && report['ipfs_pinning'] === true && report['ledger'] === 'ok';
    expect(report['status']).toBe(well ? 'ok' : 'degraded');
  }
  expect([...seen].toSorted()).toEqual([
    'ai_analysis: false',
    'ai_analysis: true',
    'ipfs_pinning: false',
    'ipfs_pinning: true',
    'ledger: degraded',
    'ledger: down',
    'ledger: ok',
    'status: degraded',
    'status: ok',
  ]);
  await server.set({ integrationScript: false });
  server.setIntegration('ai_analysis', false);
  server.setIntegration('ledger', '<b>odd</b>');
  server.setIntegration('status', 'maintenance');
  clock.advance(60 * minute);
  expect(await (await ask('/health')).json()).toMatchObject({
    status: 'maintenance',
    ai_analysis: false,
    ledger: '<b>odd</b>',
  });
});

test('an incident added by hand is served as given, and does not change what the script tells', async () => {
  const { server, list, clock } = await scene({ switches: { arrivals: true } });
  const added = server.addIncident({ severity: 'unheard of', location: null });
  expect((await list('?limit=1'))[0]).toEqual(added);
  expect(server.changeIncident(added.id, { status: 'resolved' })).toBe(true);
  expect(server.changeIncident('nobody', { status: 'resolved' })).toBe(false);
  expect((await list('?limit=1'))[0]).toEqual({ ...added, status: 'resolved' });
  expect(() => server.addIncident({ id: added.id })).toThrow(RangeError);
  const untouched = await scene({ switches: { arrivals: true } });
  clock.advance(minute * 3);
  untouched.clock.advance(minute * 3);
  const places = async (rows: ReturnType<typeof list>): Promise<(string | undefined)[]> =>
    (await rows).filter((row) => row.id.startsWith('tr') && row.id !== added.id).map((row) => row.severity);
  expect(await places(list())).toEqual(await places(untouched.list()));
});

test('close leaves no timer behind', async () => {
  const clock = new StillClock();
  const server = await startTraining({ clock });
  // Arrivals, changes, three integrations, missions and news.
  expect(clock.waiting).toBe(7);
  await server.close();
  expect(clock.waiting).toBe(0);
});

test('a switch out of its range and a taken port are refused', async () => {
  const clock = new StillClock();
  await expect(startTraining({ clock, switches: { pageLimit: 0 } })).rejects.toThrow();
  const { server } = await scene();
  await expect(server.set({ tokenLifetimeSeconds: 0 })).rejects.toThrow();
  expect(server.switches().tokenLifetimeSeconds).toBe(3600);
  const infrastructurePort = Number(new URL(server.infrastructureUrl).port);
  await expect(startTraining({ clock, listen: { infrastructurePort } })).rejects.toThrow('EADDRINUSE');
  expect(clock.waiting).toBe(0);
});
