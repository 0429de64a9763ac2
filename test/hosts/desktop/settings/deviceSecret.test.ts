import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nameApplication } from '../../../../src-main/hosts/desktop/settings/applicationName.ts';
import {
  readDeviceSecret,
  storageBackend,
} from '../../../../src-main/hosts/desktop/settings/deviceSecret.ts';
import { hasModes, modeOf, temporaryFolder } from '../../../adapters/support.ts';
import { created, createVaultRig, opened, password, username } from '../../../adapters/vault/support.ts';
import { saying } from '../../../support/messages.ts';
import { createRecordingLogger, createSeededRandom } from '../../../support/ports.ts';
import { FakeSafeStorage } from '../fake/safeStorage.ts';

const random = createSeededRandom(5);

async function reader(dataDir: string, safeStorage = new FakeSafeStorage()) {
  const logger = createRecordingLogger();
  type Change = { passwordOnly?: boolean; platform?: NodeJS.Platform };
  const reading = ({ platform = 'linux', passwordOnly = false }: Change = {}) =>
    readDeviceSecret({ safeStorage, platform, dataDir, policy: { passwordOnly }, random, logger });
  /** The secret; null where there is none. */
  const read = async (change?: Change): Promise<Uint8Array | null> => {
    const found = await reading(change);
    return found.kind === 'secret' ? found.secret : null;
  };
  return { safeStorage, logger, reading, read, file: join(dataDir, 'device.secret') };
}

test('the secret is made once, kept encrypted for this user only, and read again', async () => {
  const dataDir = await temporaryFolder();
  const { read, file } = await reader(dataDir);
  const secret = await read();
  expect(secret).toHaveLength(32);
  expect(await read()).toEqual(secret);
  expect(await readdir(dataDir)).toEqual(['device.secret']);
  const kept = await readFile(file);
  expect(kept.includes(Buffer.from(secret ?? []))).toBe(false);
  expect(kept.includes(Buffer.from(secret ?? []).toString('base64'))).toBe(false);
  if (hasModes) expect(await modeOf(file)).toBe(0o600);
});

test('a vault sealed with it opens with it, and neither without it nor with another one', async () => {
  const dataDir = await temporaryFolder();
  const { read } = await reader(dataDir);
  const deviceSecret = await read();
  await (await created(createVaultRig({ dataDir, deviceSecret }))).close();

  await (await opened(createVaultRig({ dataDir, deviceSecret: await read() }))).close();
  const withoutIt = await createVaultRig({ dataDir, deviceSecret: null }).repository.open(username, password);
  expect(withoutIt).toMatchObject({
    kind: 'unusable',
    failure: { sentence: saying(expect.stringContaining('This console does not have it')) },
  });
  const other = await (await reader(await temporaryFolder(), new FakeSafeStorage('bob'))).read();
  expect(
    await createVaultRig({ dataDir, deviceSecret: other }).repository.open(username, password),
  ).toMatchObject({
    kind: 'unusable',
    failure: { sentence: saying(expect.stringContaining('another system account')) },
  });
});

test('a policy that wants the password only has neither secret nor file', async () => {
  const dataDir = await temporaryFolder();
  const { read } = await reader(dataDir);
  expect(await read({ passwordOnly: true })).toBeNull();
  expect(await readdir(dataDir)).toEqual([]);
});

test('on a desktop without a real key store there is none', async () => {
  const dataDir = await temporaryFolder();
  const { read, safeStorage, logger } = await reader(dataDir);
  for (const backend of ['basic_text', 'unknown'] as const) {
    safeStorage.backend = backend;
    expect(await read()).toBeNull();
    expect(storageBackend({ safeStorage, platform: 'linux' }, 'not-used')).toBe(`${backend} (not used)`);
  }
  safeStorage.backend = 'kwallet6';
  expect(await read({ platform: 'freebsd' })).toBeNull();
  expect(await readdir(dataDir)).toEqual([]);
  expect(logger.lines.every(({ event }) => event === 'device-secret-unavailable')).toBe(true);
});

test.each(['linux', 'darwin'] as const)(
  'a key store whose prompt was dismissed is closed, whatever is there, until the next start: %s (fact 22)',
  async (platform) => {
    const dataDir = await temporaryFolder();
    const { reading, file, safeStorage, logger } = await reader(dataDir);
    safeStorage.dismiss(platform);
    expect(await reading({ platform })).toEqual({ kind: 'closed' });
    expect(await readdir(dataDir)).toEqual([]);
    const next = await reader(dataDir);
    const kept = await next.reading({ platform });
    expect(kept.kind).toBe('secret');
    const before = await readFile(file);
    for (let times = 0; times < 2; times += 1)
      expect(await reading({ platform })).toEqual({ kind: 'closed' });
    expect(await readFile(file)).toEqual(before);
    expect(logger.lines.map(({ event }) => event)).toEqual([
      'device-secret-not-made',
      'device-secret-unreadable',
      'device-secret-unreadable',
    ]);
    expect(await next.reading({ platform })).toEqual(kept);
  },
);

