import { cp, link, mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createHasher, scryptCost } from '../../../src-main/adapters/crypto.ts';
import type { PasswordHasher } from '../../../src-main/core/base/ports.ts';
import { StorageError } from '../../../src-main/core/vault/storage.ts';
import { hasModes, modeOf, temporaryFolder } from '../../adapters/support.ts';
import {
  contents,
  created,
  createVaultRig,
  filesBelow,
  folderOf,
  incident,
  incidents,
  now,
  opened,
  password,
  upserts,
  username,
  write,
} from '../../adapters/vault/support.ts';
import { saying } from '../../support/messages.ts';
import { cheapHasher } from '../../support/ports.ts';

const id32 = /^[0-9a-f]{32}$/;

test('a vault is made once, opened by its password only, and holds what was written', async () => {
  const shelf = createVaultRig({ dataDir: await temporaryFolder() });
  expect(await shelf.repository.open(username, password)).toEqual({ kind: 'none' });
  const made = await created(shelf);
  expect(made.notice).toBeNull();
  await write(made, incidents(3));
  await made.noteSync(now - 5, 2);
  await made.close();
  expect(await shelf.repository.create(username, password)).toMatchObject({
    ok: false,
    failure: { code: 'conflict' },
  });
  expect(await shelf.repository.open(username, 'another')).toEqual({
    kind: 'wrong-password',
    sealed: { incidents: 3, unsent: 2, lastSyncAt: now - 5 },
  });
  const again = await opened(shelf);
  expect(again.notice).toBeNull();
  expect([...(await contents(again)).byId.values()]).toEqual(incidents(3));
  expect(await again.matches(password)).toBe(true);
  expect(await again.matches('another')).toBe(false);
  expect(await shelf.repository.open(username, password)).toMatchObject({
    kind: 'unusable',
    failure: { code: 'conflict' },
  });
});

test('opening twice at once gives one vault and one refusal, and the one goes on', async () => {
  const shelf = createVaultRig({ dataDir: await temporaryFolder() });
  await (await created(shelf)).close();
  const openings = await Promise.all([
    shelf.repository.open(username, password),
    shelf.repository.open(username, password),
  ]);
  expect(openings.map(({ kind }) => kind).sort()).toEqual(['opened', 'unusable']);
  const open = openings.find((opening) => opening.kind === 'opened');
  expect(await shelf.repository.setAside(username)).toMatchObject({
    ok: false,
    failure: { code: 'conflict' },
  });
  if (open?.kind === 'opened') {
    await write(open.vault, incidents(1));
    await open.vault.close();
  }
  expect((await shelf.repository.setAside(username)).ok).toBe(true);
});

test('beside a vault stands exactly what may be known of it while it is closed', async () => {
  const shelf = createVaultRig({ dataDir: await temporaryFolder() });
  const vault = await created(shelf);
  await vault.noteSync(now, 0);
  const about: unknown = JSON.parse(await readFile(join(folderOf(shelf, vault), 'about.json'), 'utf8'));
  expect(about).toEqual({
    format: 1,
    deployment: 'north',
    binding: expect.stringMatching(id32) as string,
    username,
    lastSyncAt: now,
    unsent: 0,
    setAside: false,
    kdf: { name: 'scrypt', ...cheapHasher.cost, salt: expect.any(String) as string },
  });
  expect(vault.id).toMatch(id32);
  const files = (await readdir(folderOf(shelf, vault))).sort();
  expect(files).toEqual(['about.json', 'cache.sqlite', 'cache.sqlite-wal', 'key.a', 'key.b']);
  if (!hasModes) return;
  expect(await modeOf(folderOf(shelf, vault))).toBe(0o700);
  for (const file of files) expect(await modeOf(join(folderOf(shelf, vault), file)), file).toBe(0o600);
});

