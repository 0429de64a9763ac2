import { closeSync, openSync, writeSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test, vi } from 'vitest';
import { RecordDatabase } from '../../../../src-main/adapters/vault/recordDatabase.ts';
import { createVaultStorage } from '../../../../src-main/adapters/vault/storage.ts';
import { recordTables } from '../../../../src-main/core/vault/records.ts';
import { hasModes, modeOf, preparedOnce, temporaryFolder } from '../../support.ts';
import { foldersOf, keysOf, now, opened, placeOf, upload, vaultId } from './support.ts';

const file = (dataDir: string): string => join(placeOf(dataDir), 'outbox.sqlite');
function changed(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}
/** A schema whose first page leads to itself. */
function makeEndless(path: string): void {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode=DELETE');
  database.close();
  const handle = openSync(path, 'r+');
  // An interior page with one way, to page 1.
  writeSync(handle, Buffer.from([5, 0, 0, 0, 1, 0, 100, 0, 0, 0, 0, 1, 0, 112, 0, 0, 0, 1, 1]), 0, 19, 100);
  closeSync(handle);
}
const error = (reason: string): unknown => expect.objectContaining({ name: 'StorageError', reason });

test('rows come back in the order of their ids, whatever is in them, also after a restart', async () => {
  const dataDir = await temporaryFolder();
  const records = await opened(dataDir);
  expect(records.lost).toBeNull();
  const texts = {
    z: '1',
    a: 'x'.repeat(100_000),
    ä: '',
    '\ud800': '\udc00 \u0000',
    '': '"\n',
    '\ue000': 'é',
  };
  await records.store.write(Object.entries(texts).map(([id, text]) => upload(id, text)));
  await records.store.write([
    { table: 'audit', id: 'a', text: 'another table' },
    upload('z', 'replaced'),
    upload('gone', 'x'),
  ]);
  await records.store.write([upload('gone', null), upload('never there', null)]);
  const expected = Object.entries({ ...texts, z: 'replaced' })
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, text]) => ({ id, text }));
  expect(await records.store.rows('uploads')).toEqual({ rows: expected, damaged: 0 });
  await records.close();
  const again = await opened(dataDir, { fresh: false });
  expect(again.lost).toBeNull();
  expect(await again.store.rows('uploads')).toEqual({ rows: expected, damaged: 0 });
  expect(await again.store.rows('audit')).toEqual({ rows: [{ id: 'a', text: 'another table' }], damaged: 0 });
  expect(await again.store.rows('documents')).toEqual({ rows: [], damaged: 0 });
});

test('many writes at once are all there, in the order in which they were made', async () => {
  const records = await opened(await temporaryFolder());
  const writes = Array.from({ length: 200 }, (_, index) =>
    records.store.write([upload('last', String(index)), upload(`n${String(index)}`, '')]),
  );
  // Asked for in between: it sees what was written before, and nothing of what was not.
  const between = records.store.rows('uploads');
  await Promise.all(writes);
  const { rows } = await between;
  expect(rows).toHaveLength(201);
  expect(rows.find(({ id }) => id === 'last')?.text).toBe('199');
});

