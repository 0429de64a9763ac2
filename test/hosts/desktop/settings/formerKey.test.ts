import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it, test } from 'vitest';
import { openProfileFolder } from '../../../../src-main/hosts/desktop/profileFolder.ts';
import { nameApplication } from '../../../../src-main/hosts/desktop/settings/applicationName.ts';
import { readDeviceSecret } from '../../../../src-main/hosts/desktop/settings/deviceSecret.ts';
import {
  askFormerName,
  formerKeyFolder,
  tellFormerSecret,
} from '../../../../src-main/hosts/desktop/settings/formerKey.ts';
import { temporaryFolder } from '../../../adapters/support.ts';
import { created, createVaultRig, opened } from '../../../adapters/vault/support.ts';
import { StillClock } from '../../../support/clock.ts';
import { createRecordingLogger, createSeededRandom } from '../../../support/ports.ts';
import { FakeElectron } from '../fake/electron.ts';

const random = createSeededRandom(9);

/** One process of the console in a data folder: it has one name, and with it one key. */
function start(
  dataDir: string,
  owner: Parameters<typeof nameApplication>[1],
  platform: NodeJS.Platform = 'linux',
) {
  const electron = new FakeElectron({ keyStoreAnswers: true });
  const { app, safeStorage } = electron;
  nameApplication(app, owner, platform);
  if (platform === 'win32') safeStorage.windowsProfile = openProfileFolder(dataDir);
  const logger = createRecordingLogger();
  const asked: string[] = [];
  const read = async (): Promise<Uint8Array | null> => {
    await app.whenReady();
    return readDeviceSecret({
      safeStorage,
      platform,
      dataDir,
      policy: { passwordOnly: false },
      askFormerName: async () => {
        const { answer, status } = await helper(dataDir);
        asked.push(answer);
        return status === 0 ? answer : null;
      },
      random,
      logger,
    });
  };
  return { electron, safeStorage, read, asked, logger };
}

/** The second start of the same program that `askFormerName` makes. */
async function helper(
  dataDir: string,
): Promise<{ answer: string; status: number | undefined; electron: FakeElectron }> {
  const electron = new FakeElectron({ keyStoreAnswers: true });
  nameApplication(electron.app, 'former', 'linux');
  let answer = '';
  const stdout = {
    write: (text: unknown, written: unknown) => {
      answer += String(text);
      (written as () => void)();
      return true;
    },
  };
  const { app, safeStorage } = electron;
  await tellFormerSecret({ app, safeStorage, dataDir, profileFolder: '/passing', stdout });
  return { answer, status: app.exits[0], electron };
}

describe.each(['rejects', 'garbage'] as const)('where another name’s key %s', (wrongKey) => {
  it('a vault of the former name opens, and its secret is sealed under the present one', async () => {
    const dataDir = await temporaryFolder();
    const before = start(dataDir, 'former');
    const deviceSecret = await before.read();
    await (await created(createVaultRig({ dataDir, deviceSecret }))).close();

    const first = start(dataDir, 'shipped');
    first.safeStorage.wrongKey = wrongKey;
    const mended = await first.read();
    expect(mended).toEqual(deviceSecret);
    await (await opened(createVaultRig({ dataDir, deviceSecret: mended }))).close();
    expect(first.asked).toHaveLength(1);

    const second = start(dataDir, 'shipped');
    second.safeStorage.wrongKey = wrongKey;
    expect(await second.read()).toEqual(deviceSecret);
    expect(second.asked).toEqual([]);
    expect((await readdir(dataDir)).filter((name) => name.startsWith('device'))).toEqual(['device.secret']);
  });

  it('a secret that no name opens stays as it is, and no second one is made', async () => {
    const dataDir = await temporaryFolder();
    await start(dataDir, 'development').read();
    const kept = await readFile(join(dataDir, 'device.secret'));
    const shipped = start(dataDir, 'shipped');
    shipped.safeStorage.wrongKey = wrongKey;
    expect(await shipped.read()).toBeNull();
    expect(shipped.logger.lines).toMatchObject([{ event: 'device-secret-unreadable' }]);
    expect(await readFile(join(dataDir, 'device.secret'))).toEqual(kept);
    // It was not its turn: its own name still opens it.
    expect(await start(dataDir, 'development').read()).toHaveLength(32);
  });
});

test('a secret that cannot be sealed again is used, and asked for again', async () => {
  const dataDir = await temporaryFolder();
  const secret = await start(dataDir, 'former').read();
  const shipped = start(dataDir, 'shipped');
  shipped.safeStorage.mark = 'v10';
  expect(await shipped.read()).toEqual(secret);
  expect(shipped.logger.lines).toMatchObject([{ event: 'device-secret-stale' }]);
  expect(await start(dataDir, 'shipped').read()).toEqual(secret);
});

