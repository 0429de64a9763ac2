import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NamedDeployment } from '../../../src-main/core/features/deployments/registry.ts';
import { defaultPreferences } from '../../../src-main/core/features/preferences/preferences.ts';
import type { TrainingServer, WireIncident } from '../../support/training/index.ts';
import { stateSchema, type VerbReply } from '../../../src-preload/contract/index.ts';
import { createTestPorts, type TestPorts } from '../../support/ports.ts';
import { deploymentFile } from '../features/deployments/deploymentFile.ts';
import { wireIncident } from '../state/wireIncident.ts';
import { openConsole, startService, type OpenConsole } from './appFixtures.ts';
import { saying } from '../../support/messages.ts';

let folder: string;
const closers: (() => Promise<void>)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'console-'));
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await rm(folder, { recursive: true });
});

async function open(change: Parameters<typeof openConsole>[0] = {}): Promise<OpenConsole> {
  const opened = await openConsole(change);
  closers.push(() => opened.close());
  return opened;
}

async function service(ports: TestPorts): Promise<TrainingServer> {
  const server = await startService(ports);
  closers.push(() => server.close());
  return server;
}

async function name(content: Record<string, unknown> | string): Promise<NamedDeployment[]> {
  const path = join(folder, 'deployment.json');
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return [{ source: 'command-line', path }];
}

const addresses = ({ infrastructureUrl, coordinationUrl }: TrainingServer) => ({
  infrastructureUrl,
  coordinationUrl,
});

