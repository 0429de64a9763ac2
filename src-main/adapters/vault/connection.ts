import { accessSync, constants, copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import * as zlib from 'node:zlib';
import { StorageError } from '../../core/vault/storage.ts';

/** One connection, of this process alone; the caller closes it. */
export function connect(location: string | URL): DatabaseSync {
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

/** Whether SQLite may write the file and make its log beside it. */
export function isWritable(path: string): boolean {
  try {
    for (const place of [path, dirname(path)]) accessSync(place, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * A connection that only reads a file that cannot be written, without a log or a lock: on a disk gone read-only
 * an operator still sees what was last known.
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
 * A console that was killed left a log with changes that were acknowledged, and SQLite reads no log that it cannot
 * lock: file and log, sealed as they are, are copied among the system's passing files. The copies have no name any
 * more once they are open; where an open file cannot be removed, they stay until the system clears such files.
 */
function connectCopy(path: string): DatabaseSync {
  let folder: string | null = null;
  try {
    folder = mkdtempSync(join(tmpdir(), 'field-console-vault-'));
    const copy = join(folder, basename(path));
    for (const part of ['', '-wal']) if (existsSync(path + part)) copyFileSync(path + part, copy + part);
    const database = connect(copy);
    // Folds the log into the copy, which then needs no other file.
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
    // Windows keeps an open file.
  }
}