test('no incident and no password is legible in any file', async () => {
  const shelf = createVaultRig({ dataDir: await temporaryFolder() });
  const vault = await created(shelf);
  await write(vault, incidents(500));
  await vault.cache.write({
    upserts: [incident(3)],
    removals: [incident(4).record.id],
    documents: { ledger: 'the-ledger-text' },
  });
  await vault.reseal('an entirely new password');
  const words = [
    password,
    'an entirely new',
    'secret-incident',
    'wildfire',
    'severity-seven',
    'status-open',
    '0xledger',
    'crew',
    'the-ledger',
  ];
  const search = async (): Promise<void> => {
    const files = await filesBelow(shelf.dataDir);
    expect(files.size).toBeGreaterThanOrEqual(4);
    for (const [name, bytes] of files) {
      for (const word of [...words, 'ledger', incident(0).record.createdAtText]) {
        expect(bytes.includes(word), `${word} in ${name}`).toBe(false);
        expect(bytes.includes(Buffer.from(word, 'utf16le')), `${word} in ${name}`).toBe(false);
      }
    }
  };
  await search();
  await vault.close();
  await search();
  expect(JSON.stringify(shelf.logger.lines)).not.toMatch(/correct horse|entirely new/);
});

test('a resealed vault opens with the new password only, and the old seal is nowhere', async () => {
  const shelf = createVaultRig({ dataDir: await temporaryFolder() });
  const vault = await created(shelf);
  await write(vault, incidents(2));
  const before = await filesBelow(folderOf(shelf, vault));
  const { salt: oldSalt, wrap: oldWrap } = keyOf(before.get('key.a'));
  expect(await vault.reseal('next')).toEqual({ ok: true, value: null });
  expect(await vault.matches('next')).toBe(true);
  expect(await vault.matches(password)).toBe(false);
  await vault.close();
  const after = await filesBelow(shelf.dataDir);
  expect([...after.keys()].some((name) => name.endsWith('.tmp'))).toBe(false);
  for (const [name, bytes] of after) {
    for (const old of [oldSalt, oldWrap]) {
      expect(bytes.includes(old), name).toBe(false);
      expect(bytes.includes(Buffer.from(old, 'base64')), name).toBe(false);
    }
  }
  expect((await shelf.repository.open(username, password)).kind).toBe('wrong-password');
  expect((await contents(await opened(shelf, username, 'next'))).byId.size).toBe(2);
});

test('a sealed key is overwritten where it lay when it is replaced, and when its vault is erased', async () => {
  const shelf = createVaultRig({ dataDir: await temporaryFolder() });
  const vault = await created(shelf);
  const folder = folderOf(shelf, vault);
  // The open file shows what becomes of its bytes.
  const watch = async (name: string): Promise<() => Promise<boolean>> => {
    const file = await open(join(folder, name));
    const bytesOf = async (): Promise<Buffer> => (await file.read(Buffer.alloc(4096), 0, 4096, 0)).buffer;
    const before = await bytesOf();
    return async () => !(await bytesOf()).equals(before) && (await file.close(), true);
  };
  for (const end of [
    () => vault.reseal('next'),
    () => vault.close().then(() => shelf.repository.erase(vault.id)),
  ]) {
    const overwritten = await Promise.all(['key.a', 'key.b'].map(watch));
    await end();
    if (hasModes) expect(await Promise.all(overwritten.map((look) => look()))).toEqual([true, true]);
  }
  expect(await readdir(join(shelf.dataDir, 'vaults'))).toEqual([]);
});

test.runIf(hasModes)('a sealed key that has a second name is not overwritten under it', async () => {
  const shelf = createVaultRig({ dataDir: await temporaryFolder() });
  const vault = await created(shelf);
  const others = ['key.a', 'key.b'].map((name) => join(shelf.dataDir, `another ${name}`));
  const linkAll = async (): Promise<Buffer[]> => {
    for (const other of others) {
      await rm(other, { force: true });
      await link(join(folderOf(shelf, vault), other.slice(-'key.a'.length)), other);
    }
    return Promise.all(others.map((other) => readFile(other)));
  };
  for (const end of [
    () => vault.reseal('next'),
    () => vault.close().then(() => shelf.repository.erase(vault.id)),
  ]) {
    const before = await linkAll();
    await end();
    expect(await Promise.all(others.map((other) => readFile(other)))).toEqual(before);
  }
});

