import { expect, it, onTestFinished } from 'vitest';
import { machinePolicy } from '../features/policy/policyRig.ts';
import { openConsole, type OpenConsole } from './appFixtures.ts';

async function open(change: Parameters<typeof openConsole>[0] = {}): Promise<OpenConsole> {
  const opened = await openConsole(change);
  onTestFinished(() => opened.close());
  await opened.call('chooseDeployment', { id: 'training' });
  return opened;
}

const countsOf = ({ training }: OpenConsole): Readonly<Record<string, number>> =>
  training()?.counts.requests ?? {};

/** How often each path is asked for in ten minutes. */
async function inTenMinutes(opened: OpenConsole): Promise<Record<string, number>> {
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