describe('a console with nothing named and nothing known', () => {
  it('opens on training, signs in and shows its incidents and health', async () => {
    const console = await open();
    await console.shows(({ health }) => health?.overall !== null && health?.overall !== undefined, 'health');
    expect(console.mirror.slices).toMatchObject({
      app: { training: true, problem: null },
      deployments: { chosen: 'training', known: [{ id: 'training', source: 'training' }] },
      training: { credentials: console.training()?.credentials },
      session: { vault: 'closed' },
    });
    expect(await console.signIn()).toEqual({ ok: true, value: null });
    await console.shows(({ incidents }) => incidents?.count === 20, 'incidents');
    expect(console.mirror.rows.size).toBe(20);
    expect(console.mirror.slices).toMatchObject({
      session: { vault: 'open', session: { state: 'active' } },
      incidents: { completeness: 'complete', freshness: 'fresh' },
      connection: { infrastructure: { state: 'online' } },
      health: {
        overall: { level: 'ok' },
        integrations: ['AI analysis', 'IPFS pinning', 'Ledger'].map((label) => ({ label: saying(label) })),
      },
      time: { verified: true },
    });
    expect(stateSchema.safeParse(console.mirror.slices).error).toBeUndefined();
    const [key] = console.mirror.rows.keys();
    expect(await console.call('readIncident', { key: key ?? 0 })).toMatchObject({
      ok: true,
      value: { incidentType: 'fire' },
    });
    expect(await console.call('readIncident', { key: 999_999 })).toMatchObject({
      ok: false,
      failure: { code: 'not-found' },
    });
  });

  it('names the town nearest to incidents, in a language that has a name for it', async () => {
    const ports = createTestPorts();
    let training: TrainingServer | undefined;
    const console = await open({
      ports,
      startTraining: async () =>
        (training = await startService(ports, [
          { ...wireIncident('beside'), location: { latitude: 48.21, longitude: 16.37 } },
          { ...wireIncident('away'), location: { latitude: 48.208, longitude: 16.31 } },
          { ...wireIncident('nowhere'), location: null },
        ] as WireIncident[])),
    });
    await console.signIn(training);
    await console.shows(({ incidents }) => incidents?.count === 3, 'incidents');
    const keys = [...console.mirror.rows.keys(), 999_999];
    const read = async (language: 'en' | 'es' | 'ar') => {
      const result = await console.call('readNearby', { keys, language });
      if (!result.ok) return null;
      return (result.value as VerbReply<'readNearby'>).places.map(({ key: _, ...place }) => place);
    };
    expect(await read('en')).toEqual([
      { town: 'Vienna', country: 'AT', metres: expect.closeTo(268, -2), from: null },
      { town: 'Vienna', country: 'AT', metres: expect.closeTo(4_600, -3), from: 'w' },
    ]);
    expect(await read('es')).toMatchObject([{ town: 'Viena' }, { town: 'Viena' }]);
    expect(await read('ar')).toMatchObject([{ town: 'Vienna' }, { town: 'Vienna' }]);
    // Of all of them at once: the town by its number, and its name once.
    const all = await console.call('readTowns', { keys, language: 'es' });
    expect(all).toMatchObject({
      ok: true,
      value: { towns: [{ name: 'Viena', english: 'Vienna', country: 'AT' }] },
    });
    const { towns, of } = (all as { value: VerbReply<'readTowns'> }).value;
    expect(of.toSorted((a, b) => b - a)).toEqual([towns[0]?.id, towns[0]?.id, -1, -1]);
  });

  it('shows an incident that arrives, and an integration that fails', async () => {
    const console = await open();
    await console.signIn();
    await console.shows(({ incidents }) => incidents?.count === 20, 'incidents');
    const added = console.training()?.addIncident();
    console.training()?.setIntegration('ai_analysis', false);
    await console.call('refreshIncidents', {});
    await console.call('checkHealth', {});
    await console.shows(({ incidents }) => incidents?.count === 21, 'the arrival');
    expect([...console.mirror.rows.values()].map((row) => row.id)).toContain(added?.id);
    await console.shows(({ health }) => health?.integrations[0]?.level === 'down', 'the failed integration');
  });

  it('drops what was read at sign-out, in a new epoch', async () => {
    const console = await open();
    await console.signIn();
    await console.shows(({ incidents }) => incidents?.count === 20, 'incidents');
    const epoch = console.mirror.pushes.at(-1)?.epoch;
    await console.call('setIncidentQuery', {
      range: '7d',
      severities: ['high'],
      statuses: [],
      types: [],
      openOnly: false,
    });
    await console.call('signOut', {});
    await console.shows(({ session }) => session?.vault === 'closed', 'the end of the session');
    expect(console.mirror.rows.size).toBe(0);
    expect(console.mirror.pushes.at(-1)?.epoch).not.toBe(epoch);
    expect(console.mirror.slices).toMatchObject({
      incidents: { count: 0, query: { range: 'all', severities: [] } },
      session: { session: { state: 'none', ended: 'signed-out' }, username: null },
    });
    for (const verb of ['refreshIncidents', 'readIncident', 'setIncidentQuery'] as const) {
      const request = {
        refreshIncidents: {},
        readIncident: { key: 1 },
        setIncidentQuery: {
          range: 'all',
          severities: [],
          statuses: [],
          types: [],
          openOnly: false,
        },
      }[verb];
      expect(await console.console.call(verb, request)).toMatchObject({
        ok: false,
        failure: { code: 'signed-out' },
      });
    }
  });

  it('answers nothing but unlock, sign-out and the theme while locked', async () => {
    const console = await open();
    await console.signIn();
    await console.shows(({ incidents }) => incidents?.count === 20, 'incidents');
    const before = console.mirror.pushes.length;
    expect((await console.call('lock', {})).ok).toBe(true);
    await console.shows(({ lock }) => lock?.locked === true, 'the lock');
    console.training()?.addIncident();
    await console.ports.clock.advance(60_000);
    for (const push of console.mirror.pushes.slice(before)) {
      expect(push.incidents).toBeNull();
      expect(['app', 'lock', 'time', 'preferences', 'siren']).toEqual(
        expect.arrayContaining(Object.keys(push.slices)),
      );
    }
    expect(await console.call('refreshIncidents', {})).toMatchObject({
      ok: false,
      failure: { code: 'locked' },
    });
    expect(await console.call('checkHealth', {})).toMatchObject({ ok: false, failure: { code: 'locked' } });
    expect(await console.call('setPreferences', { zone: 'local' })).toMatchObject({
      ok: false,
      failure: { code: 'locked' },
    });
    expect(await console.call('setPreferences', { theme: 'night' })).toMatchObject({ ok: true });
    expect(await console.console.openFile('/x.json')).toMatchObject({
      ok: false,
      failure: { code: 'locked' },
    });
    expect(await console.call('unlock', { password: 'wrong' })).toMatchObject({
      ok: false,
      failure: { code: 'wrong-password' },
    });
    await console.ports.clock.advance(60_000);
    const password = console.training()?.credentials.password ?? '';
    expect(await console.call('unlock', { password })).toEqual({ ok: true, value: null });
    await console.shows(({ incidents }) => incidents?.count === 21, 'what came while it was locked');
    expect(console.mirror.rows.size).toBe(21);
  });

  it('keeps what is shown when the service is gone, and takes up reading when it is back', async () => {
    const console = await open();
    await console.signIn();
    await console.shows(({ incidents }) => incidents?.count === 20, 'incidents');
    await console.call('setTraining', { fault: 'refuse' });
    void console.call('refreshIncidents', {});
    await console.shows(({ connection }) => connection?.infrastructure.state === 'offline', 'offline');
    expect(console.mirror.rows.size).toBe(20);
    expect(console.mirror.slices.health?.overall?.level).toBe('ok');
    await console.call('setTraining', { fault: 'none' });
    // The next reading is a quarter of a minute away.
    await console.ports.clock.advance(13_000);
    await console.shows(
      ({ connection, incidents }) =>
        connection?.infrastructure.state === 'online' && incidents?.failure === null,
      'online again',
    );
  });

  it.each(['garbage', 'wrong-types', 'truncated', 'captive-portal', 'error-500'] as const)(
    'says what is wrong with %s answers and keeps the good data',
    async (fault) => {
      const console = await open();
      await console.signIn();
      await console.shows(({ incidents }) => incidents?.count === 20, 'incidents');
      await console.call('setTraining', { fault });
      void console.call('refreshIncidents', {});
      await console.shows(
        ({ incidents }) => incidents?.failure !== null || incidents.unreadable.count > 0,
        'a failure or unreadable records',
      );
      expect(console.mirror.rows.size).toBe(20);
      expect(console.mirror.slices.incidents?.failure?.sentence ?? 'records').not.toBe('');
    },
  );
});