test('a power cut between the two copies leaves one that opens, and the next opening mends them', async () => {
  let failing: string | null = null;
  const shelf = createVaultRig({
    dataDir: await temporaryFolder(),
    wrapStorage: (storage) => ({
      ...storage,
      write: (id, name, bytes) =>
        name === failing ? Promise.reject(new StorageError('broken', 'cut')) : storage.write(id, name, bytes),
    }),
  });
  const vault = await created(shelf);
  await write(vault, incidents(1));
  failing = 'key.b';
  expect(await vault.reseal('next')).toMatchObject({ ok: false, failure: { code: 'storage-failed' } });
  await vault.close();
  failing = null;
  // The old password still opens, and does not undo what was begun.
  await (await opened(shelf)).close();
  const cut = await filesBelow(folderOf(shelf, vault));
  expect(cut.get('key.a')?.equals(cut.get('key.b') ?? Buffer.alloc(0))).toBe(false);
  await (await opened(shelf, username, 'next')).close();
  const mended = await filesBelow(folderOf(shelf, vault));
  expect(mended.get('key.b')).toEqual(cut.get('key.a'));
  expect((await shelf.repository.open(username, password)).kind).toBe('wrong-password');
});

test('a copy of the key from before a changed password opens nothing, and is noticed', async () => {
  const shelf = createVaultRig({ dataDir: await temporaryFolder() });
  const vault = await created(shelf);
  const path = (name: string): string => join(folderOf(shelf, vault), name);
  const old = await readFile(path('key.a'));
  await vault.reseal('next');
  await write(vault, incidents(2));
  await vault.close();

  await writeFile(path('key.a'), old);
  expect((await shelf.repository.open(username, password)).kind).toBe('wrong-password');
  const beside = await opened(shelf, username, 'next');
  expect(beside.notice).toMatchObject({ id: 'vault.rollback.key' });
  await beside.close();
  const mended = await opened(shelf, username, 'next');
  expect(mended.notice).toBeNull();
  await mended.close();

  const whole = await readFile(path('key.b'));
  // Its turn is bound: a higher one does not open.
  const [text = ''] = old.toString().split('\n');
  const forged = text.replace('"turn":1', '"turn":9');
  const sum = createHash('sha256').update(forged).digest('hex');
  for (const bytes of [old, Buffer.from(`${forged}\n${sum}\n`)]) {
    for (const name of ['key.a', 'key.b']) await writeFile(path(name), bytes);
    for (const secret of [password, 'next']) {
      const { kind } = await shelf.repository.open(username, secret);
      expect(kind).toBe(bytes === old ? 'unusable' : 'wrong-password');
    }
  }
  for (const name of ['key.a', 'key.b']) await writeFile(path(name), whole);
  expect((await contents(await opened(shelf, username, 'next'))).byId.size).toBe(2);
});

test('a password has changed when its key is on the disk, whether or not the header is', async () => {
  let isFailing = false;
  const shelf = createVaultRig({
    dataDir: await temporaryFolder(),
    wrapStorage: (storage) => ({
      ...storage,
      write: (id, name, bytes) =>
        isFailing && name === 'about.json'
          ? Promise.reject(new StorageError('full', 'no room'))
          : storage.write(id, name, bytes),
    }),
  });
  const vault = await created(shelf);
  isFailing = true;
  expect(await vault.reseal('next')).toEqual({ ok: true, value: null });
  await vault.close();
  expect((await shelf.repository.open(username, password)).kind).toBe('wrong-password');
  await (await opened(shelf, username, 'next')).close();
});

test('one damaged or missing copy of the key is mended from the other', async () => {
  const shelf = createVaultRig({ dataDir: await temporaryFolder() });
  const vault = await created(shelf);
  await vault.close();
  const folder = folderOf(shelf, vault);
  const whole = await readFile(join(folder, 'key.a'));
  for (const name of ['key.a', 'key.b']) {
    for (const damage of ['zeroed', 'missing'] as const) {
      if (damage === 'missing') await rm(join(folder, name));
      else await writeFile(join(folder, name), Buffer.alloc(whole.byteLength));
      await (await opened(shelf)).close();
      expect(await readFile(join(folder, name))).toEqual(whole);
    }
  }
});

