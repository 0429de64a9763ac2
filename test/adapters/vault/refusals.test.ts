import { chmod, cp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ran } from '../../support/smallDisk.ts';
import { isRoot, mayMount, smallDisk, temporaryFolder } from '../support.ts';
import {
  contents,
  created,
  createVaultRig,
  folderOf,
  incidents,
  now,
  opened,
  password,
  upserts,
  username,
  write,
  type VaultRig,
} from './support.ts';
import { saying } from '../../support/messages.ts';

const fill = (folder: string): boolean =>
  ran('dd', 'if=/dev/zero', `of=${join(folder, 'filler')}`, 'bs=4096');
const said = (part: string): unknown => ({
  ok: false,
  failure: { code: 'storage-failed', sentence: saying(expect.stringContaining(part)) },
});

async function shelfWithVault(dataDir: string): Promise<{ shelf: VaultRig; folder: string }> {
  const shelf = createVaultRig({ dataDir });
  const vault = await created(shelf);
  await write(vault, incidents(250));
  await vault.noteSync(now, 0);
  await vault.close();
  return { shelf, folder: folderOf(shelf, vault) };
}

describe('a separate disk', () => {
  const possible = mayMount();

  test.runIf(possible)(
    'a full disk opens the vault, says what it cannot keep, and keeps it when it can',
    async () => {
      const disk = await smallDisk(2);
      const { shelf, folder } = await shelfWithVault(disk);
      // A header that should be written anew must not keep the vault from opening either.
      await rm(join(folder, 'about.json'));
      fill(disk);
      const vault = await opened(shelf);
      expect(vault.notice).toBeNull();
      expect((await contents(vault)).byId.size).toBe(250);
      expect(await vault.cache.write(upserts(incidents(2_000, 1_000)))).toMatchObject(
        said('Disk full') as object,
      );
      expect(await vault.reseal('next')).toMatchObject(said('Disk full') as object);
      await vault.noteSync(now + 1, 1);
      expect(await vault.matches(password)).toBe(true);
      expect(await shelf.repository.create('bob', password)).toMatchObject(said('Disk full') as object);
      expect((await contents(vault)).byId.size).toBe(250);
      ran('rm', join(disk, 'filler'));
      await write(vault, incidents(2_000, 1_000));
      expect((await vault.reseal('next')).ok).toBe(true);
      await vault.close();
      expect((await contents(await opened(shelf, username, 'next'))).byId.size).toBe(2_250);
      expect((await readdir(folderOf(shelf, vault))).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    },
  );

  test.runIf(possible)('a disk gone read-only opens the vault and refuses changes in words', async () => {
    const disk = await smallDisk(2);
    const { shelf } = await shelfWithVault(disk);
    expect(ran('mount', '-o', 'remount,ro', disk)).toBe(true);
    const vault = await opened(shelf);
    expect((await contents(vault)).byId.size).toBe(250);
    expect(await vault.cache.write(upserts(incidents(1, 900)))).toMatchObject(said('read-only') as object);
    expect(await shelf.repository.setAside('bob')).toEqual({ ok: true, value: null });
    expect(await shelf.repository.create('bob', password)).toMatchObject(said('read-only') as object);
    await vault.close();
    expect(await shelf.repository.setAside(username)).toMatchObject(said('read-only') as object);
    expect(await shelf.repository.erase(vault.id)).toMatchObject(said('read-only') as object);
    expect(await shelf.repository.summaries()).toHaveLength(1);
  });

  test.runIf(possible)('a vault opened on a read-only disk writes when the disk can be written', async () => {
    const disk = await smallDisk(2);
    const { shelf } = await shelfWithVault(disk);
    ran('mount', '-o', 'remount,ro', disk);
    const vault = await opened(shelf);
    expect(await vault.cache.write(upserts(incidents(1, 900)))).toMatchObject(said('read-only') as object);
    ran('mount', '-o', 'remount,rw', disk);
    await write(vault, incidents(1, 900));
    await vault.close();
    expect((await contents(await opened(shelf))).byId.size).toBe(251);
  });

  test.runIf(possible)('a read-only disk gives what a killed console wrote last', async () => {
    const disk = await smallDisk(2);
    const before = await shelfWithVault(await temporaryFolder());
    const alive = await opened(before.shelf);
    await write(alive, incidents(1, 900));
    // Without a close: the change is in the log only.
    await cp(before.shelf.dataDir, disk, { recursive: true });
    ran('mount', '-o', 'remount,ro', disk);
    const vault = await opened(createVaultRig({ dataDir: disk }));
    expect((await contents(vault)).byId.size).toBe(251);
    expect(await vault.cache.write(upserts(incidents(1, 950)))).toMatchObject(said('read-only') as object);
  });
});

test.skipIf(isRoot)('a folder that this user may not write opens the vault and refuses changes', async () => {
  const { shelf, folder } = await shelfWithVault(await temporaryFolder());
  const root = join(shelf.dataDir, 'vaults');
  for (const place of [folder, root]) {
    await chmod(place, 0o500);
    onTestFinished(() => chmod(place, 0o700));
  }
  const vault = await opened(shelf);
  expect((await contents(vault)).byId.size).toBe(250);
  expect(await vault.cache.write(upserts(incidents(1, 900)))).toMatchObject(said('read-only') as object);
  expect(await shelf.repository.create('bob', password)).toMatchObject(said('may not') as object);
});

test('files that the system keeps from being changed are said (needs chattr)', async ({ skip }) => {
  const { shelf, folder } = await shelfWithVault(await temporaryFolder());
  skip(!ran('chattr', '+i', join(folder, 'key.a')), 'chattr is not possible here');
  onTestFinished(() => void ran('chattr', '-i', join(folder, 'key.a')));
  const vault = await opened(shelf);
  expect(await vault.reseal('next')).toMatchObject(said('may not') as object);
  await vault.close();
  expect((await shelf.repository.open(username, password)).kind).toBe('opened');
});

test('a file in the place of the folders is said', async () => {
  const dataDir = await temporaryFolder();
  await writeFile(join(dataDir, 'vaults'), '');
  const shelf = createVaultRig({ dataDir });
  expect(await shelf.repository.summaries()).toEqual([]);
  expect(await shelf.repository.create(username, password)).toMatchObject(
    said('Something in the data folder') as object,
  );
  expect(await shelf.repository.open(username, password)).toMatchObject({
    kind: 'unusable',
    failure: { code: 'storage-failed' },
  });
});
