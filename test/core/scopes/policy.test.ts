import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { kioskWithoutPolicy, type Policy } from '../../../src-main/core/features/policy/policy.ts';
import { noControl } from '../../../src-main/core/features/ports.ts';
import { verbNames, verbs, type VerbName } from '../../../src-preload/contract/index.ts';
import { createTestNetwork, createTestPorts, type TestPorts } from '../../support/ports.ts';
import { certificate, privateKey } from '../service/transport/certificate.ts';
import { deploymentFile } from '../features/deployments/deploymentFile.ts';
import {
  administratorsCode,
  createLeaving,
  machinePolicy,
  verifierLine,
} from '../features/policy/policyRig.ts';
import { openConsole, startService, type OpenConsole } from './appFixtures.ts';
import { said } from '../../support/messages.ts';

const minute = 60_000;
const done = { ok: true, value: null };
const refusedWith = (code: string) => ({ ok: false, failure: { code } });
const facts = { page: { userAgent: 'x', webgl: null, language: 'en', pixelRatio: 1, size: '1x1' } };

let folder: string;
const closers: (() => Promise<void>)[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'console-'));
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await rm(folder, { recursive: true });
});

/** A console as `openStation` makes it: what is wrong with a policy is a problem of the start. */
async function open(policy: Policy, change: Parameters<typeof openConsole>[0] = {}): Promise<OpenConsole> {
  const opened = await openConsole({ policy, problem: policy.problem, ...change });
  closers.push(() => opened.close());
  return opened;
}

async function writeDeployment(name: string, change: Readonly<Record<string, unknown>>): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify(deploymentFile(change)));
  return path;
}

describe('a kiosk', () => {
  const kiosk = async (): Promise<Policy> =>
    machinePolicy({ kiosk: { mode: 'operator', leave: await verifierLine() } });

  async function openKiosk(): Promise<
    OpenConsole & { readonly left: () => number; readonly ports: TestPorts }
  > {
    const { control, left } = createLeaving();
    const console = await open(await kiosk(), { ports: { ...createTestPorts(), control } });
    return { ...console, left };
  }

  it('locks when nobody was there for ten minutes, and not while somebody is', async () => {
    const console = await openKiosk();
    await console.signIn();
    for (let time = 0; time < 2; time += 1) {
      await console.ports.clock.advance(9 * minute);
      expect(await console.call('noteActivity', {})).toEqual(done);
    }
    await console.shows(({ session }) => session?.vault === 'open', 'the session');
    expect(console.mirror.slices.lock?.locked).toBe(false);
    await console.ports.clock.advance(10 * minute);
    await console.shows(({ lock }) => lock?.locked === true, 'the lock');
    const { password } = console.training()?.credentials ?? { password: '' };
    expect(await console.call('unlock', { password })).toEqual(done);
  });

  it('is left by its administrator while it is locked', async () => {
    const console = await openKiosk();
    await console.signIn();
    await console.call('lock', {});
    expect(await console.call('leaveKiosk', { code: 'wrong' })).toMatchObject(refusedWith('wrong-password'));
    expect(await console.call('leaveKiosk', { code: administratorsCode })).toEqual(done);
    await console.ports.clock.advance(100);
    expect(console.left()).toBe(1);
  });

  it('is left by its administrator while nobody is signed in and the service is gone', async () => {
    const console = await openKiosk();
    await console.training()?.close();
    for (let wrong = 0; wrong < 12; wrong += 1) {
      await console.call('leaveKiosk', { code: `wrong ${String(wrong)}` });
    }
    await console.shows(({ policy }) => policy?.leave.throttledUntil !== null, 'the throttle');
    expect(await console.call('leaveKiosk', { code: administratorsCode })).toMatchObject(
      refusedWith('throttled'),
    );
    await console.ports.clock.advance(minute);
    expect(await console.call('leaveKiosk', { code: administratorsCode })).toEqual(done);
    await console.ports.clock.advance(100);
    expect(console.left()).toBe(1);
  });

  it('that was started without a policy is left by anybody, and the page is told so', async () => {
    const { control, left } = createLeaving();
    const console = await open(kioskWithoutPolicy('wallboard'), { ports: { ...createTestPorts(), control } });
    expect(console.mirror.slices.policy).toMatchObject({
      source: 'command-line',
      kiosk: 'wallboard',
      leave: { code: false },
    });
    expect(await console.call('leaveKiosk', { code: '' })).toEqual(done);
    await console.ports.clock.advance(100);
    expect(left()).toBe(1);
  });
});

