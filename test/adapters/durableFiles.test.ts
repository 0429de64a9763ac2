import { lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeAtomically } from '../../src-main/adapters/durableFiles.ts';
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