test('what does not come back from the key store is never relied on', async () => {
  const dataDir = await temporaryFolder();
  const { read, safeStorage } = await reader(dataDir);
  safeStorage.broken = 'garbles';
  expect(await read()).toBeNull();
  expect(await readdir(dataDir)).toEqual([]);
});

test.each<[string, (file: string, storage: FakeSafeStorage) => Promise<unknown>]>([
  ['of another account', (file) => writeFile(file, Buffer.alloc(80, 1))],
  ['cut short', (file) => truncate(file, 20)],
  ['empty', (file) => truncate(file, 0)],
  ['far too large', (file) => writeFile(file, Buffer.alloc(70_000))],
  [
    'holding something else',
    async (file, storage) => writeFile(file, await storage.encryptStringAsync('hi')),
  ],
])('a file %s gives no secret, is logged, and stays as it is', async (_what, harm) => {
  const dataDir = await temporaryFolder();
  const { read, file, safeStorage, logger } = await reader(dataDir);
  await read();
  await harm(file, safeStorage);
  const before = await readFile(file);
  expect(await read()).toBeNull();
  expect(logger.lines).toMatchObject([{ level: 'warn', event: 'device-secret-unreadable' }]);
  expect(await readFile(file)).toEqual(before);
});

test('another system account cannot read it, and does not spoil it', async () => {
  const dataDir = await temporaryFolder();
  const ann = await reader(dataDir);
  const secret = await ann.read();
  expect(await (await reader(dataDir, new FakeSafeStorage('bob'))).read()).toBeNull();
  expect(await ann.read()).toEqual(secret);
});

test('a key of the system that was changed has the same secret encrypted anew', async () => {
  const dataDir = await temporaryFolder();
  const { read, file, safeStorage, logger } = await reader(dataDir);
  const secret = await read();
  const before = await readFile(file);
  safeStorage.stale = true;
  expect(await read()).toEqual(secret);
  expect(await readFile(file)).not.toEqual(before);
  safeStorage.mark = 'v10';
  expect(await read()).toEqual(secret);
  expect(logger.lines).toMatchObject([{ level: 'warn', event: 'device-secret-stale' }]);
});

test('a folder that cannot take the file leaves the password alone to do it', async () => {
  const dataDir = join(await temporaryFolder(), 'not', 'there');
  const { read, logger } = await reader(dataDir);
  expect(await read()).toBeNull();
  await mkdir(join(dataDir, 'device.secret'), { recursive: true });
  expect(await read()).toBeNull();
  await mkdir(join(dataDir, 'inner', 'device.secret.tmp'), { recursive: true });
  expect(await (await reader(join(dataDir, 'inner'))).read()).toBeNull();
  expect(logger.lines.map(({ event }) => event)).toEqual([
    'device-secret-not-made',
    'device-secret-unreadable',
  ]);
});

test('the secret is in no line of the log', async () => {
  const dataDir = await temporaryFolder();
  const { read, safeStorage, logger } = await reader(dataDir);
  const secret = Buffer.from((await read()) ?? []);
  safeStorage.stale = true;
  safeStorage.broken = 'garbles';
  await read();
  const said = JSON.stringify(logger.lines);
  expect(logger.lines.length).toBeGreaterThan(0);
  for (const text of [secret.toString('base64').slice(0, 8), secret.toString('hex').slice(0, 8)])
    expect(said).not.toContain(text);
});

test('diagnostics names the key store', () => {
  const safeStorage = new FakeSafeStorage();
  const nameOn = (platform: NodeJS.Platform) => storageBackend({ safeStorage, platform }, 'open');
  expect(nameOn('linux')).toBe('gnome_libsecret');
  expect(nameOn('darwin')).toBe('keychain');
  expect(nameOn('win32')).toBe('dpapi');
  expect(nameOn('freebsd')).toBe('none');
});

test('a secret belongs to the name of the application, and is not spoilt under another', async () => {
  const dataDir = await temporaryFolder();
  const start = (owner: Parameters<typeof nameApplication>[1]) => {
    let name = 'Electron';
    const setName = (given: string): void => void (name = given);
    nameApplication(
      { setName, setAppUserModelId: () => undefined, setToastActivatorCLSID: () => undefined },
      owner,
      'linux',
    );
    return reader(dataDir, new FakeSafeStorage('ann', () => name));
  };
  const { file, read } = await start('development');
  const secret = await read();
  const kept = await readFile(file);
  const shipped = await start('shipped');
  expect(await shipped.reading()).toEqual({ kind: 'none' });
  expect(await readFile(file)).toEqual(kept);
  expect(await (await start('development')).read()).toEqual(secret);
});
