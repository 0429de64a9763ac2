import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  anchorsFolderOf,
  defaultDataFolder,
  moveRoamingData,
  openDataFolder,
} from '../../src-main/adapters/dataFolder.ts';
import { createDocuments } from '../../src-main/adapters/documents.ts';
import { createNodePorts } from '../../src-main/adapters/index.ts';
import { largestTextFile, readTextFile } from '../../src-main/adapters/textFile.ts';
import { hasModes, isRoot, modeOf, temporaryFolder } from './support.ts';

describe('documents', () => {
  test('what was written is read, what was not is null, what was removed is gone', async () => {
    const dir = join(await temporaryFolder(), 'data');
    const documents = createDocuments(dir);
    expect(await documents.read('preferences.json')).toBeNull();
    await documents.write('preferences.json', '{"a":"ü"}');
    expect(await createDocuments(dir).read('preferences.json')).toBe('{"a":"ü"}');
    await documents.remove('preferences.json');
    await documents.remove('preferences.json');
    expect(await documents.read('preferences.json')).toBeNull();
  });

  test('the last of many writes at once stays, and no temporary file', async () => {
    const dir = await temporaryFolder();
    const documents = createDocuments(dir);
    const writes = Array.from({ length: 40 }, (_, index) =>
      documents.write('a.json', 'x'.repeat(10_000 - index)),
    );
    await Promise.all(writes);
    expect((await documents.read('a.json'))?.length).toBe(10_000 - 39);
    expect(await readdir(dir)).toEqual(['a.json']);
  });

  test.runIf(hasModes)('a document is 0600 in a folder of 0700, also where they were open', async () => {
    const dir = join(await temporaryFolder(), 'data');
    await mkdir(dir, { mode: 0o755 });
    await writeFile(join(dir, 'a.json'), 'old', { mode: 0o644 });
    await createDocuments(dir).write('a.json', 'new');
    expect(await modeOf(dir)).toBe(0o700);
    expect(await modeOf(join(dir, 'a.json'))).toBe(0o600);
  });

  test.each(['../a', 'a/b', 'a\\b', '.hidden', '', 'A.json', 'a b', '..', 'x'.repeat(200)])(
    'the name %j is refused',
    async (name) => {
      const documents = createDocuments(await temporaryFolder());
      await expect(documents.read(name)).rejects.toThrow(RangeError);
      await expect(documents.write(name, '')).rejects.toThrow(RangeError);
      await expect(documents.remove(name)).rejects.toThrow(RangeError);
    },
  );

  test('a document that is there and cannot be read rejects; a failed write leaves nothing behind', async () => {
    const dir = await temporaryFolder();
    await mkdir(join(dir, 'a.json'));
    const documents = createDocuments(dir);
    await expect(documents.read('a.json')).rejects.toThrow();
    await expect(documents.write('a.json', 'x')).rejects.toThrow();
    expect(await readdir(dir)).toEqual(['a.json']);
    await documents.write('b.json', 'fine');
    expect(await documents.read('b.json')).toBe('fine');
  });
});

describe('data folder', () => {
  const home = '/home/op';
  test.each([
    ['linux', {}, '/home/op/.local/share/field-console'],
    ['linux', { XDG_DATA_HOME: '/data' }, '/data/field-console'],
    ['linux', { XDG_DATA_HOME: 'relative' }, '/home/op/.local/share/field-console'],
    ['darwin', {}, '/home/op/Library/Application Support/Field Console'],
    ['win32', { APPDATA: '/Roaming', LOCALAPPDATA: '/Local' }, '/Local/Field Console'],
    ['win32', {}, '/home/op/AppData/Local/Field Console'],
  ] as const)('by default on %s with %j: %s', (platform, env, expected) => {
    expect(defaultDataFolder({ platform, env, home }).replaceAll('\\', '/')).toBe(expected);
  });

  test.each([
    ['linux', {}, '/home/op/.local/state/field-console/anchors'],
    ['linux', { XDG_STATE_HOME: '/state' }, '/state/field-console/anchors'],
    ['linux', { XDG_STATE_HOME: 'relative' }, '/home/op/.local/state/field-console/anchors'],
    ['darwin', {}, '/home/op/Library/Application Support/Field Console State/anchors'],
    ['win32', { LOCALAPPDATA: '/Local' }, '/Local/Field Console State/anchors'],
    ['win32', {}, '/home/op/AppData/Local/Field Console State/anchors'],
    ['linux', { FIELD_CONSOLE_STATE_DIR: '/elsewhere' }, '/elsewhere/anchors'],
  ] as const)('its anchors lie outside of it, on %s with %j: %s', (platform, env, expected) => {
    const anchors = anchorsFolderOf({ platform, env, home }).replaceAll('\\', '/');
    expect(anchors).toBe(expected);
    const data = defaultDataFolder({ platform, env, home }).replaceAll('\\', '/');
    expect(anchors.startsWith(`${data}/`)).toBe(false);
  });

  test('is made, with its parents, and left without a trace of the probe', async () => {
    const path = join(await temporaryFolder(), 'a', 'b');
    expect(await openDataFolder(path)).toEqual({ ok: true, path });
    expect(await readdir(path)).toEqual([]);
    if (hasModes) expect(await modeOf(path)).toBe(0o700);
  });

  test('a file in its place is said', async () => {
    const file = join(await temporaryFolder(), 'file');
    await writeFile(file, '');
    for (const path of [file, join(file, 'below')]) {
      const result = await openDataFolder(path);
      expect(result).toMatchObject({ ok: false, sentence: expect.stringContaining('is a file') as string });
    }
  });

  test.runIf(hasModes && !isRoot)('a folder of someone else is said', async () => {
    expect(await openDataFolder('/')).toMatchObject({ ok: false });
  });
});