describe('a named deployment', () => {
  it('is the chosen one, and no training is started beside it', async () => {
    const ports = createTestPorts();
    const server = await service(ports);
    const console = await open({ ports, named: await name(deploymentFile(addresses(server))) });
    expect(console.training()).toBeNull();
    expect(console.mirror.slices).toMatchObject({
      app: { training: false, problem: null },
      deployments: { chosen: 'field-north', known: [{ source: 'command-line' }] },
      training: null,
    });
    expect((await console.signIn(server)).ok).toBe(true);
    await console.shows(({ incidents }) => incidents?.count === 20, 'incidents');
    expect(await console.call('setTraining', {})).toMatchObject({
      ok: false,
      failure: { code: 'not-in-training' },
    });
  });

  it.each([
    ['missing', null, 'deployment-unreadable'],
    ['malformed', '{ "version": 1', 'deployment-invalid'],
    ['invalid', JSON.stringify(deploymentFile({ id: 'NO' })), 'deployment-invalid'],
    ['without its CA file', JSON.stringify(deploymentFile({ caFile: 'none.pem' })), 'deployment-unreadable'],
    [
      'with a CA that is none',
      JSON.stringify(deploymentFile({ caFile: 'deployment.json' })),
      'deployment-invalid',
    ],
  ])('that is %s is said and never falls back to training', async (_, content, code) => {
    const named =
      content === null
        ? [{ source: 'environment' as const, path: join(folder, 'none.json') }]
        : await name(content);
    const console = await open({ named });
    expect(console.training()).toBeNull();
    expect(console.mirror.slices.app).toMatchObject({ training: false, problem: { code } });
    expect(await console.call('signIn', { username: 'a', password: 'b' })).toMatchObject({ ok: false });
  });

  it('that conflicts with a known one is refused until that one is removed, then taken up', async () => {
    const ports = createTestPorts();
    const server = await service(ports);
    const first = await openConsole({ ports, named: await name(deploymentFile()) });
    await first.close();
    const console = await open({ ports, named: await name(deploymentFile(addresses(server))) });
    expect(console.training()).toBeNull();
    expect(console.mirror.slices).toMatchObject({
      app: { problem: { code: 'deployment-conflict' } },
      deployments: { chosen: null, known: [{ infrastructureHost: 'infra.example' }] },
    });
    expect(await console.call('removeDeployment', { id: 'field-north' })).toEqual({ ok: true, value: null });
    await console.shows(({ deployments }) => deployments?.chosen === 'field-north', 'the named one');
    expect(console.mirror.slices.app?.problem).toBeNull();
    expect((await console.signIn(server)).ok).toBe(true);
  });
});

