import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openProfileFolder } from '../../../src-main/hosts/desktop/profileFolder.ts';
import { mayMount, smallDisk, temporaryFolder } from '../../adapters/support.ts';
import { ran } from '../../support/smallDisk.ts';

test('a profile folder says what it is, once', async () => {
  const dataDir = await temporaryFolder();
  const folder = openProfileFolder(dataDir, () => 'none');
  expect(folder).toBe(join(dataDir, 'profile'));
  expect(await readdir(folder)).toEqual(['DO-NOT-DELETE.txt']);
  const notice = join(folder, 'DO-NOT-DELETE.txt');
  expect(await readFile(notice, 'utf8')).toContain('Local State');
  await writeFile(notice, 'mine');
  expect(openProfileFolder(dataDir, () => 'none')).toBe(folder);
  expect(await readFile(notice, 'utf8')).toBe('mine');
});

test.skipIf(!mayMount()).each([
  ['read-only', (disk: string) => ran('mount', '-o', 'remount,ro', disk)],
  ['full', (disk: string) => !ran('dd', 'if=/dev/zero', `of=${join(disk, 'filling')}`, 'bs=64k')],
])('on a %s disk a passing folder serves, with the key of Windows', async (_how, harm) => {
  const disk = await smallDisk(1);
  await mkdir(join(disk, 'profile'));
  await writeFile(join(disk, 'profile', 'Local State'), 'key');
  expect(harm(disk)).toBe(true);
  const passing = await temporaryFolder();
  expect(openProfileFolder(disk, () => passing)).toBe(passing);
  expect(await readFile(join(passing, 'Local State'), 'utf8')).toBe('key');
});

test.skipIf(!mayMount())('on a read-only disk the first start has a passing folder too', async () => {
  const disk = await smallDisk(1);
  ran('mount', '-o', 'remount,ro', disk);
  const passing = await temporaryFolder();
  expect(openProfileFolder(disk, () => passing)).toBe(passing);
  expect(await readdir(passing)).toEqual([]);
});