describe('a second window', () => {
  const opening = (console: Awaited<ReturnType<typeof open>>) => console.call('openWindow', { show: 'map' });

  it('is the host’s to open, where it can', async () => {
    const asked: string[] = [];
    const openWindow = (show: string): string => {
      asked.push(show);
      return `http://127.0.0.1:1/?pane=${show}#launch=code`;
    };
    const control = { ...noControl, openWindow };
    const console = await open(machinePolicy({}), { ports: { ...createTestPorts(), control } });
    expect(await opening(console)).toMatchObject(refusedWith('signed-out'));
    await console.signIn();
    expect(await opening(console)).toEqual({
      ok: true,
      value: { url: 'http://127.0.0.1:1/?pane=map#launch=code' },
    });
    await console.call('lock', {});
    expect(await opening(console)).toMatchObject(refusedWith('locked'));
    expect(asked).toEqual(['map']);
  });

  it('is refused where the host has one window, and in a kiosk of either kind', async () => {
    const console = await open(machinePolicy({}));
    await console.signIn();
    expect(await opening(console)).toMatchObject(refusedWith('not-found'));
    for (const mode of ['operator', 'wallboard']) {
      const openWindow = (): never => {
        throw new Error('A kiosk’s host was asked');
      };
      const control = { ...noControl, openWindow };
      const kiosk = await open(machinePolicy({ kiosk: { mode } }), {
        ports: { ...createTestPorts(), control },
      });
      await kiosk.signIn();
      expect(await opening(kiosk), mode).toMatchObject(refusedWith('policy-forbids'));
    }
  });
});

describe('what a policy fixes', () => {
  it('cannot be set as a preference, and the others can', async () => {
    const console = await open(machinePolicy({ kiosk: { idleLockMinutes: 3 } }));
    const change = { theme: 'night', idleLockMinutes: null } as const;
    expect(await console.call('setPreferences', change)).toMatchObject(refusedWith('policy-forbids'));
    expect(await console.call('setPreferences', { theme: 'night' })).toEqual(done);
    await console.shows(({ preferences }) => preferences?.theme === 'night', 'the theme');
  });

  it('keeps everything from being saved to a file', async () => {
    const console = await open(machinePolicy({ exports: false }));
    await console.signIn();
    const needing = verbNames.filter((verb) => verbs[verb].access.needs === 'exports');
    expect(needing).toEqual([
      'prepareDeploymentCheck',
      'saveContent',
      'exportAudit',
      'exportViews',
      'beginExport',
      'prepareBundle',
    ] satisfies VerbName[]);
    expect(await console.call('exportAudit', {})).toMatchObject(refusedWith('policy-forbids'));
    expect(await console.call('prepareBundle', facts)).toMatchObject(refusedWith('policy-forbids'));
    const free = await open(machinePolicy({}));
    await free.signIn();
    const prepared = await free.call('exportAudit', {});
    const { exportId } = (prepared.ok ? prepared.value : {}) as { exportId: string };
    expect(free.console.bytes.exported(exportId)).not.toBeNull();
  });
});

describe('the authorities of the computer', () => {
  it.each([true, false])(
    'count as the policy says, and not as the deployment: %s',
    async (systemAuthorities) => {
      const network = createTestNetwork({ authorities: () => [certificate] });
      const ports = { ...createTestPorts(), network };
      const service = await startService(ports);
      closers.push(() => service.close());
      const front = createTlsServer({ cert: certificate, key: privateKey }, (socket) => {
        const onward = connect(Number(new URL(service.infrastructureUrl).port), '127.0.0.1');
        onward.on('error', () => socket.destroy());
        socket.on('error', () => onward.destroy());
        socket.pipe(onward).pipe(socket);
      });
      await new Promise<void>((up) => front.listen(0, '127.0.0.1', up));
      closers.push(() => new Promise((down) => front.close(() => down())));
      const infrastructureUrl = `https://127.0.0.1:${String((front.address() as AddressInfo).port)}`;
      const change = { infrastructureUrl, coordinationUrl: infrastructureUrl };
      const path = await writeDeployment('north.json', { ...change, systemAuthorities: !systemAuthorities });
      const console = await open(machinePolicy({ systemAuthorities, deployments: [path] }), { ports });
      const done = systemAuthorities ? { ok: true } : refusedWith('tls-refused');
      expect(await console.signIn(service)).toMatchObject(done);
    },
  );
});

