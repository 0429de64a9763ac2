import { execFileSync } from 'node:child_process';
import { link, mkdir, readdir, readFile, rm, stat, symlink, truncate, writeFile, cp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createNodePorts } from '../../src-main/adapters/index.ts';
import type { OpenVault } from '../../src-main/core/vault/openVault.ts';
import { noteBreak, readRecoveryAdvice } from '../../src-main/hosts/recovery/remembered.ts';
import { hasModes, preparedOnce, temporaryFolder } from '../adapters/support.ts';
import { created, createVaultRig, incidents, password, username, write } from '../adapters/vault/support.ts';
import { campaignTimeoutMs, runCampaign } from '../support/campaign.ts';

/** What another program may leave in the place of a file of the data folder. */
const plants: Readonly<Record<string, (path: string, victim: string) => Promise<unknown>>> = {
  pipe: (path) => Promise.resolve(execFileSync('mkfifo', [path])),
  link: (path, victim) => symlink(victim, path),
  'second name': (path, victim) => link(victim, path),
  'dangling link': (path, victim) => symlink(`${victim} made`, path),
  'link to an endless file': (path) => symlink('/dev/zero', path),
  'sparse file': async (path) => {
    await writeFile(path, '');
    await truncate(path, 2 ** 42);
  },
  folder: (path) => mkdir(path),
};

const deployment = 'a'.repeat(32);
const item = '0'.repeat(16);
/** Each kind in the place of each file. */
const campaign = { name: 'planted files', whole: 119, part: 14 };

/** Reads and writes everything beside the vaults. What cannot be used rejects. */
async function useDocuments(dataDir: string): Promise<void> {
  const ports = createNodePorts({
    dataDir,
    logLevel: 'info',
    openExternal: () => Promise.resolve(false),
  });
  ports.logger.info('console-open');
  readRecoveryAdvice(dataDir, 0);
  await Promise.allSettled([
    ports.documents.read('preferences.json'),
    ports.handovers.read(deployment),
    ports.diagnostics.logTail(1_000),
  ]);
  await Promise.allSettled([
    ports.documents.write('preferences.json', '{}'),
    ports.handovers.write(deployment, 'a handover'),
  ]);
  noteBreak(dataDir, { wall: 0, elapsed: 0 });
  await ports.close();
}

async function useRecords(vault: OpenVault): Promise<void> {
  const opened = await vault.openRecords();
  if (!opened.ok) return;
  const { store, spool, close } = opened.value;
  await Promise.allSettled([store.readHead(), spool.sidecars(), readAll(spool.read(item))]);
  await Promise.allSettled([
    store.write([{ table: 'uploads', id: 'a', text: 'changed' }]),
    store.writeHead('changed'),
    spool.writeSidecar(item, 'changed'),
  ]);
  await close.call(opened.value);
}

async function readAll(pieces: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of pieces);
}

/** Signs in, writes, changes the password, and erases the vault. */
async function useVault(dataDir: string): Promise<void> {
  const { repository, storage } = createVaultRig({ dataDir });
  const opening = await repository.open(username, password);
  if (opening.kind === 'opened') {
    const { vault } = opening;
    await vault.cache.write({ upserts: incidents(3), removals: [], documents: {} });
    await useRecords(vault);
    await vault.reseal('next');
    await vault.close();
  }
  for (const id of await storage.ids()) await storage.destroy(id);
}

describe.runIf(hasModes)('a file of the data folder', () => {
  const written = preparedOnce(async (dataDir) => {
    await useDocuments(dataDir);
    const rig = createVaultRig({ dataDir });
    const vault = await created(rig);
    await write(vault, incidents(3));
    await useRecords(vault);
    const records = await vault.openRecords();
    if (!records.ok) throw new Error('The records do not open');
    const file = await records.value.spool.receive(item);
    await file.write(Buffer.from('a photo'));
    await file.finish();
    await records.value.store.write([{ table: 'uploads', id: 'a', text: 'waits' }]);
    // As a kill leaves it, with logs beside the databases.
    await cp(dataDir, `${dataDir} killed`, { recursive: true });
    await records.value.close();
    await vault.close();
    await cp(`${dataDir} killed`, dataDir, { recursive: true });
    await rm(`${dataDir} killed`, { recursive: true });
  });

  test(
    'that is a link, a pipe or without an end hangs nothing and leads nowhere',
    async () => {
      const source = await written();
      const names = (await readdir(source, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(source.length + 1))
        .sort();
      const cases = names.flatMap((name) => Object.entries(plants).map((plant) => ({ name, plant })));
      expect(cases).toHaveLength(campaign.whole);
      await runCampaign(campaign, async (_draw, index) => {
        // A step without a common divisor reaches each once, and any few of them are of all kinds.
        const { name, plant } = cases[(index * 31) % campaign.whole]!;
        const [kind, make] = plant;
        const root = await temporaryFolder();
        const [dataDir, victim] = [join(root, 'data'), join(root, 'victim')];
        await cp(source, dataDir, { recursive: true });
        await writeFile(victim, 'of another program', { mode: 0o644 });
        await rm(join(dataDir, name));
        await make(join(dataDir, name), victim);
        await useDocuments(dataDir);
        await useVault(dataDir);
        const what = `${kind} at ${name}`;
        expect(await readFile(victim, 'utf8'), what).toBe('of another program');
        expect((await stat(victim)).mode & 0o777, what).toBe(0o644);
        expect((await readdir(root)).sort(), what).toEqual(['data', 'victim']);
        return kind;
      });
    },
    campaignTimeoutMs,
  );
});
