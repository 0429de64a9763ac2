import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { hasModes, modeOf, preparedOnce, temporaryFolder } from '../support.ts';
import {
  contents,
  created,
  createVaultRig,
  folderOf,
  incident,
  incidents,
  now,
  opened,
  password,
  upserts,
  username,
  write,
  type VaultRig,
} from './support.ts';
import { writeLog } from '../../faults/support/hostileDatabase.ts';
import { said, saying } from '../../support/messages.ts';

const pathOf = (shelf: VaultRig, vault: { readonly id: string }): string =>
  join(folderOf(shelf, vault), 'cache.sqlite');

test('incidents are handed over in batches of at most 2,000, each of them once, as they were written', async () => {
  const shelf = createVaultRig({ dataDir: await temporaryFolder() });
  const vault = await created(shelf);
  const all = incidents(5_050);
  for (let at = 0; at < 5_000; at += 200) await write(vault, all.slice(at, at + 200));
  for (const one of all.slice(5_000)) await write(vault, [one]);
  expect(await vault.cache.size()).toMatchObject({ ok: true, value: { incidents: 5_050 } });
  await vault.close();
  const again = await opened(shelf);
  const { byId, damaged, batches } = await contents(again);
  expect(damaged).toBe(0);
  expect(Math.max(...batches)).toBeLessThanOrEqual(2_000);
  expect([...byId.values()]).toEqual(all);
});

test('the next batch waits for the one before, and a taker that fails ends the load', async () => {
  const shelf = createVaultRig({ dataDir: await temporaryFolder() });
  const vault = await created(shelf);
  for (let at = 0; at < 9_000; at += 1_500) await write(vault, incidents(1_500, at));
  let inside = 0;
  let most = 0;
  await vault.cache.load(async () => {
    inside += 1;
    most = Math.max(most, inside);
    await new Promise((resolve) => setImmediate(resolve));
    inside -= 1;
  });
  expect(most).toBe(1);
  let calls = 0;
  const cut = await vault.cache.load(() => {
    calls += 1;
    throw new Error('enough');
  });
  expect(cut.ok).toBe(false);
  expect(calls).toBe(1);
  expect((await contents(vault)).byId.size).toBe(9_000);
});

test('a change replaces, adds and removes, also before anything was loaded', async () => {
  const shelf = createVaultRig({ dataDir: await temporaryFolder() });
  const first = await created(shelf);
  await write(first, incidents(450));
  await first.close();
  const vault = await opened(shelf);
  const changed = incident(7, { lastSeenAt: now + 9, notReturnedSince: now });
  const written = await vault.cache.write({
    upserts: [
      changed,
      incident(900),
      incident(3, { arrivedAt: 1 }),
      incident(3, { arrivedAt: 2 }),
      incident(5, { arrivedAt: 4 }),
    ],
    removals: [incident(1).record.id, 'unknown', incident(5).record.id, incident(449).record.id],
    documents: { ledger: '{"windows":[1]}', 'other-one': 'ö' },
  });
  expect(written.ok).toBe(true);
  await vault.close();
  const again = await opened(shelf);
  const { byId } = await contents(again);
  expect(byId.size).toBe(449);
  expect(byId.get(changed.record.id)).toEqual(changed);
  expect(byId.get(incident(900).record.id)).toEqual(incident(900));
  expect(byId.get(incident(3).record.id)?.arrivedAt).toBe(2);
  expect(byId.get(incident(5).record.id)?.arrivedAt).toBe(4);
  expect(byId.has(incident(1).record.id)).toBe(false);
  expect(await again.cache.document('ledger')).toEqual({ ok: true, value: '{"windows":[1]}' });
  expect(await again.cache.document('other-one')).toEqual({ ok: true, value: 'ö' });
  expect(await again.cache.document('none')).toEqual({ ok: true, value: null });
  // Everything can go.
  await again.cache.write({ upserts: [], removals: [...byId.keys()], documents: {} });
  expect((await contents(again)).byId.size).toBe(0);
  expect(await again.cache.size()).toMatchObject({ value: { incidents: 0 } });
});

