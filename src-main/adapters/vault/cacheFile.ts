import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { schemaVersion } from '../../core/vault/seal.ts';
import { StorageError } from '../../core/vault/storage.ts';
import { connect, connectReadOnly, isWritable } from './connection.ts';
import type { DatabaseOpening } from './databaseFile.ts';
import { cacheFile } from './folder.ts';

/** Its tables, as SQLite repeats them: a file that says anything else was not made by this version. */
const tables = [
  'CREATE TABLE blocks (number INTEGER PRIMARY KEY, entries INTEGER NOT NULL, sealed BLOB NOT NULL)',
  'CREATE TABLE documents (key BLOB PRIMARY KEY, sealed BLOB NOT NULL)',
];

/**
 * How the cache of a vault's folder is opened, or begun. `prove` reads what only the right key can read;
 * `dress` writes it into a new file.
 */
export const cacheOpening = (options: {
  readonly folder: string;
  readonly now: number;
  readonly fresh: boolean;
  readonly again: boolean;
  readonly maximumPages: number;
  readonly verify: (database: DatabaseSync) => boolean;
  readonly seal: (database: DatabaseSync) => void;
}): DatabaseOpening => ({
  ...options,
  name: cacheFile,
  aside: 'unreadable',
  version: schemaVersion,
  tables,
  // Loses nothing to a killed process; a power cut may take the last seconds, which the service
  // still has.
  synchronous: 'NORMAL',
  // A cache may hold a million incidents.
  check: 'quick_check',
});

/** How many incidents a closed cache holds, without its key: 0 when that cannot be told. */
export function countClosedCache(folder: string): number {
  const path = join(folder, cacheFile);
  if (!existsSync(path)) return 0;
  let database: DatabaseSync | null = null;
  try {
    database = isWritable(path) ? connect(path) : connectReadOnly(path);
    const sum = database.prepare('SELECT total(entries) AS entries FROM blocks').get()?.['entries'];
    return typeof sum === 'number' && Number.isSafeInteger(sum) && sum > 0 ? sum : 0;
  } catch (error) {
    if (error instanceof StorageError) throw error;
    return 0;
  } finally {
    database?.close();
  }
}
