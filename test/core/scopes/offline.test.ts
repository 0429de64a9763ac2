import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { StorageError, type CacheStore, type VaultStorage } from '../../../src-main/core/vault/storage.ts';
import type { TrainingServer, WireIncident } from '../../support/training/index.ts';
import type { ConsoleState } from '../../../src-preload/contract/index.ts';
import { createTestNetwork, createTestPorts, type TestPorts } from '../../support/ports.ts';
import { wireIncident } from '../state/wireIncident.ts';
import { openConsole, startService, type OpenConsole } from './appFixtures.ts';
import { said, saying } from '../../support/messages.ts';

/** Apart in time: of incidents that share a second a service cannot show that they are all. */
const incidents = Array.from(
  { length: 30 },
  (_, index) =>
    wireIncident(
      `kept-${String(index)}`,
      new Date(Date.UTC(2026, 10, 19, 0, 7 * index)).toISOString(),
    ) as WireIncident,
);

let service: TrainingServer;
let open: OpenConsole | null = null;
let folder: string;
let ports: TestPorts;

async function setUp(): Promise<void> {
  ports = createTestPorts();
  folder = await mkdtemp(join(tmpdir(), 'field-console-offline-'));
  service = await startService(ports, incidents);
  const { infrastructureUrl, coordinationUrl } = service;
  const deployment = { version: 1, id: 'field', name: 'Field', infrastructureUrl, coordinationUrl };
  await writeFile(join(folder, 'field.json'), JSON.stringify({ ...deployment, timestampUnit: 'seconds' }));
}

/** Starts the console, once more where there was one before: the same computer, another process. */
async function start(change: Partial<TestPorts> = {}): Promise<OpenConsole> {
  await open?.console.close();
  open = await openConsole({
    ports: { ...ports, ...change },
    named: [{ source: 'command-line', path: join(folder, 'field.json') }],
  });
  return open;
}

afterEach(async () => {
  await open?.close();
  open = null;
  await service.close();
  await ports.vaults.close();
  await rm(folder, { recursive: true, force: true });
});

const count = ({ mirror }: OpenConsole): number => mirror.slices.incidents?.count ?? 0;
const storage = ({ mirror }: OpenConsole): ConsoleState['storage'] => {
  if (!mirror.slices.storage) throw new Error('The console has not said what it keeps');
  return mirror.slices.storage;
};
const epochOf = ({ mirror }: OpenConsole): string | undefined => mirror.pushes.at(-1)?.epoch;
const allKnown = ({ sync }: Partial<ConsoleState>): boolean =>
  sync !== undefined && sync.completeAsOf !== null;
const idsOf = ({ mirror }: OpenConsole): string[] => [...mirror.rows.values()].map(({ id }) => id).sort();

/** Signs in, reads everything and closes. */
async function syncOnce(): Promise<void> {
  const first = await start();
  expect((await first.signIn(service)).ok).toBe(true);
  await first.shows(allKnown, 'everything to be known');
  expect(count(first)).toBe(30);
}