test('incidents that are large each stay apart, and none is lost', async () => {
  const shelf = createVaultRig({ dataDir: await temporaryFolder() });
  const vault = await created(shelf);
  const large = incidents(30).map((one, index) => ({
    ...one,
    record: {
      ...one.record,
      otherFields: [{ name: 'note', json: JSON.stringify('n'.repeat(100_000) + String(index)) }],
    },
  }));
  await write(vault, large);
  for (const one of large.slice(0, 5)) await write(vault, [{ ...one, lastSeenAt: now + 1 }]);
  const { byId, batches } = await contents(vault);
  expect(byId.size).toBe(30);
  expect(batches.length).toBeGreaterThan(2);
  expect(byId.get(large[29]?.record.id ?? '')).toEqual(large[29]);
});

test('what comes as text stays that text, whatever it holds', async () => {
  const shelf = createVaultRig({ dataDir: await temporaryFolder() });
  const vault = await created(shelf);
  const odd = ['\ud800', 'a,\nb', '__proto__', '\u0000', '"],["', '\u2028', '🜁', ' '].map((id) => ({
    ...incident(1),
    record: { ...incident(1).record, id, status: id, otherFields: [{ name: id, json: 'null' }] },
  }));
  await write(vault, odd);
  for (const one of odd) await write(vault, [{ ...one, lastSeenAt: now + 1 }]);
  const { byId } = await contents(vault);
  expect([...byId.values()]).toEqual(odd.map((one) => ({ ...one, lastSeenAt: now + 1 })));
});

test('a block that was moved, or sealed elsewhere, is counted and dropped', async () => {
  const shelf = createVaultRig({ dataDir: await temporaryFolder() });
  const vault = await created(shelf);
  for (let at = 0; at < 600; at += 200) await write(vault, incidents(200, at));
  await vault.close();
  const other = await created(shelf, 'bob');
  await write(other, incidents(200, 5_000));
  await other.close();
  const database = new DatabaseSync(pathOf(shelf, vault));
  database.exec('UPDATE blocks SET sealed = (SELECT sealed FROM blocks WHERE number = 1) WHERE number = 2');
  database.prepare('ATTACH ? AS other').run(pathOf(shelf, other));
  database.exec(
    'UPDATE blocks SET sealed = (SELECT sealed FROM other.blocks WHERE number = 1) WHERE number = 3',
  );
  // Numbers that no JavaScript number holds, and none that was ever given.
  database.exec(
    'INSERT INTO blocks SELECT 9223372036854775000, -9223372036854775000, sealed FROM blocks LIMIT 1',
  );
  database.exec('INSERT INTO blocks SELECT -5, 9223372036854775000, sealed FROM blocks LIMIT 1');
  database.exec('UPDATE blocks SET entries = 9223372036854775000 WHERE number = 3');
  database.close();
  const again = await opened(shelf);
  expect(again.notice).toBeNull();
  const { byId, damaged } = await contents(again);
  expect([...byId.values()]).toEqual(incidents(200));
  expect(damaged).toBe(200 + 1 + 2);
  expect((await contents(again)).damaged).toBe(0);
  await write(again, incidents(200, 200));
  expect((await contents(again)).byId.size).toBe(400);
});

test('a damaged document is said in the log and read as none', async () => {
  const shelf = createVaultRig({ dataDir: await temporaryFolder() });
  const vault = await created(shelf);
  await vault.cache.write({ upserts: [], removals: [], documents: { ledger: 'a' } });
  await vault.close();
  const database = new DatabaseSync(pathOf(shelf, vault));
  database.exec(
    'UPDATE documents SET sealed = zeroblob(64) WHERE rowid > (SELECT min(rowid) FROM documents)',
  );
  database.close();
  const again = await opened(shelf);
  expect(await again.cache.document('ledger')).toEqual({ ok: true, value: null });
  expect(shelf.logger.lines.map(({ event }) => event)).toContain('vault.document-damaged');
});