it('known deployments that cannot be read are said, and training does not take their place', async () => {
  const ports = createTestPorts();
  ports.documents.texts.set('deployments.json', '{ cut');
  const console = await open({ ports });
  expect(console.training()).toBeNull();
  expect(console.mirror.slices.app?.problem?.code).toBe('storage-failed');
});

describe('deployments added by hand', () => {
  it('wait for confirmation, and changing to one signs out', async () => {
    const ports = createTestPorts();
    const server = await service(ports);
    const console = await open({ ports });
    await console.signIn();
    await console.shows(({ incidents }) => incidents?.count === 20, 'incidents');
    const proposed = await console.call('proposeDeployment', {
      text: JSON.stringify(deploymentFile(addresses(server))),
    });
    expect(proposed).toMatchObject({ ok: true, value: { infrastructureUrl: server.infrastructureUrl } });
    expect(await console.call('chooseDeployment', { id: 'field-north' })).toMatchObject({
      failure: { code: 'deployment-unknown' },
    });
    const { proposalId } = (proposed as { value: { proposalId: string } }).value;
    expect((await console.call('confirmDeployment', { proposalId })).ok).toBe(true);
    await console.shows(({ deployments }) => deployments?.known.length === 2, 'the new deployment');
    expect(console.mirror.slices).toMatchObject({
      deployments: { chosen: 'training', proposal: null },
      app: { training: true },
    });

    expect((await console.call('chooseDeployment', { id: 'field-north' })).ok).toBe(true);
    await console.shows(({ deployments }) => deployments?.chosen === 'field-north', 'the choice');
    expect(console.mirror.rows.size).toBe(0);
    expect(console.mirror.slices).toMatchObject({
      app: { training: false },
      training: null,
      session: { vault: 'closed', session: { state: 'none', ended: 'deployment-changed' } },
    });
    console.training()?.resetCounts();
    await console.ports.clock.advance(300_000);
    expect(console.training()?.counts.total).toBe(0);
    expect((await console.signIn(server)).ok).toBe(true);
    await console.console.close();
    const again = await open({ ports });
    expect(again.training()).toBeNull();
    expect(again.mirror.slices.deployments?.chosen).toBe('field-north');
  });

  it('are proposed from a file that the system opened, whose faults are shown', async () => {
    const console = await open();
    const [file] = await name(deploymentFile());
    expect(await console.console.openFile(file?.path ?? '')).toEqual({ ok: true, value: null });
    await console.shows(({ deployments }) => deployments?.proposal !== null, 'the proposal');
    expect(await console.console.openFile(join(folder, 'none.json'))).toMatchObject({
      failure: { code: 'deployment-unreadable' },
    });
    await console.shows(({ app }) => app?.problem?.code === 'deployment-unreadable', 'the fault');
  });
});

describe('preferences', () => {
  it('are on the page at once, though the first read of everything gathers its changes', async () => {
    const console = await open({ ports: createTestPorts() });
    const clock = console.ports.clock;
    await clock.advance(1_000);
    const before = clock.elapsed();
    expect(console.mirror.slices.preferences?.theme).toBe('system');
    await console.call('setPreferences', { theme: 'night' });
    await clock.advance(0);
    expect(console.mirror.slices.preferences?.theme).toBe('night');
    expect(clock.elapsed()).toBe(before);
  });

  it('last, one by one, and a bad document costs only what is bad', async () => {
    const ports = createTestPorts();
    const first = await openConsole({ ports });
    await first.call('setPreferences', { theme: 'night' });
    await first.call('setPreferences', { listWidth: 500 });
    await first.close();
    const second = await open({ ports });
    expect(second.mirror.slices.preferences).toEqual({
      ...defaultPreferences,
      theme: 'night',
      listWidth: 500,
    });
    ports.documents.texts.set(
      'preferences.json',
      '{"theme":"night","zone":7,"listWidth":1e9,"__proto__":{}}',
    );
    const third = await open({ ports });
    expect(third.mirror.slices.preferences).toEqual({ ...defaultPreferences, theme: 'night' });
  });
});

it('closes with no timer left, and answers nothing afterwards', async () => {
  const console = await openConsole();
  await console.signIn();
  await console.shows(({ incidents }) => incidents?.count === 20, 'incidents');
  await console.close();
  expect(console.ports.clock.pending()).toBe(0);
  expect(await console.call('checkHealth', {})).toMatchObject({ ok: false, failure: { code: 'cancelled' } });
  await console.console.close();
});