describe('the data folder of 0.2 on Windows', () => {
  /** A profile of Windows with a data folder of 0.2 in its roaming half. */
  async function profile({ local = true } = {}) {
    const home = await temporaryFolder();
    const windows = {
      platform: 'win32',
      env: { APPDATA: join(home, 'Roaming'), LOCALAPPDATA: join(home, 'Local') },
      home,
    } as const;
    const roaming = join(home, 'Roaming', 'Field Console');
    for (const folder of ['profile', 'vaults', 'training']) {
      await mkdir(join(roaming, folder), { recursive: true });
    }
    await writeFile(join(roaming, 'device.secret'), 'sealed');
    await writeFile(join(roaming, 'profile', 'Local State'), 'key of device.secret');
    if (local) await mkdir(join(home, 'Local'));
    return { windows, roaming, local: join(home, 'Local', 'Field Console') };
  }
  const moved = ['device.secret', 'profile', 'training', 'vaults'];

  test('is moved out of the roaming profile, with the key in Local State', async () => {
    const { windows, roaming, local } = await profile();
    moveRoamingData(windows);
    expect(defaultDataFolder(windows)).toBe(local);
    expect(await readdir(local)).toEqual(moved);
    expect(await readFile(join(local, 'profile', 'Local State'), 'utf8')).toBe('key of device.secret');
    await expect(stat(roaming)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('stays in its place and in use where it cannot be moved, until it can be', async () => {
    // As on another volume, the new place cannot take it.
    const { windows, roaming, local } = await profile({ local: false });
    moveRoamingData(windows);
    expect(defaultDataFolder(windows)).toBe(roaming);
    expect(await readdir(roaming)).toEqual(moved);
    await mkdir(windows.env.LOCALAPPDATA);
    moveRoamingData(windows);
    expect(defaultDataFolder(windows)).toBe(local);
    expect(await readdir(local)).toEqual(moved);
  });

  test('is left alone beside newer data', async () => {
    const { windows, roaming, local } = await profile();
    await mkdir(local);
    await writeFile(join(local, 'preferences.json'), '{}');
    moveRoamingData(windows);
    expect(defaultDataFolder(windows)).toBe(local);
    expect(await readdir(local)).toEqual(['preferences.json']);
    expect(await readdir(roaming)).toEqual(moved);
  });

  test('is not looked for on another system', async () => {
    const { windows, roaming } = await profile();
    moveRoamingData({ ...windows, platform: 'linux' });
    expect(await readdir(roaming)).toEqual(moved);
  });
});

describe('text file', () => {
  test('up to 64 KiB are read, without a byte order mark, and no more', async () => {
    const path = join(await temporaryFolder(), 'site.json');
    await writeFile(path, '\ufeff{"ü":1}');
    expect(await readTextFile(path)).toBe('{"ü":1}');
    await writeFile(path, 'x'.repeat(largestTextFile));
    expect(await readTextFile(path)).toHaveLength(65_536);
    await writeFile(path, 'x'.repeat(largestTextFile + 1));
    await expect(readTextFile(path)).rejects.toMatchObject({ reason: 'tooLarge' });
  });

  test('what cannot be read is reported with its reason', async () => {
    const folder = await temporaryFolder();
    await expect(readTextFile(join(folder, 'none.json'))).rejects.toMatchObject({ reason: 'missing' });
    await mkdir(join(folder, 'folder'));
    await expect(readTextFile(join(folder, 'folder'))).rejects.toMatchObject({ reason: 'notAFile' });
    await writeFile(join(folder, 'bytes'), Buffer.from([0xff, 0xfe, 0x00]));
    await expect(readTextFile(join(folder, 'bytes'))).rejects.toMatchObject({ reason: 'notText' });
  });

  test.runIf(hasModes)('a named pipe does not hold the console up', async () => {
    const pipe = join(await temporaryFolder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    await expect(readTextFile(pipe)).rejects.toMatchObject({ reason: 'notAFile' });
  });
});

test('what is let go is gone from the memory when garbage is collected', async () => {
  const ports = createNodePorts({
    dataDir: await temporaryFolder(),
    logLevel: 'info',
    openExternal: () => Promise.resolve(false),
  });
  const letGo = new WeakRef({ password: 'a secret' });
  // A weak reference holds until the end of its turn.
  await new Promise((resolve) => setImmediate(resolve));
  ports.collectGarbage();
  expect(letGo.deref()).toBeUndefined();
  await ports.close();
});

test('the node ports work together in one folder', async () => {
  const dataDir = await temporaryFolder();
  const ports = createNodePorts({ dataDir, logLevel: 'info', openExternal: () => Promise.resolve(false) });
  await ports.documents.write('a.json', '{}');
  ports.logger.info('console-open');
  await ports.close();
  expect(await ports.readTextFile(join(dataDir, 'a.json'))).toBe('{}');
  expect((await stat(join(dataDir, 'logs', 'console.log'))).size).toBeGreaterThan(10);
});
