import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { createRecordFolders } from '../../../../src-main/adapters/vault/records/folders.ts';
import type { Clock } from '../../../../src-main/core/base/ports.ts';
import { ProfileHashing } from '../../../../src-main/core/features/evidence/cid/profiles.ts';
import type {
  RecordFolders,
  RecordKeys,
  RecordRow,
  SpooledFacts,
  VaultRecords,
} from '../../../../src-main/core/vault/records.ts';
import { afterwards } from '../../support.ts';
import { keysOf, now, placeOf, vaultId } from './actionBytes.ts';

export { bytesOf, fileId, keysOf, mebibyte, now, placeOf, vaultId } from './actionBytes.ts';

/** Closed after the test. */
export function foldersOf(
  dataDir: string,
  options: { readonly maximumPages?: number; readonly anchorsDir?: string; readonly clock?: Clock } = {},
): RecordFolders {
  const folders = createRecordFolders({ dataDir, ...options });
  afterwards(() => folders.close());
  return folders;
}

/** As the first opening of a vault does it, or a later one. Closed after the test, if it is still open. */
export async function opened(
  dataDir: string,
  options: {
    readonly fresh?: boolean;
    readonly keys?: RecordKeys;
    readonly id?: string;
    readonly maximumPages?: number;
    readonly anchorsDir?: string;
    readonly folders?: RecordFolders;
  } = {},
): Promise<VaultRecords> {
  const { fresh = true, keys = keysOf(), id = vaultId, folders, ...others } = options;
  await mkdir(placeOf(dataDir, id), { recursive: true, mode: 0o700 });
  return (folders ?? foldersOf(dataDir, others)).open({ vaultId: id, keys, now, fresh });
}

export interface OwnVault {
  readonly id: string;
  /** The vault's folder. */
  readonly place: string;
  readonly records: VaultRecords;
}

/**
 * One data folder for all tests of a file, each with its own vault in it, closed after the test or the file.
 * Files of all of them pass through the same two threads, as those of one console do: to start these takes longer
 * than most of what a test does.
 */
export function sharedFolders(): {
  readonly dataDir: string;
  newVault(until?: 'test' | 'file'): Promise<OwnVault>;
} {
  let dataDir = '';
  let folders: RecordFolders | null = null;
  let count = 0;
  const open: VaultRecords[] = [];
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'field-console-test-'));
    folders = createRecordFolders({ dataDir });
  });
  afterEach(async () => {
    for (const records of open.splice(0)) await records.close();
  });
  afterAll(async () => {
    await folders?.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  return {
    get dataDir() {
      return dataDir;
    },
    newVault: async (until = 'test') => {
      if (folders === null) throw new Error('Not before the tests');
      const id = (count += 1).toString(16).padStart(32, '0');
      const records = await opened(dataDir, { folders, id });
      if (until === 'test') open.push(records);
      return { id, place: placeOf(dataDir, id), records };
    },
  };
}

export const upload = (id: string, text: string | null): RecordRow => ({ table: 'uploads', id, text });

export async function spooled(
  { spool }: VaultRecords,
  id: string,
  bytes: Uint8Array,
  piece = 65_536,
): Promise<SpooledFacts> {
  const file = await spool.receive(id);
  for (let at = 0; at < bytes.byteLength; at += piece) await file.write(bytes.subarray(at, at + piece));
  return file.finish();
}

/** What is to be said of a file with these bytes. */
export async function hashed(bytes: Uint8Array): Promise<SpooledFacts> {
  const hashing = new ProfileHashing();
  hashing.write(bytes);
  return hashing.finish();
}

/** What a reading gives: the bytes that came, and the error that ended it, if one did. */
export async function readBack(
  { spool }: VaultRecords,
  id: string,
): Promise<{ readonly bytes: Buffer; readonly error: unknown }> {
  const parts: Uint8Array[] = [];
  try {
    for await (const part of spool.read(id)) parts.push(Uint8Array.from(part));
    return { bytes: Buffer.concat(parts), error: null };
  } catch (error) {
    return { bytes: Buffer.concat(parts), error };
  }
}