/** The one of `tenIncidents`. */
let vault: { readonly id: string };
const tenIncidents = preparedOnce(async (dataDir) => {
  const made = await created(createVaultRig({ dataDir }));
  await write(made, incidents(10));
  await made.close();
  vault = { id: made.id };
});

test.each([
  ['is no database', (path: string) => writeFile(path, 'x'.repeat(9_000))],
  ['is empty', (path: string) => writeFile(path, '')],
  [
    'belongs to another key',
    (path: string) => {
      const database = new DatabaseSync(path);
      database.exec('UPDATE documents SET sealed = zeroblob(60)');
      database.close();
      return Promise.resolve();
    },
  ],
  [
    'has other tables',
    (path: string) => {
      const database = new DatabaseSync(path);
      database.exec('ALTER TABLE blocks ADD COLUMN extra');
      database.close();
      return Promise.resolve();
    },
  ],
  [
    'is of another version',
    (path: string) => {
      const database = new DatabaseSync(path);
      database.exec('PRAGMA user_version=9');
      database.close();
      return Promise.resolve();
    },
  ],
])('a cache that %s is put aside under a dated name, said, and begun anew', async (_name, damage) => {
  const shelf = createVaultRig({ dataDir: await tenIncidents() });
  for (const round of [1, 2]) {
    await damage(pathOf(shelf, vault));
    const again = await opened(shelf);
    expect(said(again.notice)).toMatch(/Can’t read.*set aside.*reads them from the service again/);
    expect((await contents(again)).byId.size).toBe(0);
    await write(again, incidents(10));
    await again.close();
    const aside = (await readdir(folderOf(shelf, vault))).filter((name) =>
      name.startsWith('unreadable-20261120T'),
    );
    expect(aside.filter((name) => name.endsWith('.sqlite'))).toHaveLength(round);
  }
  const whole = await opened(shelf);
  expect(whole.notice).toBeNull();
  expect((await contents(whole)).byId.size).toBe(10);
  await whole.close();
  expect((await shelf.repository.erase(vault.id)).ok).toBe(true);
  expect(await readdir(join(shelf.dataDir, 'vaults'))).toEqual([]);
});

test('a missing cache is said, and a log that lies about alone is not played into the new one', async () => {
  const shelf = createVaultRig({ dataDir: await temporaryFolder() });
  const vault = await created(shelf);
  await write(vault, incidents(10));
  await vault.close();
  await rm(pathOf(shelf, vault));
  await writeFile(`${pathOf(shelf, vault)}-wal`, Buffer.alloc(5_000, 1));
  const again = await opened(shelf);
  expect(said(again.notice)).toMatch(/missing.*reads them from the service again/);
  expect((await contents(again)).byId.size).toBe(0);
  if (hasModes) expect(await modeOf(pathOf(shelf, vault))).toBe(0o600);
});

test('a log that a kill cut off between the head of a frame and its page costs nothing that was stored', async () => {
  const shelf = createVaultRig({ dataDir: await temporaryFolder() });
  const vault = await created(shelf);
  const all = incidents(1_000);
  await write(vault, all);
  await vault.close();
  const path = pathOf(shelf, vault);
  const first = (await readFile(path)).subarray(0, 8192);
  for (const frames of [[1], [2, 1]]) {
    // A restarted log: below the new head is a page that was another one's.
    writeLog(path, new Map(frames.map((number) => [number, first])));
    const log = await readFile(`${path}-wal`);
    log.fill(7, log.byteLength - first.byteLength);
    await writeFile(`${path}-wal`, log);
    const again = await opened(shelf);
    expect(again.notice, `frames of pages ${frames.join(', ')}`).toBeNull();
    expect((await contents(again)).byId.size).toBe(all.length);
    await again.close();
  }
});

