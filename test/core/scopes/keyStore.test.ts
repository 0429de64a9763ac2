import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DeviceSecretReading, DeviceSecretSource } from '../../../src-main/core/base/ports.ts';
import { noControl, type HostControl } from '../../../src-main/core/features/ports.ts';
import type { TrainingServer } from '../../support/training/index.ts';
import { systemAtRest, type ConsoleState, type SystemState } from '../../../src-preload/contract/index.ts';
import { createTestPorts, type TestPorts } from '../../support/ports.ts';
import { openConsole, startService, type OpenConsole } from './appFixtures.ts';

const secret: DeviceSecretReading = { kind: 'secret', secret: new Uint8Array(32).fill(9) };
const shut = ['waiting', 'closed'] as const;

let ports: TestPorts;
let service: TrainingServer;
let folder: string;
let open: OpenConsole | null;
let reading: DeviceSecretReading;
let tell: (state: SystemState) => void;

beforeEach(async () => {
  ports = createTestPorts();
  folder = await mkdtemp(join(tmpdir(), 'field-console-key-store-'));
  service = await startService(ports);
  const { infrastructureUrl, coordinationUrl } = service;
  const deployment = { version: 1, id: 'field', name: 'Field', infrastructureUrl, coordinationUrl };
  await writeFile(join(folder, 'field.json'), JSON.stringify({ ...deployment, timestampUnit: 'seconds' }));
  open = null;
  reading = secret;
  tell = () => undefined;
});
afterEach(async () => {
  await open?.close();
  await service.close();
  await ports.vaults.close();
  await rm(folder, { recursive: true, force: true });
});

/** The same computer, another process: its key store answers as `reading` says, which may change. */
async function start(): Promise<OpenConsole> {
  await open?.console.close();
  const deviceSecret: DeviceSecretSource = { peek: () => reading, read: () => Promise.resolve(reading) };
  const control: HostControl = {
    ...noControl,
    system: {
      state: () => systemAtRest,
      watch: (listener) => {
        tell = listener;
        return () => undefined;
      },
      retryGraphics: () => undefined,
      restart: () => undefined,
    },
  };
  const named = [{ source: 'command-line', path: join(folder, 'field.json') }] as const;
  open = await openConsole({ ports: { ...ports, deviceSecret, control }, named });
  return open;
}
const storage = ({ mirror }: OpenConsole): Partial<ConsoleState['storage']> => mirror.slices.storage ?? {};
const known = ({ incidents }: Partial<ConsoleState>): boolean => incidents?.count === 20;
const sentence = (kind: 'waiting' | 'closed') => ({
  problem: { sentence: { id: `vault.key-store-${kind}.sentence` } },
});
const kept = async (): Promise<readonly string[]> => [...(await ports.vaults.ids())].sort();

/** A vault that the key store's secret seals, with everything in it. */
async function sealOnce(): Promise<readonly string[]> {
  const first = await start();
  expect((await first.signIn(service)).ok).toBe(true);
  await first.shows((slices) => known(slices) && (slices.storage?.incidents ?? 0) > 0, 'what is kept');
  await first.call('signOut', {});
  await first.shows(({ storage: now }) => now?.vaults.length === 1, 'the vault on the list');
  return kept();
}

describe.each(shut)('a key store that is %s (fact 22)', (kind) => {
  it('lets the operator work in memory, harms no vault, and opens it at the next sign-in once it is open', async () => {
    const vaults = await sealOnce();
    reading = { kind };
    const again = await start();
    expect((await again.signIn(service)).ok).toBe(true);
    await again.shows(known, 'the incidents of the service');
    expect(storage(again)).toMatchObject({ keeping: 'memory', ...sentence(kind) });
    expect(await kept()).toEqual(vaults);

    reading = secret;
    tell({ ...systemAtRest, keyStore: 'open' });
    await again.shows(({ storage: now }) => now?.notice !== null, 'the notice');
    expect(storage(again).notice?.sentence).toEqual({ id: 'vault.keyStoreOpened', values: {} });
    await again.call('signOut', {});
    await service.goDown();
    expect((await again.signIn(service)).ok).toBe(true);
    await again.shows(
      (slices) => known(slices) && slices.storage?.keeping === 'disk',
      'what was kept, from the disk',
    );
    expect(storage(again).problem).toBeNull();
    expect(await kept()).toEqual(vaults);
  });

  it('is what a sign-in without the service fails with, and not what opens the next one', async () => {
    const vaults = await sealOnce();
    await service.goDown();
    reading = { kind };
    const again = await start();
    for (const _ of [1, 2, 3, 4, 5]) {
      expect(await again.signIn(service)).toMatchObject({
        ok: false,
        failure: { code: 'storage-failed', ...sentence(kind).problem },
      });
    }
    reading = secret;
    // No guess was made of the password, so nothing waits.
    expect((await again.signIn(service)).ok).toBe(true);
    await again.shows(known, 'what was kept');
    expect(await kept()).toEqual(vaults);
  });

  it('has no vault made with the password alone where there was none', async () => {
    reading = { kind };
    const first = await start();
    expect((await first.signIn(service)).ok).toBe(true);
    await first.shows(known, 'the incidents of the service');
    expect(storage(first)).toMatchObject({ keeping: 'memory', ...sentence(kind) });
    expect(await kept()).toEqual([]);
  });

  it('keeps no vault closed that the password alone seals', async () => {
    reading = { kind: 'none' };
    const vaults = await sealOnce();
    await service.goDown();
    reading = { kind };
    const again = await start();
    expect((await again.signIn(service)).ok).toBe(true);
    await again.shows(known, 'what was kept');
    expect(storage(again)).toMatchObject({ keeping: 'disk', problem: null });
    expect(await kept()).toEqual(vaults);
  });
});

describe('a key store that opens', () => {
  it('says nothing to a console that keeps what it knows', async () => {
    const first = await start();
    expect((await first.signIn(service)).ok).toBe(true);
    await first.shows(known, 'the incidents of the service');
    tell({ ...systemAtRest, keyStore: 'open' });
    await first.shows(({ system }) => system?.keyStore === 'open', 'the state');
    expect(storage(first).notice).toBeNull();
  });
});
