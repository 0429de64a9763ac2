import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  renameSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import type { DatabaseSync } from 'node:sqlite';
import * as zlib from 'node:zlib';
import { StorageError, type CacheLoss } from '../../core/vault/storage.ts';
import { schemaVersion } from '../../core/vault/seal.ts';
import { cacheFile, companions } from './folder.ts';
import { sqliteResult } from './reason.ts';

/** Its tables, as SQLite repeats them: a file that says anything else was not made by this version. */
const tables = [
  'CREATE TABLE blocks (number INTEGER PRIMARY KEY, entries INTEGER NOT NULL, sealed BLOB NOT NULL)',
  'CREATE TABLE documents (key BLOB PRIMARY KEY, sealed BLOB NOT NULL)',
];

const unreadableResults: ReadonlySet<number> = new Set([1, 11, 24, 26]);

class Unreadable extends Error {}

/** Whether the file itself is at fault, and not the disk or who has it. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof Unreadable || unreadableResults.has(sqliteResult(error) ?? -1);

function connect(location: string | URL): DatabaseSync {
  const sqlite = process.getBuiltinModule('node:sqlite');
  // The runtime may have been built without them; types do not know that.
  const compress = zlib.zstdCompressSync as unknown;
  if (!(sqlite as typeof sqlite | undefined)?.DatabaseSync || !compress) {
    throw new StorageError('unsupported', process.version);
  }
  const database = new sqlite.DatabaseSync(location);
  try {
    // Exclusive: no second connection, and no memory shared through a third file.
    database.exec('PRAGMA busy_timeout=300; PRAGMA locking_mode=EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Makes the file with its mode before SQLite opens it, which gives the same mode to what lies beside it. */
function begin(path: string, maximumPages: number): DatabaseSync {
  closeSync(openSync(path, 'wx', 0o600));
  const database = connect(path);
  try {
    database.exec(`PRAGMA page_size=8192; PRAGMA journal_mode=WAL`);
    settle(database, maximumPages);
    database.exec(
      `BEGIN IMMEDIATE; ${tables.join(';')}; PRAGMA user_version=${String(schemaVersion)}; COMMIT`,
    );
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function settle(database: DatabaseSync, maximumPages: number): void {
  // NORMAL loses nothing to a killed process; a power cut may take the last seconds, which the
  // service still has. Free pages are overwritten.
  database.exec(`
    PRAGMA synchronous=NORMAL;
    PRAGMA secure_delete=ON;
    PRAGMA cache_size=-8192;
    PRAGMA temp_store=MEMORY;
    PRAGMA max_page_count=${String(maximumPages)}`);
}

/** Whether SQLite may write the file and make its log beside it. */
function isWritable(path: string): boolean {
  try {
    for (const place of [path, dirname(path)]) accessSync(place, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * The address under which SQLite reads a file that nobody can write, without a log or a lock: on a
 * disk gone read-only an operator still sees what was last known. A log that was left would be passed
 * over, and with it changes that were acknowledged, so then it is not opened.
 */
function unchangeable(path: string): URL {
  if (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size) {
    throw new StorageError('read-only', 'a log is waiting to be written back');
  }
  const location = pathToFileURL(path);
  location.searchParams.set('immutable', '1');
  return location;
}

function reopen(path: string, maximumPages: number): DatabaseSync {
  const writable = isWritable(path);
  if (writable) chmodSync(path, 0o600);
  const database = connect(writable ? path : unchangeable(path));
  try {
    const schema = database.prepare("SELECT sql FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
    const version = database.prepare('PRAGMA user_version').get()?.['user_version'];
    const same = JSON.stringify(schema.map(({ sql }) => sql)) === JSON.stringify(tables);
    if (!same || version !== schemaVersion) throw new Unreadable('not a cache of this version');
    // Reads every page once, so that a file whose pages are at fault is known before it is relied on.
    const check = database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
    if (check !== 'ok') throw new Unreadable('pages are damaged');
    database.exec('PRAGMA journal_mode=WAL');
    settle(database, maximumPages);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Renames the file, and what lies beside it, to a name with the date in it: nothing is deleted. */
function putAside(folder: string, now: number): void {
  const stamp = new Date(now).toISOString().replaceAll(/[^0-9TZ]/g, '');
  let aside = join(folder, `unreadable-${stamp}.sqlite`);
  for (let count = 2; existsSync(aside); count += 1) {
    aside = join(folder, `unreadable-${stamp}-${String(count)}.sqlite`);
  }
  const path = join(folder, cacheFile);
  for (const companion of companions) {
    if (existsSync(path + companion)) renameSync(path + companion, aside + companion);
  }
  if (existsSync(path)) renameSync(path, aside);
}

/**
 * Opens the cache of a vault's folder, or begins it. `prove` reads what only the right key can read;
 * `dress` writes it into a new file.
 */
export function openCacheFile(options: {
  readonly folder: string;
  readonly now: number;
  readonly fresh: boolean;
  readonly maximumPages: number;
  readonly prove: (database: DatabaseSync) => boolean;
  readonly dress: (database: DatabaseSync) => void;
}): { readonly database: DatabaseSync; readonly lost: CacheLoss | null } {
  const { folder, now, fresh, maximumPages, prove, dress } = options;
  const path = join(folder, cacheFile);
  let lost: CacheLoss | null = fresh ? null : 'missing';
  if (existsSync(path)) {
    try {
      const database = reopen(path, maximumPages);
      try {
        if (prove(database)) return { database, lost: null };
        throw new Unreadable('not sealed with this key');
      } catch (error) {
        database.close();
        throw error;
      }
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      lost = 'unreadable';
    }
  }
  // Also what lies beside a file that is missing: SQLite would play a stray log into the new one.
  putAside(folder, now);
  const database = begin(path, maximumPages);
  try {
    dress(database);
    // Into the file itself, so that it proves itself even when its log is lost.
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    return { database, lost };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** How many incidents a closed cache holds, without its key: 0 when that cannot be told. */
export function countClosedCache(folder: string): number {
  const path = join(folder, cacheFile);
  if (!existsSync(path)) return 0;
  let database: DatabaseSync | null = null;
  try {
    database = connect(path);
    const sum = database.prepare('SELECT total(entries) AS entries FROM blocks').get()?.['entries'];
    return typeof sum === 'number' && Number.isSafeInteger(sum) && sum > 0 ? sum : 0;
  } catch (error) {
    if (error instanceof StorageError) throw error;
    return 0;
  } finally {
    database?.close();
  }
}
