import { accessSync, constants, copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import type { DatabaseSync } from 'node:sqlite';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as zlib from 'node:zlib';
import { StorageError } from '../../core/vault/storage.ts';
import { codeOf } from '../../core/base/errors.ts';
import { readPlainNow } from '../plainFile.ts';

/** A file that SQLite must not read: it took no end, or would run what another program wrote. */
export class Unreadable extends Error {}

/** A page of this kind holds all of a schema: a few tables. */
const leafOfTable = 0x0d;

/**
 * Reads what SQLite would read first, the root of the schema, in the file and in its log. A schema with further pages is
 * not this console's, and may have no end: the thread would never come back from it.
 *
 * @throws Unreadable
 */
function requireSmallSchema(path: string): void {
  const root = readPiece(path, 0, 101);
  if (root.length > 0 && root[100] !== leafOfTable) throw new Unreadable('the schema is another one');
  if (readPiece(`${path}-journal`, 0, 1).length > 0) throw new Unreadable('a journal is left');
  // SQLite begins a log of another program again, from its first byte.
  const head = readPiece(`${path}-wal`, 0, 32, true);
  if (head.length < 32) return;
  const pageSize = head.readUInt32BE(8);
  // As SQLite, which reads no log with pages of another size, up to the first frame of an earlier log.
  for (let at = 32; pageSize >= 512 && pageSize <= 65_536; at += 24 + pageSize) {
    const frame = readPiece(`${path}-wal`, at, 24 + 101);
    if (frame.length < 24 + 101 || !frame.subarray(8, 16).equals(head.subarray(16, 24))) return;
    if (frame.readUInt32BE(0) !== 1 || frame[24 + 100] === leafOfTable) continue;
    // A killed console leaves the head of a frame above a page of an earlier log, and SQLite reads neither.
    if (!isRead(`${path}-wal`, head, at)) return;
    throw new Unreadable('the schema is another one');
  }
}

/** Whether SQLite reads a log as far as the frame at `last`: the sums hold up to its end (SQLite's file format, 4.2). */
function isRead(log: string, head: Buffer, last: number): boolean {
  const size = 24 + head.readUInt32BE(8);
  const word = head.readUInt32BE(0) % 2 === 1 ? 'readUInt32BE' : 'readUInt32LE';
  let [one, two] = [0, 0];
  const add = (bytes: Buffer): void => {
    for (let at = 0; at + 8 <= bytes.length; at += 8) {
      one = (one + bytes[word](at) + two) >>> 0;
      two = (two + bytes[word](at + 4) + one) >>> 0;
    }
  };
  const holds = (sums: Buffer): boolean => sums.readUInt32BE(0) === one && sums.readUInt32BE(4) === two;
  add(head.subarray(0, 24));
  if (!holds(head.subarray(24))) return false;
  for (let at = 32; at <= last; at += size) {
    const frame = readPiece(log, at, size);
    if (frame.length < size) return false;
    add(frame.subarray(0, 8));
    add(frame.subarray(24));
    if (!holds(frame.subarray(16, 24))) return false;
  }
  return true;
}

/** Shorter at the end of the file, empty where there is none. A link is refused: SQLite would write through it. */
function readPiece(path: string, at: number, length: number, single = false): Buffer {
  try {
    return readPlainNow(path, length, at, { single }) ?? Buffer.alloc(0);
  } catch (error) {
    if (codeOf(error) === 'ELOOP') throw new Unreadable('a link, or a second name');
    throw error;
  }
}

/**
 * One exclusive connection of this process. The caller closes it. No function runs that the file names, and nothing
 * writes its schema but SQL.
 *
 * @throws Unreadable, or an error of SQLite or of the system
 */
export function connect(location: string | URL): DatabaseSync {
  requireSmallSchema(typeof location === 'string' ? location : fileURLToPath(location));
  const sqlite = process.getBuiltinModule('node:sqlite');
  // The runtime may have been built without them, which its types do not show.
  const compress = zlib.zstdCompressSync as unknown;
  if (!(sqlite as typeof sqlite | undefined)?.DatabaseSync || !compress) {
    throw new StorageError('unsupported', process.version);
  }
  const database = new sqlite.DatabaseSync(location, { defensive: true });
  try {
    // Exclusive: no second connection, and no memory shared through a third file.
    database.exec('PRAGMA busy_timeout=300; PRAGMA locking_mode=EXCLUSIVE; PRAGMA trusted_schema=OFF');
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
