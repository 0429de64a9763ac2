import { createHash } from 'node:crypto';
import { chmod, cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createClock } from '../../../src-main/adapters/clock.ts';
import { createHasher } from '../../../src-main/adapters/crypto.ts';
import { createRecordFolders } from '../../../src-main/adapters/vault/records/folders.ts';
import { createVaultStorage } from '../../../src-main/adapters/vault/storage.ts';
import { VaultRepository } from '../../../src-main/core/vault/vaultRepository.ts';
import type { AuditEntry, Upload } from '../../../src-preload/contract/index.ts';
import { until } from '../../support/clock.ts';
import { said } from '../../support/messages.ts';
import { openNodeConsole } from '../../support/nodeConsole.ts';
import { createTestPorts } from '../../support/ports.ts';
import { readContents, slicesOf, type VaultContents } from '../../support/vaultContents.ts';
import { afterwards, temporaryFolder } from '../support.ts';

const fixture = join(import.meta.dirname, '../../fixtures/vault-0.2');
const deployment = join(fixture, 'deployment.json');

interface Expected {
  /** Unix milliseconds. */
  readonly madeAt: number;
  readonly credentials: { readonly username: string; readonly password: string };
  /** As that version told it. */
  readonly contents: Omit<VaultContents, 'audit'> & {
    readonly audit: readonly (AuditEntry & { readonly inferred: boolean })[];
  };
}
const expected = JSON.parse(await readFile(join(fixture, 'expected.json'), 'utf8')) as Expected;
const { madeAt, credentials, contents } = expected;

async function copyOfData(): Promise<string> {
  const dataDir = join(await temporaryFolder(), 'data');
  await cp(join(fixture, 'data'), dataDir, { recursive: true });
  await chmod(dataDir, 0o700);
  return dataDir;
}

/** The console on a copy of the data folder, an hour after it was made. */
async function open() {
  const real = createClock();
  const later = madeAt + 3_600_000 - real.wallNow();
  const opened = await openNodeConsole({
    dataDir: await copyOfData(),
    deployment,
    logLevel: 'silent',
    change: () => ({ clock: { ...real, wallNow: () => real.wallNow() + later } }),
  });
  afterwards(() => opened.ports.close());
  afterwards(() => opened.console.close());
  return { ...opened, slices: slicesOf(opened.console) };
}

/** What of a file in the outbox does not depend on when it is looked at. */
const lasting = ({ id, fileName, bytes, addedAt, attempts, sha256, computed }: Upload) => ({
  id,
  fileName,
  bytes,
  addedAt,
  attempts,
  sha256,
  computed,
});

test('a vault of 0.2 opens offline with its password, with everything of every kind in it', async () => {
  const { console, slices } = await open();
  expect(await console.call('signIn', credentials)).toMatchObject({ ok: true });
  await until(() => slices.incidents?.count === contents.incidents.length, 'the incidents');
  expect(slices.session).toMatchObject({ vault: 'open', session: { state: 'waiting' } });
  expect(slices.storage).toMatchObject({ keeping: 'disk', problem: null, notice: null });
  // The rest is read beside the incidents.
  await until(() => slices.missions?.audit.count === contents.audit.length, 'the audit list');
  expect(slices.missions?.audit).toMatchObject({ state: 'intact' });
  expect(slices.watch).toMatchObject({ damaged: 0, lost: null, problem: null });
  await until(() => slices.outbox?.available === true && slices.outbox.unsent > 0, 'the outbox');
  expect(slices.outbox?.paused).toBe(true);

  const found = await readContents(console, slices);
  expect(found.uploads.map(lasting)).toEqual(contents.uploads.map(lasting));
  // A sign-in is a line of the log, too.
  expect(found.shift).toEqual(expect.arrayContaining([...contents.shift]));
  const { incidents, notes, pins, views, layout, alarms } = contents;
  expect(found).toMatchObject({ incidents, notes, pins, views, layout, alarms });
  expect(found.audit).toEqual(contents.audit.map(({ inferred: _inferred, ...entry }) => entry));
  const reasons = found.uploads.flatMap(({ why }) => (why === null ? [] : [why]));
  expect(reasons).toEqual([{ id: 'api.connectionLost', values: {} }]);
});

test('a vault of 0.2 does not open with another password', async () => {
  const { console, slices } = await open();
  const answer = await console.call('signIn', { ...credentials, password: 'another password' });
  expect(answer).toMatchObject({ ok: false, failure: { code: 'wrong-password' } });
  await until(() => slices.session?.vault === 'closed', 'the vault to be closed');
  expect(slices.incidents?.count ?? 0).toBe(0);
});

test('the spooled files of a vault of 0.2 open with their bytes, and a changed password locks out its key', async () => {
  const dataDir = await copyOfData();
  const storage = createVaultStorage({ dataDir });
  const records = createRecordFolders({ dataDir });
  afterwards(() => storage.close());
  afterwards(() => records.close());
  const { random, logger } = createTestPorts();
  const { id, infrastructureUrl } = JSON.parse(await readFile(deployment, 'utf8')) as {
    readonly id: string;
    readonly infrastructureUrl: string;
  };
  const repository = new VaultRepository({
    storage,
    records,
    hasher: createHasher(),
    random,
    logger,
    serverNow: () => madeAt,
    deployment: { id, infrastructureUrl },
  });
  const opening = await repository.open(credentials.username, credentials.password);
  if (opening.kind !== 'opened') throw new Error(`The vault is ${opening.kind}`);
  afterwards(() => opening.vault.close());
  const opened = await opening.vault.openRecords();
  if (!opened.ok) throw new Error(said(opened.failure.sentence));
  const { spool, lost, rollback, close } = opened.value;
  afterwards(close);
  expect({ lost, rollback }).toEqual({ lost: null, rollback: null });
  expect([...(await spool.sidecars()).values()].every((text) => text !== null)).toBe(true);
  const digests = new Map<string, string>();
  for (const name of (await spool.list()).keys()) {
    const hash = createHash('sha256');
    for await (const piece of spool.read(name)) hash.update(piece);
    digests.set(name, hash.digest('hex'));
  }
  expect(digests).toEqual(new Map(contents.uploads.map((upload) => [upload.id, upload.sha256])));

  // Its key is bound to no turn; its next one is.
  const keyFile = join(dataDir, 'vaults', opening.vault.id, 'key.a');
  const old = await readFile(keyFile);
  await close();
  expect((await opening.vault.reseal('next')).ok).toBe(true);
  await opening.vault.close();
  for (const name of ['key.a', 'key.b']) await writeFile(join(keyFile, '..', name), old);
  expect((await repository.open(credentials.username, credentials.password)).kind).toBe('unusable');
});
