import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RecordFolders } from '../../src-main/core/vault/records.ts';
import type { TrainingServer } from '../support/training/index.ts';
import type { Seeded } from '../../src-main/training/seeded.ts';
import type { Push } from '../../src-preload/contract/index.ts';
import { openConsole, startService, type OpenConsole } from '../core/scopes/appFixtures.ts';
import { campaignTimeoutMs, runCampaign } from '../support/campaign.ts';
import { createTestPorts, type TestPorts } from '../support/ports.ts';
import { watchThreads, type Threads } from '../support/threads.ts';

/**
 * Signing in and out, locking, choosing another deployment, queueing files, a network that goes, threads that die and
 * answers that come late, in any order and on top of each other. Whatever was begun ends with its lifetime.
 */
let threads: Threads;
let folder: string;
beforeEach(async () => {
  threads = watchThreads();
  folder = await mkdtemp(join(tmpdir(), 'field-console-lifetimes-'));
});
afterEach(async () => {
  threads.stop();
  await rm(folder, { recursive: true, force: true });
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const places = ['harbour', 'airport'] as const;
type Place = (typeof places)[number];

interface World {
  readonly ports: TestPorts;
  readonly services: Readonly<Record<Place, TrainingServer>>;
  /** Of each vault's records that were opened: the key that its audit list is chained with. */
  readonly keys: Uint8Array[];
  /** Contents of the files that the console took, each different. */
  readonly taken: string[];
}

/** Two deployments with a service each. */
async function openWorld(index: number): Promise<World> {
  const made = createTestPorts({ seed: index });
  const keys: Uint8Array[] = [];
  const records: RecordFolders = {
    ...made.records,
    open: async (options) => {
      const opened = await made.records.open(options);
      keys.push(opened.auditKey);
      return opened;
    },
  };
  const ports: TestPorts = { ...made, records };
  const services = { harbour: await startService(ports), airport: await startService(ports) };
  for (const id of places) {
    const { infrastructureUrl, coordinationUrl } = services[id];
    const file = { version: 1, id, name: id, infrastructureUrl, coordinationUrl, timestampUnit: 'seconds' };
    await writeFile(join(folder, `${id}.json`), JSON.stringify({ ...file, eventsPath: '/events' }));
  }
  return { ports, services, keys, taken: [] };
}

const start = (ports: TestPorts): Promise<OpenConsole> =>
  openConsole({
    ports,
    named: places.map((id) => ({ source: 'command-line' as const, path: join(folder, `${id}.json`) })),
  });

const chosen = ({ mirror }: OpenConsole): Place =>
  mirror.slices.deployments?.chosen === 'airport' ? 'airport' : 'harbour';

async function addFile(open: OpenConsole, { taken }: World, name: string): Promise<void> {
  const content = `file ${name} `.repeat(1_000);
  const begun = await open.call('beginUpload', {
    fileName: name,
    bytes: content.length,
    incidentId: null,
  });
  if (!begun.ok) return;
  const { uploadId } = begun.value as { readonly uploadId: string };
  async function* body(): AsyncGenerator<Uint8Array> {
    await pause(1);
    yield new TextEncoder().encode(content);
  }
  if ((await open.console.bytes.spool(uploadId, body())) === 'kept') taken.push(content);
}

type Act = (open: OpenConsole, world: World, draw: Seeded, name: string) => Promise<unknown>;

/** Unlocks what is locked, and signs in where no vault is open. */
async function enter(open: OpenConsole, { services }: World): Promise<void> {
  const { credentials } = services[chosen(open)];
  if (open.mirror.slices.lock?.locked) await open.call('unlock', { password: credentials.password });
  else if (open.mirror.slices.session?.vault === 'closed') await open.call('signIn', { ...credentials });
}

/** What is done, each as often as its number among all says. */
const acts: readonly (readonly [number, string, Act])[] = [
  [5, 'in', enter],
  [7, 'file', (open, world, _, name) => addFile(open, world, name)],
  [4, 'rest', () => Promise.resolve()],
  [1, 'refresh', (open) => open.call('refreshIncidents', {})],
  [1, 'wrong', (open) => open.call('signIn', { username: 'somebody', password: 'wrong' })],
  [1, 'out', (open) => open.call('signOut', {})],
  [1, 'lock', (open) => open.call('lock', {})],
  [1, 'choose', (open, _, draw) => open.call('chooseDeployment', { id: draw.pick(places) })],
  [
    1,
    'late',
    (_, { services }, draw) => services[draw.pick(places)].set({ latencyMs: draw.pick([0, 0, 40]) }),
  ],
  [1, 'down', (_, { services }, draw) => services[draw.pick(places)].goDown()],
  [2, 'up', (_, { services }) => Promise.all(places.map((id) => services[id].comeUp()))],
  [1, 'wake', (open) => Promise.resolve(open.console.wake())],
  [
    1,
    'death',
    (_open, _world, draw) => threads.kill(draw.pick(['vault cache', 'recordWorker', 'spoolWorker'])),
  ],
];
const pool = acts.flatMap(([times, kind, act]) => Array.from({ length: times }, () => ({ kind, act })));
const drawAct = (draw: Seeded): { readonly kind: string; readonly act: Act } => {
  const drawn = pool[draw.below(pool.length)];
  if (drawn === undefined) throw new Error('There is nothing to draw');
  return drawn;
};

/** While no vault is open, a page holds nothing of one. */
function checkPush({ mirror }: OpenConsole, push: Push): void {
  const { session, incidents, evidence, missions, watch, alarms, changes, handovers } = mirror.slices;
  if (session?.vault === 'open' || push.slices.session?.vault === 'open') return;
  expect(mirror.rows.size, 'incidents').toBe(0);
  expect(incidents?.count ?? 0, 'incidents counted').toBe(0);
  expect(evidence?.count ?? 0, 'evidence').toBe(0);
  expect(missions?.missions ?? [], 'missions').toEqual([]);
  expect(watch?.shift ?? null, 'a shift').toBeNull();
  expect(alarms?.active ?? [], 'alarms').toEqual([]);
  expect(changes?.changed ?? [], 'changes').toEqual([]);
  expect(handovers?.pending ?? null, 'a handover').toBeNull();
}

/** Signs in to each deployment until all files have been sent from there. */
async function sendAll(open: OpenConsole, { ports, services, taken }: World): Promise<void> {
  for (const id of places) {
    await services[id].set({ latencyMs: 0 });
    await services[id].comeUp();
  }
  const sent = (): number => places.reduce((sum, id) => sum + services[id].uploads().length, 0);
  for (let round = 0; round < 400 && sent() < taken.length; round += 1) {
    if (round % 100 === 0) {
      const id = places[(round / 100) % 2] ?? 'harbour';
      await ports.clock.drive(open.call('signOut', {}));
      await ports.clock.drive(open.call('chooseDeployment', { id }));
      await ports.clock.drive(open.signIn(services[id]));
    }
    await pause(4);
    await ports.clock.advance(2_000);
  }
}

const threadsOpen = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'MessagePort' || name === 'Worker').length;

it(
  'whatever is done in whatever order: each file is sent once, nothing shows what was left, and nothing stays',
  async () => {
    const before = threadsOpen();
    await runCampaign({ name: 'lifetimes', whole: 300, part: 4 }, async (draw, index) => {
      const world = await openWorld(index);
      const { ports, services, keys, taken } = world;
      let open = await start(ports);
      const hear = (): void => {
        const { console: app } = open;
        const subscription = app.subscribe((push) => {
          subscription.answer({ kind: 'acknowledge', epoch: push.epoch, revision: push.revision });
          checkPush(open, push);
        });
      };
      hear();
      const underWay: Promise<unknown>[] = [];
      await ports.clock.drive(open.signIn(services.harbour));
      let deaths = 0;
      for (let step = 0; step < 20; step += 1) {
        const { kind, act } = drawAct(draw);
        // Beyond three deaths in five minutes no thread is started.
        if (kind === 'death' && (deaths += 1) > 2) continue;
        underWay.push(act(open, world, draw, `${String(index)}-${String(step)}`));
        await pause(kind === 'rest' ? 250 : draw.pick([0, 1, 10, 100]));
        await ports.clock.advance(draw.pick([0, 10, 300, 5_000]));
        if (draw.next() < 0.06) {
          await open.console.close();
          open = await start(ports);
          hear();
        }
      }
      await ports.clock.drive(Promise.all(underWay), { mostMs: 600_000 });
      await sendAll(open, world);
      const contents = places.flatMap((id) => services[id].uploads().map(({ fileName }) => fileName));
      expect(contents.sort()).toEqual(taken.map((content) => content.split(' ')[1] ?? '').sort());
      await open.console.close();
      // A service waits before it answers, also who has gone.
      for (const id of places) await services[id].close();
      expect(ports.clock.pending(), 'timers').toBe(0);
      expect(
        keys.filter((key) => key.some((byte) => byte !== 0)),
        'keys',
      ).toEqual([]);
      await ports.records.close();
      await ports.vaults.close();
      return `${String(Math.min(taken.length, 3))}${taken.length >= 3 ? ' or more' : ''} files`;
    });
    expect(threadsOpen(), 'threads').toBeLessThanOrEqual(before);
  },
  campaignTimeoutMs,
);