describe('deployments of a policy', () => {
  it('are the only ones: nothing is added, chosen or removed beside them, and nobody trains', async () => {
    const ports = createTestPorts();
    const server = await startService(ports);
    closers.push(() => server.close());
    const { infrastructureUrl, coordinationUrl } = server;
    const path = await writeDeployment('north.json', { infrastructureUrl, coordinationUrl });
    const console = await open(machinePolicy({ deployments: [path] }), { ports });
    expect(console.training()).toBeNull();
    expect(console.mirror.slices.deployments).toMatchObject({
      chosen: 'field-north',
      known: [{ id: 'field-north', source: 'policy' }],
    });
    expect(console.mirror.slices.policy?.fixed).toContain('deployments');
    for (const [verb, request] of [
      ['proposeDeployment', { text: JSON.stringify(deploymentFile({ id: 'new' })) }],
      ['confirmDeployment', { proposalId: 'x' }],
      ['removeDeployment', { id: 'field-north' }],
    ] as const) {
      expect(await console.console.call(verb, request), verb).toMatchObject(refusedWith('policy-forbids'));
    }
    expect(await console.call('chooseDeployment', { id: 'training' })).toMatchObject(
      refusedWith('deployment-unknown'),
    );
    expect((await console.signIn(server)).ok).toBe(true);
    expect(console.mirror.slices.deployments?.chosen).toBe('field-north');
  });

  it('say which of them cannot be read, and practice data do not take its place', async () => {
    const missing = join(folder, 'none.json');
    const console = await open(machinePolicy({ deployments: [missing, 'training'] }));
    expect(console.mirror.slices).toMatchObject({
      app: { training: false, problem: { code: 'deployment-unreadable' } },
      deployments: { chosen: null, known: [{ id: 'training' }] },
    });
    expect(await console.call('chooseDeployment', { id: 'training' })).toEqual(done);
    expect((await console.signIn()).ok).toBe(true);
  });

  it('are training alone when only that is listed', async () => {
    const console = await open(machinePolicy({ deployments: ['training'] }));
    expect(console.mirror.slices.deployments).toMatchObject({
      chosen: 'training',
      known: [{ id: 'training' }],
    });
  });

  it('do not include training because a start asks for it', async () => {
    const path = await writeDeployment('north.json', {});
    const console = await open(machinePolicy({ deployments: [path] }), { forceTraining: true });
    expect(console.training()).toBeNull();
    expect(console.mirror.slices).toMatchObject({
      app: { problem: { code: 'policy-forbids' } },
      deployments: { chosen: 'field-north' },
    });
  });
});

describe('a policy that cannot be used', () => {
  it('leaves the console to work with what it knows, in its safest form, and says why', async () => {
    const ports = createTestPorts();
    const named = [{ source: 'command-line' as const, path: await writeDeployment('north.json', {}) }];
    await (await openConsole({ ports, named })).close();
    const policy = machinePolicy('{"version":1,"exports":"canary7f3a"}');
    const console = await open(policy, {
      ports,
      named: [{ source: 'command-line', path: await writeDeployment('new.json', { id: 'new' }) }],
    });
    expect(console.mirror.slices).toMatchObject({
      app: { training: false, problem: { code: 'policy-invalid' } },
      deployments: { chosen: 'field-north', known: [{ id: 'field-north' }] },
      policy: { source: 'invalid', exports: false, drop: false, updates: false, idleLockMs: 5 * minute },
    });
    expect(said(console.mirror.slices.app?.problem?.sentence)).toContain('exports:');
    expect(JSON.stringify(console.mirror.slices)).not.toContain('canary7f3a');
    const text = JSON.stringify(deploymentFile({ id: 'newer' }));
    expect(await console.call('proposeDeployment', { text })).toMatchObject(refusedWith('policy-forbids'));
    expect(await console.call('removeDeployment', { id: 'field-north' })).toMatchObject(
      refusedWith('policy-forbids'),
    );
    expect(await console.call('prepareBundle', facts)).toMatchObject(refusedWith('policy-forbids'));
  });

  it('does not start training, asked for or not', async () => {
    for (const forceTraining of [false, true]) {
      const console = await open(machinePolicy('{'), { forceTraining });
      expect(console.training()).toBeNull();
      expect(console.mirror.slices.app).toMatchObject({
        training: false,
        problem: { code: 'policy-invalid' },
      });
    }
  });
});