test('with both copies damaged a vault is unusable, and nothing of it is removed', async () => {
  const shelf = createVaultRig({ dataDir: await temporaryFolder() });
  const vault = await created(shelf);
  await write(vault, incidents(1));
  await vault.close();
  const folder = folderOf(shelf, vault);
  for (const name of ['key.a', 'key.b']) await writeFile(join(folder, name), 'x');
  const before = await readdir(folder);
  expect(await shelf.repository.open(username, password)).toMatchObject({
    kind: 'unusable',
    failure: { code: 'storage-failed', sentence: saying(expect.stringContaining('damaged')) },
  });
  expect(await readdir(folder)).toEqual(before);
  for (const name of ['key.a', 'key.b']) await rm(join(folder, name));
  expect((await shelf.repository.open(username, password)).kind).toBe('unusable');
  expect((await shelf.repository.setAside(username)).ok).toBe(true);
  expect(await shelf.repository.open(username, password)).toEqual({ kind: 'none' });
});

test('a vault whose making was cut short before its key is no vault', async () => {
  const shelf = createVaultRig({ dataDir: await temporaryFolder() });
  const vault = await created(shelf);
  await vault.close();
  for (const name of ['key.a', 'key.b', 'cache.sqlite']) await rm(join(folderOf(shelf, vault), name));
  expect(await shelf.repository.open(username, password)).toEqual({ kind: 'none' });
  expect((await created(shelf)).notice).toBeNull();
});

test('deployments and origins have vaults of their own for the same account', async () => {
  const dataDir = await temporaryFolder();
  const north = createVaultRig({ dataDir });
  const moved = createVaultRig({
    dataDir,
    deployment: { id: 'north', infrastructureUrl: 'https://elsewhere.example/v0' },
  });
  const south = createVaultRig({
    dataDir,
    deployment: { id: 'south', infrastructureUrl: 'https://api.example/v0' },
  });
  const sameOrigin = createVaultRig({
    dataDir,
    deployment: { id: 'north', infrastructureUrl: 'https://api.example/v9/' },
  });
  const vault = await created(north);
  await vault.noteSync(now, 0);
  await vault.close();
  for (const other of [moved, south]) {
    expect(await other.repository.open(username, password)).toEqual({ kind: 'none' });
    expect(await other.repository.summaries()).toEqual([]);
    expect(await other.repository.erase(vault.id)).toMatchObject({
      ok: false,
      failure: { code: 'conflict' },
    });
    expect((await created(other)).id).not.toBe(vault.id);
  }
  expect((await north.repository.open('Ann@field', password)).kind).toBe('none');
  expect(await sameOrigin.repository.summaries()).toHaveLength(1);
  expect((await opened(sameOrigin)).id).toBe(vault.id);
});

test('keys of one vault do not open in the place of another', async () => {
  const dataDir = await temporaryFolder();
  const shelf = createVaultRig({ dataDir });
  const ann = await created(shelf);
  const bob = await created(shelf, 'bob');
  await ann.close();
  await bob.close();
  for (const name of ['key.a', 'key.b']) {
    await cp(join(folderOf(shelf, ann), name), join(folderOf(shelf, bob), name));
  }
  expect((await shelf.repository.open('bob', password)).kind).toBe('wrong-password');
});