describe('on Windows', () => {
  it('the key of a former profile folder comes along, whatever the name', async () => {
    const dataDir = await temporaryFolder();
    const before = start(dataDir, 'former', 'win32');
    // As it was before the folder had its present name.
    before.safeStorage.windowsProfile = join(dataDir, 'window');
    await rm(join(dataDir, 'profile'), { recursive: true });
    const secret = await before.read();
    const after = start(dataDir, 'shipped', 'win32');
    expect(await after.read()).toEqual(secret);
    expect(after.asked).toEqual([]);
    expect((await readdir(dataDir)).sort()).toEqual(['device.secret', 'profile']);
    expect((await readdir(join(dataDir, 'profile'))).sort()).toEqual(['DO-NOT-DELETE.txt', 'Local State']);
  });

  it('no other name is asked: the key has none', async () => {
    const dataDir = await temporaryFolder();
    await writeFile(join(dataDir, 'device.secret'), Buffer.alloc(80, 1));
    const { read, asked } = start(dataDir, 'shipped', 'win32');
    expect(await read()).toBeNull();
    expect(asked).toEqual([]);
  });
});

test.skipIf(process.platform === 'win32')(
  'a former profile folder that cannot be renamed serves',
  async () => {
    const dataDir = await temporaryFolder();
    const former = join(dataDir, 'window');
    await mkdir(former);
    // A folder cannot take the place of a link: a refusal that also root gets, as on Windows for open files.
    await symlink('nowhere', join(dataDir, 'profile'));
    expect(openProfileFolder(dataDir)).toBe(former);
  },
);

test('a profile folder beside a former one is the one that serves', async () => {
  const dataDir = await temporaryFolder();
  await mkdir(join(dataDir, 'window'));
  await mkdir(join(dataDir, 'profile'));
  expect(openProfileFolder(dataDir)).toBe(join(dataDir, 'profile'));
  expect(await readdir(join(dataDir, 'window'))).toEqual([]);
});

test('the helper has a profile of its own, asks for no lock and no window, and says when it has no answer', async () => {
  const dataDir = await temporaryFolder();
  const { status, answer, electron } = await helper(dataDir);
  expect([status, answer]).toEqual([1, '']);
  expect([...electron.app.paths.values()]).toEqual(['/passing', '/passing']);
  expect(electron.app.steps).toEqual(['ready']);
  expect(electron.windows).toEqual([]);
});

describe.skipIf(process.platform === 'win32')('the start that asks', () => {
  /** A program in Electron's place. */
  async function program(lines: string): Promise<string> {
    const path = join(await temporaryFolder(), 'electron');
    await writeFile(path, `#!/bin/sh\n${lines}\n`);
    await chmod(path, 0o755);
    return path;
  }
  const ask = async (lines: string, packaged = true, clock = new StillClock()): Promise<string | null> =>
    askFormerName({
      execPath: await program(lines),
      argv: ['electron', '/the/folder', '--password-store=kwallet6', '--training', '--data-dir', '/data'],
      packaged,
      dataDir: '/data',
      clock,
    });

  it.each([
    [true, '--password-store=kwallet6|--former-key=/data|'],
    [false, '/the/folder|--password-store=kwallet6|--former-key=/data|'],
  ])('hands on the application and the key store, and nothing else: packaged %s', async (packaged, given) => {
    expect(await ask(`printf '%s|' "$@"`, packaged)).toBe(given);
    expect(formerKeyFolder(given.split('|'))).toBe('/data');
  });

  it.each([
    ['ends with a failure', 'printf abc; exit 1'],
    ['is ended', 'printf abc; kill -TERM $$'],
    ['says too much', 'yes'],
  ])('takes nothing from a helper that %s', async (_what, lines) => {
    expect(await ask(lines)).toBeNull();
  });

  it('takes nothing where no helper can be started', async () => {
    const options = { argv: ['electron'], packaged: true, dataDir: '/data', clock: new StillClock() };
    expect(await askFormerName({ ...options, execPath: '/not/there' })).toBeNull();
  });

  it('does not wait for ever for a helper that a person does not answer', async () => {
    const clock = new StillClock();
    const options = { argv: ['electron'], packaged: true, dataDir: '/data', clock };
    const asked = askFormerName({ ...options, execPath: await program('exec sleep 1000') });
    clock.advance(60_000);
    expect(await asked).toBeNull();
  });
});

test('no other start is taken for a helper', () => {
  expect(formerKeyFolder(['electron', '--training', '/former-key=/x'])).toBeNull();
});