test('a write that does not fit leaves nothing of it, and those beside it stay', async () => {
  const records = await opened(await temporaryFolder(), { maximumPages: 60 });
  const large = 'x'.repeat(1_000_000);
  const writes = await Promise.allSettled([
    records.store.write([upload('before', '1')]),
    records.store.write([upload('half', '1'), upload('large', large)]),
    records.store.write([upload('after', '1')]),
  ]);
  expect(writes[1]).toEqual({ status: 'rejected', reason: error('full') });
  const { rows } = await records.store.rows('uploads');
  expect(rows.map(({ id }) => id)).toEqual(['after', 'before']);
  expect(writes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('no word of it is plain on the disk, and no other user may read it', async () => {
  const dataDir = await temporaryFolder();
  const records = await opened(dataDir);
  await records.store.write([
    upload('hidden-id', 'hidden-text'),
    { table: 'audit', id: 'x', text: 'hidden-x' },
  ]);
  await records.store.writeHead('hidden-head');
  await records.spool.writeSidecar('0'.repeat(16), 'hidden-sidecar');
  const names = (await readdir(placeOf(dataDir), { recursive: true })).sort();
  expect(names).toEqual([
    'actions.head',
    'outbox.sqlite',
    'outbox.sqlite-wal',
    'spool',
    join('spool', `${'0'.repeat(16)}.sidecar`),
  ]);
  for (const name of names) {
    const path = join(placeOf(dataDir), name);
    if (hasModes) expect(await modeOf(path), name).toBe(name === 'spool' ? 0o700 : 0o600);
    if (name !== 'spool') expect((await readFile(path)).includes('hidden'), name).toBe(false);
  }
});

test('a write answers when it is on the disk: every connection asks for that', async () => {
  const listened = vi.spyOn(DatabaseSync.prototype, 'exec');
  try {
    const { identity, rows, lookup } = keysOf();
    const folder = await temporaryFolder();
    for (const fresh of [true, false]) {
      listened.mockClear();
      const database = new RecordDatabase({
        folder,
        keys: { identity, rows: Uint8Array.from(rows), lookup: Uint8Array.from(lookup) },
        now,
        fresh,
        again: false,
        maximumPages: 1_000,
        anchored: 0,
      });
      expect(database.lost).toBeNull();
      const settings = listened.mock.calls.map(([sql]) => sql).join('\n');
      expect(settings).toContain('journal_mode=WAL');
      expect(settings).toContain('synchronous=FULL');
      expect(settings).toContain('secure_delete=ON');
      expect(settings).toContain('locking_mode=EXCLUSIVE');
      database.close();
    }
  } finally {
    listened.mockRestore();
  }
});

test('a log that cannot be emptied once after newer keys makes no later row count as altered, and is emptied later', async () => {
  const folder = await temporaryFolder();
  const [former, newer] = [keysOf('former'), keysOf('newer')];
  const opening = { folder, now, again: false, maximumPages: 1_000, anchored: 0 };
  const copy = ({ identity, rows, lookup }: typeof former) => ({
    identity,
    rows: Uint8Array.from(rows),
    lookup: Uint8Array.from(lookup),
  });
  const database = new RecordDatabase({ ...opening, keys: copy(former), fresh: true });
  database.write([upload('a', '1')]);
  const exec = DatabaseSync.prototype.exec;
  let failed = 0;
  const listened = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (
    this: DatabaseSync,
    sql: string,
  ) {
    if (!sql.includes('wal_checkpoint') || failed > 0) return exec.call(this, sql);
    failed += 1;
    throw Object.assign(new Error('the disk failed'), { errcode: 10 });
  });
  try {
    expect(() => database.renew(copy(newer))).toThrow('the disk failed');
    database.write([upload('b', '2')]);
    expect(listened.mock.calls.filter(([sql]) => sql.includes('wal_checkpoint'))).toHaveLength(2);
  } finally {
    listened.mockRestore();
  }
  database.close();
  const again = new RecordDatabase({ ...opening, keys: copy(newer), fresh: false });
  expect([again.lost, again.rollback]).toEqual([null, null]);
  expect(again.rows('uploads')).toMatchObject({ damaged: 0, rows: [{ id: 'a' }, { id: 'b' }] });
  again.close();
});

describe('rows that lie where they do not belong', () => {
  const twoRows = preparedOnce(async (dataDir) => {
    const records = await opened(dataDir);
    await records.store.write([upload('a', '1'), upload('b', '2')]);
    await records.close();
  });
  // Rows lie in the order of their keys, which are HMACs: which of them is harmed does not matter.
  const one = "WHERE kind = 'uploads' AND key = (SELECT min(key) FROM entries WHERE kind = 'uploads')";
  const other = "SELECT sealed FROM entries WHERE kind = 'uploads' ORDER BY key DESC LIMIT 1";
  const otherByte = `CASE substr(sealed, 21, 1) WHEN x'00' THEN x'01' ELSE x'00' END`;
  const cut = `CAST(substr(sealed, 1, 20) || ${otherByte} || substr(sealed, 22) AS BLOB)`;
  test.each([
    ['under the key of another row', `UPDATE entries SET sealed = (${other}) ${one}`],
    ['in another table', `UPDATE entries SET kind = 'audit' ${one}`],
    ['in a table that there is none of', `UPDATE entries SET kind = 'vploads' ${one}`],
    ['under another key', `UPDATE entries SET key = x'00' ${one}`],
    ['as a text', `UPDATE entries SET sealed = 'x' ${one}`],
    ['with another byte', `UPDATE entries SET sealed = ${cut} ${one}`],
  ])('%s: counted, never given', async (_name, change) => {
    const dataDir = await twoRows();
    changed(file(dataDir), change);
    const again = await opened(dataDir, { fresh: false });
    expect(again.lost).toBeNull();
    const found = await Promise.all((['uploads', 'audit'] as const).map((table) => again.store.rows(table)));
    const given = found.flatMap(({ rows }) => rows);
    expect(given).toHaveLength(1);
    expect([
      { id: 'a', text: '1' },
      { id: 'b', text: '2' },
    ]).toContainEqual(given[0]);
    expect(found.some(({ damaged }) => damaged === 1)).toBe(true);
  });
});

describe('a database that cannot be used', () => {
  const written = preparedOnce(async (dataDir) => {
    const records = await opened(dataDir);
    await records.store.write([upload('a', '1')]);
    await records.spool.writeSidecar('0'.repeat(16), 'stays');
    await records.store.writeHead('stays too');
    await records.close();
  });
  const cases: readonly [string, (path: string) => Promise<void> | void][] = [
    ['is no database', (path) => writeFile(path, 'nothing of the sort'.repeat(1_000))],
    ['is empty', (path) => writeFile(path, '')],
    ['has other tables', (path) => changed(path, 'CREATE TABLE more (x)')],
    ['is of another version', (path) => changed(path, 'PRAGMA user_version=99')],
    [
      'is nothing but zeros',
      async (path) => {
        const { byteLength } = await readFile(path);
        await writeFile(path, Buffer.alloc(byteLength));
      },
    ],
  ];
  test.each(cases)('%s: set aside under a dated name, reported, and replaced', async (_name, harm) => {
    const dataDir = await written();
    await harm(file(dataDir));
    const again = await opened(dataDir, { fresh: false });
    expect(again.lost).toBe('unreadable');
    expect(await again.store.rows('uploads')).toEqual({ rows: [], damaged: 0 });
    expect(await again.spool.sidecars()).toEqual(new Map([['0'.repeat(16), 'stays']]));
    expect(await again.store.readHead()).toEqual({ text: 'stays too', damaged: false });
    await again.store.write([upload('b', '2')]);
    await again.close();
    expect(await readdir(placeOf(dataDir))).toContain('unreadable-outbox-20261121T040506000Z.sqlite');
    const third = await opened(dataDir, { fresh: false });
    expect(third.lost).toBeNull();
    expect((await third.store.rows('uploads')).rows).toEqual([{ id: 'b', text: '2' }]);
  });

  test('has a page twice, and rows that are gone for it: put aside, not opened as if it were whole', async () => {
    const dataDir = await temporaryFolder();
    const records = await opened(dataDir);
    const rows = Array.from({ length: 400 }, (_, index) => upload(String(index), 'x'.repeat(index)));
    await records.store.write(rows);
    await records.close();
    const good = await readFile(file(dataDir));
    const page = 8192;
    // Leaves of the tree, without the one whose loss the opening would see anyway.
    const leaves = Array.from({ length: good.byteLength / page - 1 }, (_, index) => index + 1).filter(
      (index) =>
        good[index * page] === 0x0a && !good.subarray(index * page, (index + 1) * page).includes('proof'),
    );
    expect(leaves.length).toBeGreaterThan(3);
    const [first = 0, , third = 0] = leaves;
    const bad = Buffer.from(good);
    good.copy(bad, first * page, third * page, (third + 1) * page);
    await writeFile(file(dataDir), bad);
    expect((await opened(dataDir, { fresh: false })).lost).toBe('unreadable');
  });

  test('belongs to another key: put aside as it was, and good under its own key', async () => {
    const dataDir = await temporaryFolder();
    const records = await opened(dataDir);
    await records.store.write([upload('a', '1')]);
    await records.close();
    const before = await readFile(file(dataDir));
    const other = await opened(dataDir, { fresh: false, keys: { ...keysOf(), rows: keysOf('bob').rows } });
    expect(other.lost).toBe('unreadable');
    await other.close();
    const aside = join(placeOf(dataDir), 'unreadable-outbox-20261121T040506000Z.sqlite');
    expect((await readFile(aside)).equals(before)).toBe(true);
  });

  test('is missing: said where there should be one, and only there', async () => {
    const dataDir = await temporaryFolder();
    const first = await opened(dataDir);
    expect(first.lost).toBeNull();
    await first.close();
    await rm(file(dataDir));
    const again = await opened(dataDir, { fresh: false });
    expect(again.lost).toBe('missing');
  });

  test('is open already: said, and nothing is put aside', async () => {
    const dataDir = await temporaryFolder();
    const records = await opened(dataDir);
    await expect(opened(dataDir, { fresh: false })).rejects.toEqual(error('busy'));
    await records.store.write([upload('a', '1')]);
    await records.close();
    const again = await opened(dataDir, { fresh: false });
    expect(again.lost).toBeNull();
    expect((await again.store.rows('uploads')).rows).toHaveLength(1);
  });
});

test('the head is one text, replaced as a whole, and bound to its vault', async () => {
  const dataDir = await temporaryFolder();
  const records = await opened(dataDir);
  expect(await records.store.readHead()).toEqual({ text: null, damaged: false });
  const written = Array.from({ length: 20 }, (_, index) => records.store.writeHead(String(index)));
  expect(await records.store.readHead()).toEqual({ text: '19', damaged: false });
  await Promise.all(written);
  await records.close();
  const path = join(placeOf(dataDir), 'actions.head');
  const good = await readFile(path);
  for (const bytes of [Buffer.alloc(0), good.subarray(0, -1), Buffer.concat([good, good]), flipped(good)]) {
    await writeFile(path, bytes);
    const again = await opened(dataDir, { fresh: false });
    expect(await again.store.readHead()).toEqual({ text: null, damaged: true });
    await again.close();
  }
  const other = await opened(dataDir, { id: 'b'.repeat(32), keys: { ...keysOf(), identity: 'another' } });
  await writeFile(join(placeOf(dataDir, 'b'.repeat(32)), 'actions.head'), good);
  expect(await other.store.readHead()).toEqual({ text: null, damaged: true });
});

function flipped(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy[20] = (copy[20] ?? 0) ^ 1;
  return copy;
}

test('keys are copied at the opening and overwritten at the close, and then nothing is answered', async () => {
  const dataDir = await temporaryFolder();
  const keys = keysOf();
  const { audit } = keysOf();
  const records = await opened(dataDir, { keys });
  for (const one of Object.values(keys)) if (one instanceof Uint8Array) one.fill(0);
  expect(records.auditKey).toEqual(audit);
  await records.store.write([upload('a', '1')]);
  await records.store.writeHead('1');
  await Promise.all([records.close(), records.close()]);
  expect(records.auditKey).toEqual(new Uint8Array(32));
  const late = [
    () => records.store.rows('uploads'),
    () => records.store.write([upload('b', '1')]),
    () => records.store.readHead(),
    () => records.store.writeHead('x'),
    () => records.spool.list(),
    () => records.spool.receive('0'.repeat(16)),
    () => records.spool.writeSidecar('0'.repeat(16), 'x'),
  ];
  for (const ask of late) await expect(ask()).rejects.toEqual(error('broken'));
  const again = await opened(dataDir, { fresh: false });
  expect((await again.store.rows('uploads')).rows).toEqual([{ id: 'a', text: '1' }]);
  expect(await again.store.readHead()).toEqual({ text: '1', damaged: false });
});

test('closing the folders closes what is open', async () => {
  const dataDir = await temporaryFolder();
  const folders = foldersOf(dataDir);
  const records = await opened(dataDir, { folders });
  await folders.close();
  await expect(records.store.rows('uploads')).rejects.toEqual(error('broken'));
  await expect(opened(dataDir, { folders })).rejects.toEqual(error('broken'));
  await opened(dataDir, { fresh: false });
});

test('a vault that is no vault is refused', async () => {
  const folders = foldersOf(await temporaryFolder());
  for (const bad of ['', '../../etc', vaultId.toUpperCase()]) {
    await expect(folders.open({ vaultId: bad, keys: keysOf(), now, fresh: true })).rejects.toEqual(
      error('broken'),
    );
  }
});

test('without storage: a separate folder, removed at the close or at the next start', async () => {
  const dataDir = await temporaryFolder();
  const left = join(dataDir, 'temporary', 'left-behind');
  await opened(dataDir, { id: 'c'.repeat(32) });
  await mkdir(left, { recursive: true });
  await writeFile(join(left, 'outbox.sqlite'), 'x');
  const folders = foldersOf(dataDir);
  const records = await folders.openTemporary();
  const second = await folders.openTemporary();
  expect(records.lost).toBeNull();
  const places = await readdir(join(dataDir, 'temporary'));
  expect(places).toHaveLength(2);
  expect(places).not.toContain('left-behind');
  await records.store.write([upload('a', '1')]);
  expect((await records.store.rows('uploads')).rows).toHaveLength(1);
  expect((await second.store.rows('uploads')).rows).toHaveLength(0);
  expect(records.auditKey).not.toEqual(second.auditKey);
  for (const place of places) {
    if (hasModes) expect(await modeOf(join(dataDir, 'temporary', place))).toBe(0o700);
  }
  await records.close();
  expect(await readdir(join(dataDir, 'temporary'))).toHaveLength(1);
  await folders.close();
  expect(await readdir(join(dataDir, 'temporary'))).toEqual([]);
});

test('what a dead process left is removed soon after the start, and not by one that closes at once', async () => {
  const dataDir = await temporaryFolder();
  const left = join(dataDir, 'temporary', 'left-behind', 'spool');
  await mkdir(left, { recursive: true });
  await foldersOf(dataDir).close();
  await new Promise((resolve) => setImmediate(resolve));
  expect(await readdir(join(dataDir, 'temporary'))).toEqual(['left-behind']);
  const folders = foldersOf(dataDir);
  await new Promise((resolve) => setImmediate(resolve));
  await folders.close();
  expect(await readdir(join(dataDir, 'temporary'))).toEqual([]);
});

test('the anchor lies outside of the vault, for its own key only, and goes with the vault', async () => {
  const dataDir = await temporaryFolder();
  const records = await opened(dataDir);
  expect(await records.store.readAnchor()).toBeNull();
  await records.store.writeAnchor('1');
  await records.close();
  await cp(placeOf(dataDir), join(dataDir, 'older'), { recursive: true });
  const again = await opened(dataDir, { fresh: false });
  await again.store.writeAnchor('2');
  await again.close();
  await rm(placeOf(dataDir), { recursive: true });
  await rename(join(dataDir, 'older'), placeOf(dataDir));
  const older = await opened(dataDir, { fresh: false });
  expect(await older.store.readAnchor()).toBe('2');
  await older.close();
  expect(await readdir(join(dataDir, 'anchors'))).toEqual([`${vaultId}.${keysOf().identity}`]);
  await createVaultStorage({ dataDir }).destroy(vaultId);
  expect(await readdir(join(dataDir, 'anchors'))).toEqual([]);
});

describe('what was put back', () => {
  interface Places {
    readonly dataDir: string;
    readonly anchorsDir: string;
    readonly older: string;
  }
  const placesIn = (root: string): Places => ({
    dataDir: join(root, 'data'),
    anchorsDir: join(root, 'state', 'anchors'),
    older: join(root, 'older'),
  });
  /** A vault written, copied as a whole, and written again. */
  const twice = preparedOnce(async (root) => {
    const { dataDir, anchorsDir, older } = placesIn(root);
    const first = await opened(dataDir, { anchorsDir });
    await first.store.write([upload('a', 'queued'), upload('b', 'queued')]);
    await first.close();
    await cp(dataDir, older, { recursive: true });
    const next = await opened(dataDir, { fresh: false, anchorsDir });
    expect(next.rollback).toBeNull();
    await next.store.write([upload('a', 'sent')]);
    await next.close();
  });
  const writtenTwice = async (): Promise<Places> => placesIn(await twice());
  async function rollbackOf({ dataDir, anchorsDir }: Omit<Places, 'older'>) {
    const records = await opened(dataDir, { fresh: false, anchorsDir });
    await records.close();
    return records.rollback;
  }

  test('an older copy of the whole data folder is known, until it was written to', async () => {
    const { dataDir, anchorsDir, older } = await writtenTwice();
    await rm(dataDir, { recursive: true });
    await cp(older, dataDir, { recursive: true });
    expect(await rollbackOf({ dataDir, anchorsDir })).toBe('older');
    const back = await opened(dataDir, { fresh: false, anchorsDir });
    expect(back.rollback).toBe('older');
    await back.store.write([upload('c', 'queued')]);
    await back.close();
    expect(await rollbackOf({ dataDir, anchorsDir })).toBeNull();
    // An older one yet is known again.
    await rm(dataDir, { recursive: true });
    await cp(older, dataDir, { recursive: true });
    expect(await rollbackOf({ dataDir, anchorsDir })).toBe('older');
  });

  test('an anchor that is lost, or another vault’s, shows nothing', async () => {
    const { dataDir, anchorsDir, older } = await writtenTwice();
    const [anchor = ''] = await readdir(anchorsDir);
    await writeFile(join(anchorsDir, anchor), 'another vault’s');
    expect(await rollbackOf({ dataDir: older, anchorsDir })).toBeNull();
    await rm(anchorsDir, { recursive: true });
    expect(await rollbackOf({ dataDir: older, anchorsDir })).toBeNull();
    expect(await rollbackOf({ dataDir, anchorsDir })).toBeNull();
  });

  test('an anchor that could not be read once is not replaced by one that proves less', async () => {
    const { dataDir, anchorsDir, older } = await writtenTwice();
    const first = await opened(dataDir, { fresh: false, anchorsDir });
    await first.store.writeAnchor('head');
    await first.close();
    // No folder: to look for a file in it fails, and not because there is none.
    await rename(anchorsDir, `${anchorsDir}.away`);
    await writeFile(anchorsDir, '');
    const blind = await opened(dataDir, { fresh: false, anchorsDir });
    await rm(anchorsDir);
    await rename(`${anchorsDir}.away`, anchorsDir);
    await blind.store.write([upload('c', 'queued')]);
    await blind.close();
    const next = await opened(dataDir, { fresh: false, anchorsDir });
    expect(await next.store.readAnchor()).toBe('head');
    await next.close();
    expect(await rollbackOf({ dataDir: older, anchorsDir })).toBe('older');
  });

  test('a console that was killed before it anchored what it wrote is no rollback', async () => {
    const { dataDir, anchorsDir } = await writtenTwice();
    const records = await opened(dataDir, { fresh: false, anchorsDir });
    await records.store.write([upload('c', 'queued')]);
    // The state of both folders at a kill: written, and not anchored yet.
    const killed = join(dataDir, '..', 'killed');
    await cp(dataDir, killed, { recursive: true });
    expect(await rollbackOf({ dataDir: killed, anchorsDir })).toBeNull();
  });

  test('one older row is known, and one that is gone, and a whole table of them', async () => {
    const { dataDir, anchorsDir, older } = await writtenTwice();
    const old = new DatabaseSync(file(older));
    const rows = old.prepare("SELECT * FROM entries WHERE kind = 'uploads'").all();
    old.close();
    const put = (row: (typeof rows)[number]) => (database: DatabaseSync) => {
      const { kind = null, key = null, sealed = null } = row;
      database.prepare('UPDATE entries SET sealed = ? WHERE kind = ? AND key = ?').run(sealed, kind, key);
    };
    const changes = [
      (database: DatabaseSync) => {
        for (const row of rows) put(row)(database);
      },
      (database: DatabaseSync) => database.exec("DELETE FROM entries WHERE kind = 'uploads'"),
    ];
    for (const change of changes) {
      const database = new DatabaseSync(file(dataDir));
      change(database);
      database.close();
      const records = await opened(dataDir, { fresh: false, anchorsDir });
      expect(records.rollback).toBe('altered');
      // Its seal holds: nothing else would show it.
      expect((await records.store.rows('uploads')).damaged).toBe(0);
      await records.store.write([upload('d', 'queued')]);
      await records.close();
      expect(await rollbackOf({ dataDir, anchorsDir })).toBeNull();
    }
  });

  test('a database of an earlier version, which counted no writes, opens and is counted from then on', async () => {
    const { dataDir, anchorsDir } = await writtenTwice();
    await rm(anchorsDir, { recursive: true });
    const database = new DatabaseSync(file(dataDir));
    const proofs = database
      .prepare("SELECT key, length(sealed) AS length FROM entries WHERE kind = 'proof'")
      .all();
    const tally = proofs.reduce((a, b) => (Number(a['length']) > Number(b['length']) ? a : b));
    database.prepare('DELETE FROM entries WHERE key = ?').run(tally['key'] ?? null);
    database.close();
    const records = await opened(dataDir, { fresh: false, anchorsDir });
    expect(records.rollback).toBeNull();
    await records.store.write([upload('d', 'queued')]);
    await records.close();
    expect(await rollbackOf({ dataDir, anchorsDir })).toBeNull();
    changed(file(dataDir), "DELETE FROM entries WHERE kind = 'uploads'");
    expect(await rollbackOf({ dataDir, anchorsDir })).toBe('altered');
  });
});

test('without its key a database tells kinds of rows and their number, as docs/data.md says, and no text', async () => {
  const dataDir = await temporaryFolder();
  const records = await opened(dataDir);
  await records.store.write(
    recordTables.map((table) => ({ table, id: `secret id of ${table}`, text: 'secret text' })),
  );
  await records.close();
  const database = new DatabaseSync(file(dataDir), { readOnly: true });
  const rows = database.prepare('SELECT * FROM entries').all();
  database.close();
  expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set([...recordTables, 'proof']));
  for (const { kind: _, ...rest } of rows) {
    expect(Object.values(rest).every((value) => value instanceof Uint8Array)).toBe(true);
  }
  expect((await readFile(file(dataDir))).includes('secret')).toBe(false);
  const page = await readFile('docs/data.md', 'utf8');
  const words = [
    'uploads',
    'decisions',
    'audit entries',
    'documents',
    'acknowledgements',
    'notes',
    'pins',
    'shift',
  ];
  for (const word of words) expect(page).toContain(word);
});

test.each([
  [
    'a trigger that drops what is written',
    (path: string) =>
      changed(
        path,
        "CREATE TRIGGER t AFTER INSERT ON entries BEGIN DELETE FROM entries WHERE kind <> 'proof'; END",
      ),
  ],
  ['a view', (path: string) => changed(path, 'CREATE VIEW v AS SELECT * FROM entries')],
  ['an index', (path: string) => changed(path, 'CREATE INDEX i ON entries (sealed)')],
  ['statistics', (path: string) => changed(path, 'ANALYZE')],
  ['a schema without an end', makeEndless],
])('a database with %s is put aside before anything in it runs', async (_what, plant) => {
  const dataDir = await temporaryFolder();
  const before = await opened(dataDir);
  await before.store.write([upload('a', 'queued')]);
  await before.close();
  plant(file(dataDir));
  const records = await opened(dataDir, { fresh: false });
  expect(records.lost).toBe('unreadable');
  await records.store.write([upload('b', 'queued')]);
  expect((await records.store.rows('uploads')).rows.map(({ id }) => id)).toEqual(['b']);
  await records.close();
});