test('summaries tell the latest first, name what was set aside, and leave out what is not legible', async () => {
  const shelf = createVaultRig({ dataDir: await temporaryFolder() });
  for (const [index, name] of ['ann', 'bob', 'cleo', 'dan'].entries()) {
    const vault = await created(shelf, name);
    if (name !== 'bob') await vault.noteSync(now + index, index);
    await vault.close();
    if (name === 'dan') await writeFile(join(folderOf(shelf, vault), 'about.json'), '{"format":1');
  }
  expect((await shelf.repository.setAside('ann')).ok).toBe(true);
  await mkdir(join(shelf.dataDir, 'vaults', 'a stranger'));
  expect(await shelf.repository.summaries()).toEqual([
    {
      id: expect.stringMatching(id32) as string,
      username: 'cleo',
      lastSyncAt: now + 2,
      unsent: 2,
      setAside: false,
    },
    {
      id: expect.stringMatching(id32) as string,
      username: 'ann',
      lastSyncAt: now,
      unsent: 0,
      setAside: true,
    },
    {
      id: expect.stringMatching(id32) as string,
      username: 'bob',
      lastSyncAt: null,
      unsent: 0,
      setAside: false,
    },
  ]);
  expect(shelf.logger.lines.map(({ event }) => event)).toContain('vault.header-unreadable');
});

test('a vault that was set aside makes room for a new one and can be erased', async () => {
  const shelf = createVaultRig({ dataDir: await temporaryFolder() });
  const old = await created(shelf);
  await write(old, incidents(5));
  await old.noteSync(now, 3);
  expect(await shelf.repository.erase(old.id)).toMatchObject({ ok: false, failure: { code: 'conflict' } });
  await old.close();
  expect((await shelf.repository.setAside(username)).ok).toBe(true);
  expect(await shelf.repository.open(username, password)).toEqual({ kind: 'none' });
  const fresh = await created(shelf, username, 'new one');
  const [first, second] = await shelf.repository.summaries();
  expect(first).toMatchObject({ setAside: true, unsent: 3, lastSyncAt: now });
  expect(second).toMatchObject({ id: fresh.id, setAside: false, unsent: 0 });
  const names = await readdir(join(shelf.dataDir, 'vaults', first?.id ?? ''));
  expect(names).toContain('cache.sqlite');
  expect((await shelf.repository.erase(first?.id ?? '')).ok).toBe(true);
  expect(await readdir(join(shelf.dataDir, 'vaults'))).toEqual([fresh.id]);
  expect(await shelf.repository.erase('f'.repeat(32))).toMatchObject({
    ok: false,
    failure: { code: 'conflict' },
  });
  expect(await shelf.repository.erase('../../etc')).toMatchObject({
    ok: false,
    failure: { code: 'storage-failed' },
  });
});

test('setting aside a vault whose header is damaged keeps it in the list', async () => {
  const shelf = createVaultRig({ dataDir: await temporaryFolder() });
  const vault = await created(shelf);
  await vault.close();
  await writeFile(join(folderOf(shelf, vault), 'about.json'), Buffer.alloc(64));
  expect((await shelf.repository.setAside(username)).ok).toBe(true);
  expect(await shelf.repository.summaries()).toMatchObject([{ username, setAside: true }]);
  expect((await shelf.repository.setAside(username)).ok).toBe(true);
});

test('a damaged header is written anew when the vault opens', async () => {
  const shelf = createVaultRig({ dataDir: await temporaryFolder() });
  const vault = await created(shelf);
  await vault.close();
  await rm(join(folderOf(shelf, vault), 'about.json'));
  expect(await shelf.repository.summaries()).toEqual([]);
  await opened(shelf);
  expect(await shelf.repository.summaries()).toMatchObject([{ id: vault.id, username, setAside: false }]);
});

