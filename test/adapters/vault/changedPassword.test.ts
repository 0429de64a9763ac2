import { randomBytes } from 'node:crypto';
import { cp, readdir, readFile, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { ran } from '../../support/smallDisk.ts';
import { afterwards, mayMount, preparedOnce, smallDisk } from '../support.ts';
import {
  afterwardsText,
  keysIn,
  makeVault,
  openVault,
  settled,
  writeAfterwards,
  wrongWith,
  type Opened,
} from './changedVault.ts';
import { formerKey, openedBy } from './formerKey.ts';
import { incident, password, upserts } from './support.ts';

let vaultId = '';
const made = preparedOnce(async (dataDir) => {
  vaultId = await makeVault(dataDir, password);
});

const folderOf = (dataDir: string): string => join(dataDir, 'vaults', vaultId);

async function open(dataDir: string, secret: string): Promise<Opened> {
  const opened = await openVault(dataDir, secret);
  if (!opened) throw new Error('The vault does not open');
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => (closing ??= opened.close());
  afterwards(close);
  return { ...opened, close };
}

test('who has a former key and its password reads nothing after a changed password, and nothing is lost', async () => {
  const dataDir = await made();
  const former = await formerKey(vaultId, await readFile(join(folderOf(dataDir), 'key.a')), password);
  const kinds = (texts: readonly string[]): string[] => [
    ...new Set(texts.map((text) => text.split(' ')[0] ?? '')),
  ];
  expect(kinds(await openedBy(former, dataDir)).sort()).toEqual(
    ['anchor', 'block', 'document', 'head', 'partial', 'row', 'sealed', 'sidecar'].sort(),
  );

  const opened = await open(dataDir, password);
  expect(await opened.vault.reseal('next')).toMatchObject({ ok: true });
  await writeAfterwards(opened);
  expect((await openedBy(former, dataDir)).filter((text) => text.includes(afterwardsText))).toEqual([]);
  await settled(dataDir, vaultId);
  expect(await wrongWith(opened, true)).toEqual([]);
  await opened.close();
  expect(await openedBy(former, dataDir)).toEqual([]);

  // Once more, with files whose key is sealed beside them.
  const again = await open(dataDir, 'next');
  expect(await wrongWith(again, true)).toEqual([]);
  const second = await formerKey(vaultId, await readFile(join(folderOf(dataDir), 'key.b')), 'next');
  expect((await openedBy(second, dataDir)).length).toBeGreaterThan(0);
  expect(await again.vault.reseal('third')).toMatchObject({ ok: true });
  await settled(dataDir, vaultId);
  await again.close();
  expect(await openedBy(second, dataDir)).toEqual([]);
  const third = await open(dataDir, 'third');
  expect(await wrongWith(third, true)).toEqual([]);

  // An item that is gone leaves nothing, and what is swept neither.
  const ids = [...(await third.records.spool.list()).keys()];
  for (const id of ids) await third.records.spool.remove(id);
  await third.records.contents.sweep(new Set(), new Set());
  for (const name of ['spool', 'contents']) expect(await readdir(join(folderOf(dataDir), name))).toEqual([]);
});

test('a change without its records is completed by the next opening', async () => {
  const dataDir = await made();
  const opened = await open(dataDir, password);
  await opened.records.close();
  expect(await opened.vault.reseal('next')).toMatchObject({ ok: true });
  await opened.close();
  expect(keysIn(dataDir, vaultId)).toEqual([2, 2]);
  const again = await open(dataDir, 'next');
  await settled(dataDir, vaultId);
  expect(await wrongWith(again, false)).toEqual([]);
});

test('what was removed before a change is still noticed after it', async () => {
  const dataDir = await made();
  const path = join(folderOf(dataDir), 'outbox.sqlite');
  const database = new DatabaseSync(path);
  database.exec("DELETE FROM entries WHERE kind = 'notes'");
  database.close();
  const opened = await open(dataDir, password);
  expect(opened.records.rollback).toBe('altered');
  expect(await opened.vault.reseal('next')).toMatchObject({ ok: true });
  await settled(dataDir, vaultId);
  await opened.close();
  expect((await open(dataDir, 'next')).records.rollback).toBe('altered');
});

test('a database that was set aside keeps the key that seals it', async () => {
  const dataDir = await made();
  const aside = join(folderOf(dataDir), 'unreadable-outbox-20261128T000000000Z.sqlite');
  await cp(join(folderOf(dataDir), 'outbox.sqlite'), aside);
  for (const secret of ['next', 'third']) {
    const opened = await open(dataDir, secret === 'next' ? password : 'next');
    expect(await opened.vault.reseal(secret)).toMatchObject({ ok: true });
    await opened.close();
  }
  expect(keysIn(dataDir, vaultId)).toEqual([3, 3]);
  await rm(aside);
  const third = await open(dataDir, 'third');
  await settled(dataDir, vaultId);
  expect(await wrongWith(third, false)).toEqual([]);
});

test.runIf(mayMount())(
  'on a full disk nothing is sealed with the former key, and all is again with room',
  async () => {
    const disk = await smallDisk(12);
    const id = await makeVault(disk, password);
    const former = await formerKey(id, await readFile(join(disk, 'vaults', id, 'key.a')), password);
    const opened = await open(disk, password);
    // A megabyte that does not shrink: to seal it again takes another one.
    const long = Array.from({ length: 500 }, (_, index) => {
      const otherFields = [{ name: 'crew', json: JSON.stringify(randomBytes(2_000).toString('base64')) }];
      return incident(1_000 + index, {
        record: { ...incident(index).record, id: `i${String(index)}`, otherFields },
      });
    });
    expect(await opened.vault.cache.write(upserts(long))).toMatchObject({ ok: true });
    const filler = join(disk, 'filler');
    ran('dd', 'if=/dev/zero', `of=${filler}`, 'bs=4096');
    await truncate(filler, 4096 * Math.floor(((await readFile(filler)).byteLength - 200_000) / 4096));

    expect(await opened.vault.reseal('next')).toMatchObject({ ok: true });
    const severity = afterwardsText;
    const later = upserts([incident(9, { record: { ...incident(9).record, severity } })]);
    expect(await opened.vault.cache.write(later)).toMatchObject({ ok: false });
    const shown = async (): Promise<readonly string[]> => {
      // On the other disk there is room for a copy.
      const found = await openedBy(former, disk);
      return found.filter((text) => text.startsWith('block'));
    };
    expect((await shown()).length).toBeGreaterThan(0);
    await rm(filler);
    expect(await opened.vault.cache.write(later)).toMatchObject({ ok: true });
    expect(await shown()).toEqual([]);
    await opened.close();
    const again = await open(disk, 'next');
    await settled(disk, id);
    await again.close();
  },
);
