import { chmod, lstat, mkdir, open, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDataFolder } from '../../src-main/adapters/dataFolder.ts';
import {
  beginFile,
  makeFolder,
  moveFile,
  piecesOf,
  readAt,
  replaceFile,
  writeAtomically,
} from '../../src-main/adapters/durableFiles.ts';
import { hasModes, modeOf, temporaryFolder } from './support.ts';

test('a link that was planted where the new file is written first is not written through', async () => {
  const folder = await temporaryFolder();
  const [path, target] = [join(folder, 'settings.json'), join(folder, 'target')];
  await writeFile(target, 'of somebody else');
  await symlink(target, `${path}.tmp`);
  await writeAtomically(path, 'new');
  expect(await readFile(path, 'utf8')).toBe('new');
  expect((await lstat(path)).isFile()).toBe(true);
  expect(await readFile(target, 'utf8')).toBe('of somebody else');
});

test('a link in the place of the file is replaced, and not what it names', async () => {
  const folder = await temporaryFolder();
  const [path, target] = [join(folder, 'settings.json'), join(folder, 'target')];
  await writeFile(target, 'of somebody else');
  await symlink(target, path);
  await writeAtomically(path, Buffer.from('new'));
  expect(await readFile(path, 'utf8')).toBe('new');
  expect(await readFile(target, 'utf8')).toBe('of somebody else');
});

test('what an interrupted write left is replaced, and a failed one leaves the old file and nothing else', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'settings.json');
  await writeFile(`${path}.tmp`, 'half');
  await writeAtomically(path, 'first');
  expect(await readdir(folder)).toEqual(['settings.json']);
  if (hasModes) expect(await modeOf(path)).toBe(0o600);
  const asFolder = join(folder, 'folder');
  await mkdir(join(asFolder, 'within'), { recursive: true });
  await expect(writeAtomically(asFolder, 'new')).rejects.toThrow();
  expect(await readdir(folder)).toEqual(['folder', 'settings.json']);
});

test.runIf(platform() === 'linux').each([
  ['makeFolder', makeFolder],
  ['openDataFolder', openDataFolder],
])('%s makes the name of each new folder safe in its parent', async (_name, make) => {
  const folder = await temporaryFolder();
  const file = await open(folder);
  const handles = Object.getPrototypeOf(file) as typeof file;
  await file.close();
  const synced: string[] = [];
  const { sync } = handles;
  handles.sync = async function (this: typeof file) {
    synced.push(await readlink(`/proc/self/fd/${String(this.fd)}`));
    return sync.call(this);
  };
  onTestFinished(() => void (handles.sync = sync));
  await make(join(folder, 'a', 'b'));
  expect(synced.sort()).toEqual([folder, join(folder, 'a')]);
  synced.length = 0;
  await make(join(folder, 'a', 'b'));
  expect(synced).toEqual([]);
});

test('a new file is never one that is there, nor what a link names', async () => {
  const folder = await temporaryFolder();
  const [path, target] = [join(folder, 'new'), join(folder, 'target')];
  await symlink(target, path);
  await expect(beginFile(path)).rejects.toMatchObject({ code: 'EEXIST' });
  expect(await readdir(folder)).toEqual(['new']);
});

test('a new file holds what was written in turn, and is gone when it is discarded, finished or not', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'new');
  for (const isFinished of [true, false]) {
    const file = await beginFile(path);
    await file.write('one ');
    await file.write(new Uint8Array());
    await file.write(Buffer.from('two'));
    if (isFinished) await file.finish();
    expect(await readFile(path, 'utf8')).toBe('one two');
    if (hasModes) expect(await modeOf(path)).toBe(0o600);
    await file.discard();
    await file.discard();
    expect(await readdir(folder)).toEqual([]);
  }
});

test.skipIf(!hasModes)(
  'folders are made of this user alone, and one that others share stays theirs',
  async () => {
    const shared = join(await temporaryFolder(), 'shared');
    await mkdir(shared);
    await chmod(shared, 0o755);
    const folder = join(shared, 'a', 'b');
    await Promise.all([makeFolder(folder), makeFolder(folder), replaceFile(join(folder, 'file'), 'text')]);
    expect(await Promise.all([shared, join(shared, 'a'), folder].map(modeOf))).toEqual([0o755, 0o700, 0o700]);
    await chmod(folder, 0o777);
    await makeFolder(folder);
    expect(await modeOf(folder)).toBe(0o700);
    expect(await readFile(join(folder, 'file'), 'utf8')).toBe('text');
    await writeFile(join(folder, 'in the way'), '');
    await expect(makeFolder(join(folder, 'in the way', 'c'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  },
);

test('a file is read from any place to its end, and in pieces that do not share a buffer', async () => {
  const path = join(await temporaryFolder(), 'file');
  const bytes = Uint8Array.from({ length: 2 * 1024 * 1024 + 5 }, (_, at) => at % 251);
  await writeFile(path, bytes);
  const file = await open(path, 'r');
  expect(await readAt(file, 10, new Uint8Array(5))).toEqual(bytes.subarray(10, 15));
  expect(await readAt(file, bytes.byteLength - 3, new Uint8Array(9))).toEqual(bytes.subarray(-3));
  expect(await readAt(file, bytes.byteLength + 3, new Uint8Array(9))).toEqual(new Uint8Array());
  const pieces: Uint8Array[] = [];
  for await (const piece of piecesOf(file)) pieces.push(piece);
  expect(pieces.map(({ byteLength }) => byteLength)).toEqual([1024 * 1024, 1024 * 1024, 5]);
  expect(Buffer.compare(Buffer.concat(pieces), bytes)).toBe(0);
  await expect(file.stat()).rejects.toThrow();
});

test.each([
  ['win32', 'EPERM', 2, 3],
  ['win32', 'EBUSY', 9, 10],
  ['win32', 'EACCES', 10, 'EACCES'],
  ['win32', 'ENOSPC', 1, 'ENOSPC'],
  ['linux', 'EPERM', 1, 'EPERM'],
] as const)('a rename that fails on %s with %s, %i times: %s', async (platform, code, failures, wanted) => {
  let tries = 0;
  const moved = moveFile('a', 'b', {
    platform,
    pause: () => Promise.resolve(),
    move: () => {
      tries += 1;
      return tries > failures ? Promise.resolve() : Promise.reject(Object.assign(new Error(code), { code }));
    },
  });
  await (typeof wanted === 'number'
    ? moved.then(() => expect(tries).toBe(wanted))
    : expect(moved).rejects.toMatchObject({ code: wanted }));
});
