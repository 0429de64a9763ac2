import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { CacheKeys } from '../../core/vault/storage.ts';
import { cacheFile } from '../vault/folder.ts';
import { createVaultStorage } from '../vault/storage.ts';

/** What is written and must come back. */
const probeText = 'field-console self-test';
/** Of 8 KiB each: a probe needs a handful. */
const probePages = 256;
/** Where the header of a SQLite file says how it is written; 2 stands for a write-ahead log. */
const writeVersionAt = 18;

export async function probeFolder(dataDir: string): Promise<void> {
  const path = join(dataDir, `probe.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(probeText);
      await file.sync();
    } finally {
      await file.close();
    }
    if ((await readFile(path, 'utf8')) !== probeText) throw new Error('What was written did not come back');
  } finally {
    await rm(path, { force: true });
  }
}

/**
 * The way of every vault's cache, with a vault of its own: in `temporary`, where whatever a cut leaves
 * behind is removed at the next start.
 */
export async function probeDatabase(
  dataDir: string,
  keys: CacheKeys,
  now: number,
): Promise<'log' | 'journal'> {
  const folder = join(dataDir, 'temporary', `self-test-${randomBytes(6).toString('hex')}`);
  const id = randomBytes(16).toString('hex');
  const storage = createVaultStorage({ dataDir: folder, maximumPages: probePages });
  try {
    await mkdir(join(folder, 'vaults', id), { recursive: true, mode: 0o700 });
    const { store } = await storage.openCache({ id, keys, now, fresh: true });
    try {
      await store.write({
        upserts: { ids: [], entries: new Uint8Array() },
        removals: [],
        documents: { probe: probeText },
      });
      const { text, damaged } = await store.document('probe');
      if (damaged || text !== probeText) throw new Error('What was written did not come back');
    } finally {
      await store.close();
    }
    const header = await readFile(join(folder, 'vaults', id, cacheFile));
    return header[writeVersionAt] === 2 ? 'log' : 'journal';
  } finally {
    await storage.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const echo =
  "require('node:worker_threads').parentPort.once('message', function (n) { this.postMessage(n); })";

export async function probeThread(): Promise<void> {
  const worker = new Worker(echo, { eval: true, name: 'self-test' });
  try {
    await new Promise<void>((resolve, reject) => {
      worker.once('message', (answer) => (answer === 1 ? resolve() : reject(new Error('Another answer'))));
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('The thread ended without an answer')));
      worker.postMessage(1);
    });
  } finally {
    await worker.terminate();
  }
}