describe('what is stored', () => {
  it('opens offline with the password, as old as it is, and goes live without a new epoch', async () => {
    await setUp();
    await syncOnce();
    // Many readings: the time that is kept is that of the last one.
    await ports.clock.advance(600_000);
    const readAt = open?.mirror.slices.incidents?.lastReadAt ?? NaN;
    await service.goDown();
    const again = await start();
    await again.shows(({ storage: kept }) => kept?.vaults.length === 1, 'the vault on the list');
    expect(storage(again).vaults).toMatchObject([
      { username: service.credentials.username, lastSyncAt: readAt, unsent: 0, setAside: false },
    ]);
    expect((await again.signIn(service)).ok).toBe(true);
    await again.shows(({ incidents: meta }) => meta?.count === 30, 'the kept incidents');
    expect(again.mirror.slices.session).toMatchObject({
      vault: 'open',
      session: { state: 'waiting', expiresAt: null },
    });
    expect(again.mirror.slices.incidents?.lastReadAt).toBeLessThanOrEqual(readAt);
    await again.shows(({ incidents: meta }) => meta?.freshness === 'offline', 'it to be called offline');
    expect(idsOf(again)).toEqual(incidents.map(({ id }) => id).sort());
    expect(storage(again)).toMatchObject({ keeping: 'disk', problem: null, incidents: 30 });

    const epoch = epochOf(again);
    await service.comeUp();
    const added = service.addIncident();
    await again.shows(({ session }) => session?.session.state === 'active', 'the session to be live');
    await again.shows(({ incidents: meta }) => meta?.count === 31, 'the new incident');
    expect(idsOf(again)).toContain(added.id);
    expect(epochOf(again)).toBe(epoch);
  });

  it('stays closed to a wrong password, and to another account', async () => {
    await setUp();
    await syncOnce();
    await service.goDown();
    const again = await start();
    const { username, password } = service.credentials;
    expect(await again.call('signIn', { username, password: 'a guess' })).toMatchObject({
      ok: false,
      failure: { code: 'wrong-password' },
    });
    expect(await again.call('signIn', { username: 'another', password })).toMatchObject({
      ok: false,
      failure: { code: 'unreachable' },
    });
    expect(count(again)).toBe(0);
    expect(again.mirror.slices.session).toMatchObject({ vault: 'closed', username: null });
  });

  it('asks for the previous password once, and takes the new one from then on', async () => {
    await setUp();
    await syncOnce();
    const before = service.credentials.password;
    service.changePassword();
    expect(service.credentials.password).not.toBe(before);
    const again = await start();
    expect((await again.signIn(service)).ok).toBe(true);
    await again.shows(({ session }) => session?.vault === 'sealed', 'the question for the password before');
    expect(storage(again).previousPassword).toMatchObject({ incidents: 30, unsent: 0, throttledUntil: null });
    expect(count(again)).toBe(0);
    expect(await again.call('openWithPrevious', { password: 'a guess' })).toMatchObject({
      failure: { code: 'wrong-password' },
    });
    expect((await again.call('openWithPrevious', { password: before })).ok).toBe(true);
    await again.shows(({ incidents: meta }) => meta?.count === 30, 'the kept incidents');
    expect(storage(again).previousPassword).toBeNull();

    await service.goDown();
    const offline = await start();
    expect(
      await offline.call('signIn', { username: service.credentials.username, password: before }),
    ).toMatchObject({ ok: false, failure: { code: 'wrong-password' } });
    expect((await offline.signIn(service)).ok).toBe(true);
  });

  it('without the previous password is set aside, listed, and a new vault begins', async () => {
    await setUp();
    await syncOnce();
    service.changePassword();
    const again = await start();
    await again.signIn(service);
    expect((await again.call('startNewVault', {})).ok).toBe(true);
    await again.shows(allKnown, 'everything to be known');
    await again.shows(({ storage: kept }) => kept?.vaults.length === 2, 'both vaults');
    expect(storage(again).vaults.filter(({ setAside }) => setAside)).toHaveLength(1);
  });

  it('is erased when the operator says so, and only with the number of what would be lost', async () => {
    await setUp();
    await syncOnce();
    const console = open as OpenConsole;
    const id = storage(console).vaults[0]?.id ?? '';
    expect(await console.call('eraseVault', { id, unsent: 3 })).toMatchObject({
      ok: false,
      failure: { code: 'conflict' },
    });
    expect((await console.call('eraseVault', { id, unsent: 0 })).ok).toBe(true);
    await console.shows(({ storage: kept }) => kept?.vaults.length === 0, 'no vault');
    expect(console.mirror.slices.session).toMatchObject({ vault: 'closed', username: null });
    expect(await ports.vaults.ids()).toEqual([]);
    await service.goDown();
    expect(await console.signIn(service)).toMatchObject({ ok: false, failure: { code: 'unreachable' } });
  });

  it('says at the opening that an older copy was put back, on screen and in the audit list', async () => {
    await setUp();
    await syncOnce();
    await open?.console.close();
    const { dataDir } = ports;
    await cp(join(dataDir, 'vaults'), join(dataDir, 'older'), { recursive: true });
    const between = await start();
    expect((await between.signIn(service)).ok).toBe(true);
    await between.shows(allKnown, 'everything to be known');
    expect(storage(between).notice).toBeNull();
    expect((await between.call('addNote', { incidentId: 'kept-1', text: 'gone with the copy' })).ok).toBe(
      true,
    );
    await between.console.close();
    await rm(join(dataDir, 'vaults'), { recursive: true });
    await rename(join(dataDir, 'older'), join(dataDir, 'vaults'));

    const back = await start();
    expect((await back.signIn(service)).ok).toBe(true);
    await back.shows(({ storage: kept }) => (kept?.notice ?? null) !== null, 'the notice');
    expect(said(storage(back).notice?.sentence)).toContain(
      'Data on this computer was replaced by an older copy',
    );
    await back.shows(({ missions }) => missions?.audit.state === 'damaged', 'the audit list');
    expect(await back.call('readAudit', { from: 0, count: 1 })).toMatchObject({
      value: {
        entries: [{ event: saying(expect.stringContaining('an older copy of the vault was put back')) }],
      },
    });

    const later = await start();
    expect((await later.signIn(service)).ok).toBe(true);
    await later.shows(
      ({ missions }) => missions?.audit.state === 'damaged',
      'a list that is never intact again',
    );
    expect(storage(later).notice).toBeNull();
  });

  it('of training is nothing', async () => {
    await setUp();
    open = await openConsole({ ports });
    await open.signIn();
    await open.shows(allKnown, 'everything to be known');
    expect(storage(open)).toMatchObject({ keeping: 'memory', problem: null, vaults: [] });
    expect(await ports.vaults.ids()).toEqual([]);
  });
});