test('a log with pages that SQLite does not read counts for nothing', async () => {
  const shelf = createVaultRig({ dataDir: await temporaryFolder() });
  const vault = await created(shelf);
  await write(vault, incidents(10));
  await vault.close();
  const tiny = Buffer.alloc(8, 7);
  writeLog(pathOf(shelf, vault), new Map([1, 2, 3, 4, 5].map((number) => [number, tiny])), tiny.byteLength);
  const again = await opened(shelf);
  expect(again.notice).toBeNull();
  expect((await contents(again)).byId.size).toBe(10);
});

test('a log of SQLite that was cut off so opens with what was written before', async () => {
  const shelf = createVaultRig({ dataDir: await temporaryFolder() });
  const vault = await created(shelf);
  const all = incidents(1_000);
  await write(vault, all.slice(0, 500));
  await write(vault, all.slice(500));
  const path = pathOf(shelf, vault);
  const [file, log] = [await readFile(path), await readFile(`${path}-wal`)];
  const frames = Array.from({ length: (log.byteLength - 32) / 8216 }, (_, index) => 32 + 8216 * index);
  const last = frames.findLast((at) => log.readUInt32BE(at) === 1) ?? -1;
  expect(last).toBeGreaterThan(32);
  log.fill(7, last + 24, last + 8216);
  await vault.close();
  await writeFile(path, file);
  await writeFile(`${path}-wal`, log);
  const again = await opened(shelf);
  expect(again.notice).toBeNull();
  expect((await contents(again)).byId.size).toBeGreaterThan(0);
});

test('files that became legible to others are closed to them again', async () => {
  if (!hasModes) return;
  const shelf = createVaultRig({ dataDir: await temporaryFolder() });
  const vault = await created(shelf);
  await vault.close();
  await chmod(pathOf(shelf, vault), 0o644);
  await opened(shelf);
  expect(await modeOf(pathOf(shelf, vault))).toBe(0o600);
});

test('a cache that another program has is said, and opens when that one lets go', async () => {
  const shelf = createVaultRig({ dataDir: await temporaryFolder() });
  const vault = await created(shelf);
  await write(vault, incidents(4));
  await vault.close();
  const other = new DatabaseSync(pathOf(shelf, vault));
  other.exec('PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE');
  expect(await shelf.repository.open(username, password)).toMatchObject({
    kind: 'unusable',
    failure: { code: 'storage-failed', sentence: saying(expect.stringContaining('Another program')) },
  });
  expect(await shelf.repository.open(username, 'wrong')).toMatchObject({ kind: 'wrong-password' });
  other.close();
  expect((await contents(await opened(shelf))).byId.size).toBe(4);
});

test('something in the place of the cache is said, and nothing is removed', async () => {
  const shelf = createVaultRig({ dataDir: await temporaryFolder() });
  const vault = await created(shelf);
  await vault.close();
  await rm(pathOf(shelf, vault));
  await mkdir(pathOf(shelf, vault));
  expect(await shelf.repository.open(username, password)).toMatchObject({
    kind: 'unusable',
    failure: {
      code: 'storage-failed',
      sentence: saying(expect.stringContaining('Something in the data folder')),
    },
  });
  expect(await readdir(folderOf(shelf, vault))).toContain('cache.sqlite');
});

