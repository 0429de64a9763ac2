import { expect, it, onTestFinished } from 'vitest';
import { createTestPorts } from '../../support/ports.ts';
import { deploymentFile } from '../features/deployments/deploymentFile.ts';
import { machinePolicy } from '../features/policy/policyRig.ts';
import { openConsole, startService, type OpenConsole } from './appFixtures.ts';

async function open(change: Parameters<typeof openConsole>[0] = {}): Promise<OpenConsole> {
  const opened = await openConsole(change);
  onTestFinished(() => opened.close());
  await opened.call('chooseDeployment', { id: 'training' });
  return opened;
}

type Server = NonNullable<ReturnType<OpenConsole['training']>>;

/** How often each path is asked for in ten minutes. */
async function inTenMinutes(
  opened: OpenConsole,
  server: Server | null = null,
): Promise<Record<string, number>> {
  const countsOf = ({ training }: OpenConsole): Readonly<Record<string, number>> =>
    (server ?? training())?.counts.requests ?? {};
  const before = countsOf(opened);
  for (let steps = 0; steps < 60; steps += 1) await opened.ports.clock.advance(10_000);
  return Object.fromEntries(
    Object.entries(countsOf(opened)).map(([path, count]) => [path, count - (before[path] ?? 0)]),
  );
}

it('where data is saved, polls come a quarter as often', async () => {
  const opened = await open();
  await opened.signIn();
  await inTenMinutes(opened);
  const usual = await inTenMinutes(opened);
  expect(await opened.call('setPreferences', { saveData: true })).toMatchObject({ ok: true });
  await opened.shows(({ line }) => line?.saving === true, 'that data is saved');
  await inTenMinutes(opened);
  const saved = await inTenMinutes(opened);
  for (const path of ['GET /health', 'GET /incidents', 'GET /evidence'])
    expect(saved[path], path).toBeLessThan(0.4 * (usual[path] ?? 0));
  await opened.shows(({ incidents }) => incidents?.freshness === 'fresh', 'fresh incidents');
});

it.each([true, false])('a policy decides whether data is saved, and no operator: %s', async (saveData) => {
  const opened = await open({ policy: machinePolicy({ saveData }) });
  await opened.shows(({ line }) => line?.saving === saveData, 'what the policy says');
  const refused = { ok: false, failure: { code: 'policy-forbids' } };
  expect(await opened.call('setPreferences', { saveData: !saveData })).toMatchObject(refused);
  expect(opened.mirror.slices.line?.saving).toBe(saveData);
});

it('when the hour is used up only what must pass does, until the operator or the next hour', async () => {
  const ports = createTestPorts();
  const server = await startService(ports);
  onTestFinished(() => server.close());
  const { infrastructureUrl, coordinationUrl } = server;
  const text = JSON.stringify(
    deploymentFile({ infrastructureUrl, coordinationUrl, sync: { bytesPerHour: 100_000 } }),
  );
  const opened = await openConsole({ ports });
  onTestFinished(() => opened.close());
  const proposed = await opened.call('proposeDeployment', { text });
  const { proposalId } = (proposed.ok ? proposed.value : {}) as { proposalId: string };
  await opened.call('confirmDeployment', { proposalId });
  await opened.call('chooseDeployment', { id: 'field-north' });
  await opened.signIn(server);
  const limit = () => opened.mirror.slices.line?.limit;
  for (let tries = 0; limit()?.state !== 'used-up' && tries < 5; tries += 1)
    await inTenMinutes(opened, server);
  expect(limit()?.state).toBe('used-up');
  const until = limit()?.until ?? 0;
  expect(until - ports.clock.wallNow()).toBeGreaterThan(600_000);
  const usedUp = await inTenMinutes(opened, server);
  expect(usedUp['GET /evidence']).toBe(0);
  expect(usedUp['GET /health']).toBeGreaterThan(0);
  expect(usedUp['GET /incidents']).toBeGreaterThan(0);
  expect(opened.mirror.slices.evidence?.freshness).not.toBe('fresh');
  expect(await opened.call('exceedDataLimit', {})).toMatchObject({ ok: true });
  await opened.shows(({ line }) => line?.limit?.state === 'exceeded', 'that the limit is exceeded');
  expect((await inTenMinutes(opened, server))['GET /evidence']).toBeGreaterThan(0);
  for (let tries = 0; limit()?.until === until && tries < 7; tries += 1) await inTenMinutes(opened, server);
  expect(limit()).toMatchObject({ until: until + 3_600_000 });
  expect(limit()?.state).not.toBe('exceeded');
});