test('stored costs outside the limits are refused unless they are the hasher’s own', async () => {
  const dataDir = await temporaryFolder();
  const seen: (number | undefined)[] = [];
  const costing = (N: number, r = 8, p = 1): PasswordHasher => ({
    cost: { N, r, p },
    derive: (secret, salt, length, cost) => {
      seen.push(cost?.N);
      return cheapHasher.derive(secret, salt, length);
    },
  });
  const refused = [
    costing(2 ** 16),
    costing(2 ** 21),
    costing(2 ** 17, 1),
    costing(2 ** 17, 8, 2),
    costing(2 ** 17 + 1),
  ];
  const asShipped = createVaultRig({ dataDir, hasher: costing(2 ** 17) });
  for (const [index, hasher] of refused.entries()) {
    const name = `refused ${String(index)}`;
    const own = createVaultRig({ dataDir, hasher });
    await (await created(own, name)).close();
    seen.length = 0;
    expect(await asShipped.repository.open(name, password)).toMatchObject({
      kind: 'unusable',
      failure: { sentence: saying(expect.stringContaining('settings')) },
    });
    expect(seen).toEqual([]);
    await opened(own, name);
  }
  const another = createVaultRig({ dataDir, hasher: costing(2 ** 18) });
  for (const N of [2 ** 17, 2 ** 20]) {
    const name = `accepted ${String(N)}`;
    await (await created(createVaultRig({ dataDir, hasher: costing(N) }), name)).close();
    seen.length = 0;
    await opened(another, name);
    expect(seen).toEqual([N]);
  }
});

test('a vault sealed to a computer needs that computer’s secret', async () => {
  const dataDir = await temporaryFolder();
  const deviceSecret = new Uint8Array(32).fill(7);
  const here = createVaultRig({ dataDir, deviceSecret });
  await (await created(here)).close();
  await (await opened(here)).close();
  expect(await createVaultRig({ dataDir }).repository.open(username, password)).toMatchObject({
    kind: 'unusable',
    failure: { remedy: saying(expect.stringContaining('desktop application')) },
  });
  const there = createVaultRig({ dataDir, deviceSecret: new Uint8Array(32).fill(8) });
  expect(await there.repository.open(username, password)).toMatchObject({
    kind: 'unusable',
    failure: { remedy: saying(expect.stringContaining('where it was sealed')) },
  });
  expect((await here.repository.open(username, `${password}?`)).kind).toBe('wrong-password');
});

test('a vault sealed with the password alone stays so until its password changes', async () => {
  const dataDir = await temporaryFolder();
  const deviceSecret = new Uint8Array(32).fill(7);
  await (await created(createVaultRig({ dataDir }))).close();
  const here = createVaultRig({ dataDir, deviceSecret });
  await (await opened(here)).close();
  await (await opened(createVaultRig({ dataDir }))).close();

  const vault = await opened(here);
  expect(await vault.reseal('another password')).toMatchObject({ ok: true });
  await vault.close();
  expect((await createVaultRig({ dataDir }).repository.open(username, 'another password')).kind).toBe(
    'unusable',
  );
  await opened(here, username, 'another password');
});

test('as shipped, a vault is sealed with scrypt at its whole cost, each with a salt of its own', async () => {
  const { cost } = createHasher();
  let { derive } = createHasher();
  const shelf = createVaultRig({
    dataDir: await temporaryFolder(),
    hasher: { cost, derive: (...given) => derive(...given) },
  });
  const vault = await created(shelf);
  await vault.close();
  const key = keyOf((await filesBelow(folderOf(shelf, vault))).get('key.b'));
  expect(key).toMatchObject(scryptCost);
  expect(scryptCost).toEqual({ N: 2 ** 17, r: 8, p: 1 });
  expect(Buffer.from(key.salt, 'base64')).toHaveLength(16);
  await opened(shelf);
  // The same book draws the salt of another vault; what it derives with that salt need not cost much.
  ({ derive } = cheapHasher);
  const bob = await created(shelf, 'bob');
  expect(keyOf((await filesBelow(folderOf(shelf, bob))).get('key.a')).salt).not.toBe(key.salt);
});

test('a closed vault answers with a failure, and closing twice is closing once', async () => {
  const shelf = createVaultRig({ dataDir: await temporaryFolder() });
  const vault = await created(shelf);
  await Promise.all([vault.close(), vault.close()]);
  await vault.close();
  expect(await vault.cache.write(upserts(incidents(1)))).toMatchObject({
    ok: false,
    failure: { code: 'storage-failed' },
  });
  expect((await vault.cache.load(() => undefined)).ok).toBe(false);
});

function keyOf(bytes: Buffer | undefined): { salt: string; wrap: string } {
  return JSON.parse(String(bytes).split('\n')[0] ?? '') as { salt: string; wrap: string };
}
