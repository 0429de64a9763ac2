import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { TrainingServer } from '../../../support/training/index.ts';
import { createTestPorts, type TestPorts } from '../../../support/ports.ts';
import { openConsole, startService, type OpenConsole } from '../../scopes/appFixtures.ts';

const camera = { longitude: 12.5, latitude: -33.25, zoom: 6 };
const query = {
  range: '7d',
  severities: ['high'],
  statuses: ['open'],
  types: ['flood'],
  openOnly: true,
} as const;
const asked = {
  ...query,
  severities: [...query.severities],
  statuses: [...query.statuses],
  types: [...query.types],
};

let folder: string;
let ports: TestPorts;
let service: TrainingServer;
let open: OpenConsole | null = null;

async function setUp(): Promise<void> {
  ports = createTestPorts();
  folder = await mkdtemp(join(tmpdir(), 'field-console-workspace-'));
  service = await startService(ports);
  const { infrastructureUrl, coordinationUrl } = service;
  const deployment = { version: 1, id: 'field', name: 'Field', infrastructureUrl, coordinationUrl };
  await writeFile(join(folder, 'field.json'), JSON.stringify({ ...deployment, timestampUnit: 'seconds' }));
}

/** The same computer, another process where there was one before. */
async function start(): Promise<OpenConsole> {
  await open?.console.close();
  open = await openConsole({ ports, named: [{ source: 'command-line', path: join(folder, 'field.json') }] });
  return open;
}

/** Signs in and arranges everything; what is kept is in the vault then. */
async function arrange(): Promise<OpenConsole> {
  const first = await start();
  expect((await first.signIn(service)).ok).toBe(true);
  await first.shows(({ workspace }) => workspace?.restored === 1, 'the workspace to be there');
  expect((await first.call('setIncidentQuery', asked)).ok).toBe(true);
  expect((await first.call('saveView', { name: 'Harbour', camera, search: '' })).ok).toBe(true);
  expect((await first.call('keepLayout', { panel: 'evidence', camera })).ok).toBe(true);
  return first;
}

afterEach(async () => {
  await open?.close();
  open = null;
  await service.close();
  await ports.vaults.close();
  await rm(folder, { recursive: true, force: true });
});

describe('one sign-in after a restart', () => {
  it('brings back layout, views and filters before anything is read', async () => {
    await setUp();
    await arrange();
    const again = await start();
    // Slice by slice as it happens: a page would be told of several changes in one push.
    let query: unknown = null;
    const whileReading: unknown[] = [];
    again.console.watch('incidents', (incidents) => (query = incidents.query));
    again.console.watch('sync', ({ phase }) => {
      if (phase !== 'idle') whileReading.push(query);
    });
    expect((await again.signIn(service)).ok).toBe(true);
    await again.shows(({ workspace }) => workspace?.restored === 1, 'the workspace to be there');
    expect(again.mirror.slices.workspace).toMatchObject({
      layout: { panel: 'evidence', camera },
      views: [{ name: 'Harbour', range: '7d', severities: ['high'], statuses: ['open'] }],
    });
    await again.shows(({ incidents }) => (incidents?.lastReadAt ?? null) !== null, 'a first read');
    expect(again.mirror.slices.incidents?.query).toEqual(asked);
    expect(whileReading.length).toBeGreaterThan(0);
    for (const one of whileReading) expect(one).toEqual(asked);
  });

  it('refuses how a page stands before the layout that is stored is there, and does not put it in its place', async () => {
    await setUp();
    await arrange();
    const again = await start();
    let restored = 0;
    const early: ReturnType<typeof again.call>[] = [];
    again.console.watch('workspace', (workspace) => ({ restored } = workspace));
    again.console.watch('session', ({ vault }) => {
      if (vault !== 'open') return;
      // In the next turn the account is there, and what it stored is not.
      queueMicrotask(() => {
        if (restored === 0) early.push(again.call('keepLayout', { panel: 'maps' }));
      });
    });
    expect((await again.signIn(service)).ok).toBe(true);
    const answers = await Promise.all(early);
    expect(answers.length).toBeGreaterThan(0);
    for (const answer of answers) expect(answer).toMatchObject({ ok: false, failure: { code: 'conflict' } });
    await again.shows(({ workspace }) => workspace?.restored === 1, 'the workspace to be there');
    expect(again.mirror.slices.workspace?.layout).toMatchObject({ panel: 'evidence', camera });
  });

  it('does so without the service too', async () => {
    await setUp();
    await arrange();
    await service.goDown();
    const again = await start();
    expect((await again.signIn(service)).ok).toBe(true);
    await again.shows(({ workspace }) => workspace?.restored === 1, 'the workspace to be there');
    expect(again.mirror.slices.session?.session.state).toBe('waiting');
    expect(again.mirror.slices.workspace?.layout).toMatchObject({ panel: 'evidence', camera });
    expect(again.mirror.slices.incidents?.query).toEqual(asked);
  });

  it('after a sign-out in the same process begins with what was left, and shows nothing of it meanwhile', async () => {
    await setUp();
    const first = await arrange();
    expect((await first.call('signOut', {})).ok).toBe(true);
    await first.shows(({ session }) => session?.vault === 'closed', 'the sign-in page');
    expect(first.mirror.slices.workspace).toMatchObject({
      layout: { panel: 'incidents', camera: null },
      views: [],
    });
    expect(first.mirror.slices.incidents?.query.range).toBe('all');
    expect((await first.signIn(service)).ok).toBe(true);
    await first.shows(({ workspace }) => workspace?.restored === 2, 'the workspace to be there');
    expect(first.mirror.slices.workspace?.layout).toMatchObject({ panel: 'evidence', camera });
    expect(first.mirror.slices.incidents?.query).toEqual(asked);
  });
});