test('a full disk is reported, nothing of the change is stored, and the next one is tried again', async () => {
  const shelf = createVaultRig({ dataDir: await temporaryFolder(), maximumPages: 16 });
  const vault = await created(shelf);
  await write(vault, incidents(100));
  const noise = Array.from({ length: 2_000 }, (_, index) => ({
    ...incident(10_000 + index),
    record: {
      ...incident(10_000 + index).record,
      status: createHash('sha512').update(String(index)).digest('hex'),
    },
  }));
  const [tooMuch, little] = await Promise.all([
    vault.cache.write({
      upserts: [incident(0, { arrivedAt: 5 }), ...noise],
      removals: [incident(1).record.id],
      documents: { ledger: 'new' },
    }),
    vault.cache.write(upserts([incident(1, { arrivedAt: 6 })])),
  ]);
  expect(tooMuch).toMatchObject({
    ok: false,
    failure: { code: 'storage-failed', sentence: saying(expect.stringContaining('Disk full')) },
  });
  expect(little.ok).toBe(true);
  const { byId } = await contents(vault);
  expect(byId.size).toBe(100);
  expect(byId.get(incident(0).record.id)?.arrivedAt).toBe(0);
  // Which the change that failed would have removed.
  expect(byId.get(incident(1).record.id)?.arrivedAt).toBe(6);
  expect(await vault.cache.document('ledger')).toEqual({ ok: true, value: null });
  await write(vault, [incident(5_000), incident(1, { arrivedAt: 7 }), incident(10_000)]);
  const later = (await contents(vault)).byId;
  expect(later.size).toBe(102);
  expect(later.get(incident(1).record.id)?.arrivedAt).toBe(7);
});

test('one older block is known, and one that is gone, until the next write', async () => {
  const shelf = createVaultRig({ dataDir: await temporaryFolder() });
  const vault = await created(shelf);
  await write(vault, incidents(600));
  await write(vault, incidents(600, 600));
  await vault.close();
  const path = pathOf(shelf, vault);
  const blocks = (): { readonly number: number; readonly sealed: Uint8Array }[] => {
    const database = new DatabaseSync(path);
    const rows = database.prepare('SELECT number, sealed FROM blocks ORDER BY number').all();
    database.close();
    return rows as never;
  };
  const [first] = blocks();
  const again = await opened(shelf);
  expect(await contents(again)).toMatchObject({ damaged: 0, older: false });
  const [changed] = incidents(1);
  if (!first || !changed) throw new Error('No block was written');
  await write(again, [{ ...changed, lastSeenAt: changed.lastSeenAt + 1 }]);
  await again.close();
  expect(blocks()[0]?.sealed).not.toEqual(first.sealed);

  const put = (sql: string, ...values: (number | Uint8Array)[]): void => {
    const database = new DatabaseSync(path);
    database.prepare(sql).run(...values);
    database.close();
  };
  put('UPDATE blocks SET sealed = ? WHERE number = ?', first.sealed, first.number);
  const older = await opened(shelf);
  const found = await contents(older);
  expect(found).toMatchObject({ damaged: 0, older: true });
  // Its seal holds: nothing else shows that the change is gone.
  expect(found.byId.get(changed.record.id)).toEqual(changed);
  await write(older, incidents(1, 5_000));
  await older.close();
  const later = await opened(shelf);
  expect(await contents(later)).toMatchObject({ older: false });
  await later.close();
  put('DELETE FROM blocks WHERE number = ?', first.number);
  expect(await contents(await opened(shelf))).toMatchObject({ damaged: 0, older: true });
});

test('a cache of an earlier version, which kept no sum of its blocks, shows nothing', async () => {
  const shelf = createVaultRig({ dataDir: await temporaryFolder() });
  const vault = await created(shelf);
  await write(vault, incidents(600));
  await vault.close();
  const database = new DatabaseSync(pathOf(shelf, vault));
  const documents = database.prepare('SELECT key, length(sealed) AS length FROM documents').all();
  const sum = documents.reduce((a, b) => (Number(a['length']) > Number(b['length']) ? a : b));
  expect(
    Number(database.prepare('DELETE FROM documents WHERE key = ?').run(sum['key'] ?? null).changes),
  ).toBe(1);
  database.prepare('DELETE FROM blocks WHERE number = 1').run();
  database.close();
  expect(await contents(await opened(shelf))).toMatchObject({ damaged: 0, older: false });
});
