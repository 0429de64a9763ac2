import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { askForBasic, openConnectProxy } from '../../support/connectProxy.ts';
import { said } from '../../support/messages.ts';
import { createTestPorts } from '../../support/ports.ts';
import { deploymentFile } from '../features/deployments/deploymentFile.ts';
import { askDriven, openConsole, startService } from './appFixtures.ts';

const given = { username: 'ann', password: 'word for the proxy' };
const header = `Basic ${Buffer.from(`${given.username}:${given.password}`).toString('base64')}`;

/** A console with two deployments: `through` reaches its service by a proxy, `direct` does not. */
async function setUp() {
  const ports = createTestPorts();
  const [service, proxy] = [await startService(ports), await openConnectProxy()];
  const folder = await mkdtemp(join(tmpdir(), 'console-'));
  const { infrastructureUrl, coordinationUrl } = service;
  const named = await Promise.all(
    (['through', 'direct'] as const).map(async (id) => {
      const path = join(folder, `${id}.json`);
      const way = id === 'through' ? { proxy: proxy.origin } : {};
      await writeFile(
        path,
        JSON.stringify(deploymentFile({ id, infrastructureUrl, coordinationUrl, ...way })),
      );
      return { source: 'command-line' as const, path };
    }),
  );
  const open = await openConsole({ ports, named });
  onTestFinished(async () => {
    await open.close();
    await proxy.close();
    await service.close();
    await rm(folder, { recursive: true });
  });
  await askDriven(open, 'chooseDeployment', { id: 'through' });
  return { open, proxy, service };
}

it('a proxy that begins to ask in the middle of a shift is answered, and the readings go on', async () => {
  const { open, proxy, service } = await setUp();
  expect((await open.signIn(service)).ok).toBe(true);
  await open.shows(({ incidents }) => incidents?.count === 20, 'the incidents');
  proxy.refuse = ({ headers }) => (headers['proxy-authorization'] === header ? null : askForBasic);
  open.console.wake();
  await open.shows(
    ({ connection, proxy: asks }) => connection?.infrastructure.state === 'offline' && asks?.basic === true,
    'the question of the proxy',
  );
  const { infrastructure } = open.mirror.slices.connection ?? {};
  expect(said(infrastructure?.failure?.sentence)).toContain(`${proxy.origin} asks for a name`);
  await askDriven(open, 'signInToProxy', { proxy: proxy.origin, ...given });
  await open.shows(({ connection }) => connection?.infrastructure.state === 'online', 'the service');
  expect(open.mirror.slices.proxy).toBeNull();
});

it('what was given for a proxy, and its question, end with the deployment', async () => {
  const { open, proxy } = await setUp();
  proxy.refuse = ({ headers }) => (headers['proxy-authorization'] === header ? null : askForBasic);
  open.console.wake();
  await open.shows(({ proxy: asks }) => asks?.basic === true, 'the question of the proxy');
  await askDriven(open, 'chooseDeployment', { id: 'direct' });
  await open.shows(({ proxy: asks }) => asks === null, 'no question');
  await askDriven(open, 'chooseDeployment', { id: 'through' });
  await open.shows(({ proxy: asks }) => asks?.basic === true, 'the question again');
  await askDriven(open, 'signInToProxy', { proxy: proxy.origin, ...given });
  await askDriven(open, 'chooseDeployment', { id: 'direct' });
  await askDriven(open, 'chooseDeployment', { id: 'through' });
  await open.shows(({ proxy: asks }) => asks?.basic === true, 'the question after another deployment');
});
