import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CacheKeys } from '../../core/vault/storage.ts';
import { createClock } from '../clock.ts';
import { beginFile } from '../durableFiles.ts';
import { databaseThread } from '../vault/databaseThread.ts';
import { cacheFile } from '../vault/folder.ts';
import { createVaultStorage } from '../vault/storage.ts';

/** The text that is written and must be read back. */
const probeText = 'field-console self-test';
/** Pages of 8 KiB. A probe needs a few. */
const probePages = 256;
/** The offset of the write version in the header of a SQLite file; 2 means a write-ahead log. */
const writeVersionAt = 18;

export async function probeFolder(dataDir: string): Promise<void> {
  const path = join(dataDir, `probe.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const file = await beginFile(path);
    await file.write(probeText);
    await file.finish();
    if ((await readFile(path, 'utf8')) !== probeText) throw new Error('What was written did not come back');
  } finally {
    await rm(path, { force: true });
  }
}

/**
 * Does the same as every vault's cache, with a separate vault in `temporary`: after an interruption, the next start
 * removes it.
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

/** Whether a thread starts and replies. */
export async function probeThread(): Promise<void> {
  const thread = databaseThread('self-test', { clock: createClock() });
  try {
    await thread.living().ask('close', null);
  } finally {
    await thread.close();
  }
}