describe('a disk that fails', () => {
  /** The real storage, whose writes fail while `full` says so. */
  const failing = (full: () => boolean): VaultStorage =>
    new Proxy(ports.vaults, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        if (name !== 'openCache') return member.bind(target) as unknown;
        return async (options: Parameters<VaultStorage['openCache']>[0]) => {
          const opened = await target.openCache(options);
          const { store } = opened;
          const failingStore: CacheStore = {
            load: (take) => store.load(take),
            write: (change) =>
              full() ? Promise.reject(new StorageError('full', 'no space')) : store.write(change),
            document: (name_) => store.document(name_),
            count: () => store.count(),
            renew: (keys) => store.renew(keys),
            close: () => store.close(),
          };
          return { ...opened, store: failingStore };
        };
      },
    });

  it('is said, the console goes on in memory, and everything is kept once it works again', async () => {
    await setUp();
    let full = true;
    const console = await start({ vaults: failing(() => full) });
    await console.signIn(service);
    await console.shows(({ storage: kept }) => kept?.keeping === 'memory', 'the trouble to be said');
    expect(storage(console).problem).toMatchObject({ code: 'storage-failed' });
    await console.shows(({ incidents: meta }) => meta?.count === 30, 'all incidents all the same');
    full = false;
    await ports.clock.advance(60_000);
    await console.shows(({ storage: kept }) => kept?.keeping === 'disk', 'the trouble to be over');
    expect(storage(console).problem).toBeNull();
    await service.goDown();
    const again = await start();
    await again.signIn(service);
    await again.shows(({ incidents: meta }) => meta?.count === 30, 'the kept incidents');
  });
});

describe('a vault that does not open', () => {
  /** Fails once where `member` of these files is called. */
  const onceFailing = <T extends object>(files: T, member: keyof T & string): T => {
    let isWell = false;
    return new Proxy(files, {
      get(target, name) {
        const found: unknown = Reflect.get(target, name);
        if (typeof found !== 'function') return found;
        const bound = found.bind(target) as (...given: unknown[]) => unknown;
        if (name !== member || isWell) return bound;
        return () => {
          isWell = true;
          return Promise.reject(new StorageError('broken', 'EIO'));
        };
      },
    });
  };

  it.each([
    ['is made', 'openCache', (): Partial<TestPorts> => ({ vaults: onceFailing(ports.vaults, 'openCache') })],
    ['has a header', 'write', (): Partial<TestPorts> => ({ vaults: onceFailing(ports.vaults, 'write') })],
    ['has records', 'open', (): Partial<TestPorts> => ({ records: onceFailing(ports.records, 'open') })],
  ])('because one call failed as it %s (%s) costs no session', async (_when, _call, change) => {
    await setUp();
    const console = await start(change());
    expect(await console.signIn(service)).toMatchObject({ ok: true });
    await console.shows(({ storage: kept }) => (kept?.problem ?? null) !== null, 'the trouble to be said');
    await console.shows(({ incidents: meta }) => meta?.count === 30, 'all incidents all the same');
    const note = { incidentId: 'kept-1', text: 'Levee holds' };
    expect(await console.call('addNote', note)).toMatchObject({ ok: false });
    await ports.clock.advance(31_000);
    await console.shows(
      ({ storage: kept }) => kept?.keeping === 'disk' && kept.problem === null,
      'the vault to open',
    );
    await console.shows(({ incidents: meta }) => meta?.count === 30, 'all incidents again');
    expect(await console.call('addNote', note)).toMatchObject({ ok: true });
    await service.goDown();
    const again = await start();
    await again.signIn(service);
    await again.shows(({ watch }) => watch?.notes === 1, 'the note on the disk');
  });
});

it('neither the password nor a word of an incident lies in the data folder', async () => {
  await setUp();
  await syncOnce();
  await open?.console.close();
  const [id = ''] = await ports.vaults.ids();
  expect(await ports.vaults.bytes(id)).toBeGreaterThan(1000);
  for (const line of ports.logger.lines) {
    expect(JSON.stringify(line)).not.toContain(service.credentials.password);
  }
  const files = await readdir(ports.dataDir, { recursive: true, withFileTypes: true });
  for (const file of files.filter((entry) => entry.isFile())) {
    const bytes = await readFile(join(file.parentPath, file.name));
    expect(bytes.includes(service.credentials.password), file.name).toBe(false);
    expect(bytes.includes('kept-'), file.name).toBe(false);
  }
});

describe('connections to the service', () => {
  it.each([
    ['nothing', () => undefined, 0],
    ['a wake', (rig: { wake: () => void }) => rig.wake(), 1],
    ['another network', (rig: { roam: () => void }) => rig.roam(), 1],
  ])('after %s', async (_, happens, least) => {
    await setUp();
    let [network, made] = ['one', 0];
    const count = (): void => void (made += 1);
    subscribe('undici:client:connected', count);
    onTestFinished(() => void unsubscribe('undici:client:connected', count));
    const {
      signIn,
      shows,
      console: app,
    } = await start({ network: createTestNetwork({ addresses: () => network }) });
    expect((await signIn(service)).ok).toBe(true);
    await shows(allKnown, 'everything to be known');
    await ports.clock.advance(60_000);
    const before = made;
    happens({ wake: () => app.wake(), roam: () => (network = 'two') });
    await ports.clock.advance(60_000);
    expect(Math.min(made - before, 1)).toBe(least);
  });
});
