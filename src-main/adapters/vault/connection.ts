import { accessSync, constants, copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import * as zlib from 'node:zlib';
import { StorageError } from '../../core/vault/storage.ts';

/** One exclusive connection of this process. The caller closes it. */
export function connect(location: string | URL): DatabaseSync {
  const sqlite = process.getBuiltinModule('node:sqlite');
  // The runtime may have been built without them, which its types do not show.
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

/** Whether SQLite may write the file and create its log beside it. */
export function isWritable(path: string): boolean {
  try {
    for (const place of [path, dirname(path)]) accessSync(place, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * A read-only connection to a file that cannot be written, without a log or a lock: on a disk that became read-only the
 * operator still sees the last known data.
 */
export function connectReadOnly(path: string): DatabaseSync {
  const database = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size
    ? connectCopy(path)
    : connect(unchangeable(path));
  database.exec('PRAGMA query_only=ON');
  return database;
}

function unchangeable(path: string): URL {
  const location = pathToFileURL(path);
  location.searchParams.set('immutable', '1');
  return location;
}

/**
 * A killed console left a log with acknowledged changes, and SQLite reads no log that it cannot lock. So file and log,
 * sealed as they are, are copied to the system's temporary files. The copies are removed while they are open; where an
 * open file cannot be removed, they stay until the system removes temporary files.
 */
function connectCopy(path: string): DatabaseSync {
  let folder: string | null = null;
  try {
    folder = mkdtempSync(join(tmpdir(), 'field-console-vault-'));
    const copy = join(folder, basename(path));
    for (const part of ['', '-wal']) if (existsSync(path + part)) copyFileSync(path + part, copy + part);
    const database = connect(copy);
    // Merges the log into the copy, which then needs no other file.
    database.exec('PRAGMA journal_mode=DELETE');
    return database;
  } catch {
    throw new StorageError('read-only', 'a log is waiting to be written back');
  } finally {
    if (folder !== null) removeIfPossible(folder);
  }
}

function removeIfPossible(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Windows cannot remove an open file.
  }
}
