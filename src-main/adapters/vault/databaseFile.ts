import { chmodSync, closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { DatabaseSync } from 'node:sqlite';
import { StorageError, type CacheLoss } from '../../core/vault/storage.ts';
import { connect, connectReadOnly, isWritable } from './connection.ts';
import { companions } from './folder.ts';
import { sqliteResult } from './reason.ts';

/** A database of a vault's folder: what it is called, and what is in it. */
interface DatabaseFile {
  readonly folder: string;
  readonly name: string;
  /** How the name of one that is put aside begins. */
  readonly aside: string;
  readonly version: number;
  /** Its tables, as SQLite repeats them by name. */
  readonly tables: readonly string[];
  /** FULL: a change that was acknowledged survives a power cut. */
  readonly synchronous: 'NORMAL' | 'FULL';
  /**
   * What is done with every page at the opening. The whole check also looks at the order of keys, which
   * shows a page that lies twice and rows that are gone for it.
   */
  readonly check: 'quick_check' | 'integrity_check';
  /** Of 8 KiB. */
  readonly maximumPages: number;
}

const unreadableResults: ReadonlySet<number> = new Set([1, 11, 24, 26]);

class Unreadable extends Error {}

/** Whether the file itself is at fault, and not the disk or who has it. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof Unreadable || unreadableResults.has(sqliteResult(error) ?? -1);

/** Makes the file with its mode before SQLite opens it, which gives the same mode to what lies beside it. */
function begin(path: string, file: DatabaseFile): DatabaseSync {
  closeSync(openSync(path, 'wx', 0o600));
  const database = connect(path);
  try {
    database.exec(`PRAGMA page_size=8192; PRAGMA journal_mode=WAL`);
    settle(database, file);
    database.exec(
      `BEGIN IMMEDIATE; ${file.tables.join(';')}; PRAGMA user_version=${String(file.version)}; COMMIT`,
    );
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function settle(database: DatabaseSync, { synchronous, maximumPages }: DatabaseFile): void {
  // Free pages are overwritten.
  database.exec(`
    PRAGMA synchronous=${synchronous};
    PRAGMA secure_delete=ON;
    PRAGMA cache_size=-8192;
    PRAGMA temp_store=MEMORY;
    PRAGMA max_page_count=${String(maximumPages)}`);
}

function reopen(path: string, file: DatabaseFile, writable: boolean): DatabaseSync {
  if (writable) chmodSync(path, 0o600);
  const database = writable ? connect(path) : connectReadOnly(path);
  try {
    const schema = database.prepare("SELECT sql FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
    const version = database.prepare('PRAGMA user_version').get()?.['user_version'];
    const same = JSON.stringify(schema.map(({ sql }) => sql)) === JSON.stringify(file.tables);
    if (!same || version !== file.version) throw new Unreadable('not of this version');
    // Reads every page once, so that a file whose pages are at fault is known before it is relied on.
    const check = database.prepare(`PRAGMA ${file.check}(1)`).get()?.[file.check];
    if (check !== 'ok') throw new Unreadable('pages are damaged');
    if (writable) database.exec('PRAGMA journal_mode=WAL');
    settle(database, file);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Renames the file, and what lies beside it, to a name with the date in it: nothing is deleted. */
function putAside({ folder, name, aside }: DatabaseFile, now: number): void {
  const stamp = new Date(now).toISOString().replaceAll(/[^0-9TZ]/g, '');
  let to = join(folder, `${aside}-${stamp}.sqlite`);
  for (let count = 2; existsSync(to); count += 1) {
    to = join(folder, `${aside}-${stamp}-${String(count)}.sqlite`);
  }
  const path = join(folder, name);
  for (const companion of companions) {
    if (existsSync(path + companion)) renameSync(path + companion, to + companion);
  }
  if (existsSync(path)) renameSync(path, to);
}

/** Makes the new file's name last; Windows has no such thing and refuses to open a folder. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

export interface DatabaseOpening extends DatabaseFile {
  readonly now: number;
  readonly fresh: boolean;
  readonly again: boolean;
  readonly verify: (database: DatabaseSync) => boolean;
  readonly seal: (database: DatabaseSync) => void;
}

export interface OpenedDatabase {
  readonly database: DatabaseSync;
  readonly lost: CacheLoss | null;
  /** Opened on a disk that could not be written. */
  readonly readOnly: boolean;
}

/**
 * Opens a database that was opened read-only once more, to write; null while it cannot be written. The caller closes
 * the connection that only reads.
 */
export function openToWrite(options: DatabaseOpening): OpenedDatabase | null {
  if (!isWritable(join(options.folder, options.name))) return null;
  return openDatabaseFile({ ...options, fresh: false, again: true });
}

/**
 * Opens a database of a vault's folder, or begins it. `prove` reads what only the right key can read;
 * `dress` writes it into a new file. One that cannot be read is put aside under a name with the date
 * of `now` (Unix milliseconds). `fresh`: there is none yet, and that is no loss. `again`: this process
 * had it open, and rejects with `interrupted` rather than begin another one.
 */
export function openDatabaseFile(options: DatabaseOpening): OpenedDatabase {
  const { folder, name, now, fresh, again, verify, seal } = options;
  const path = join(folder, name);
  let lost: CacheLoss | null = fresh ? null : 'missing';
  if (existsSync(path)) {
    try {
      const writable = isWritable(path);
      const database = reopen(path, options, writable);
      try {
        if (verify(database)) return { database, lost: null, readOnly: !writable };
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
  // What memory knows was in it: only a new start begins from what is really there.
  if (again) throw new StorageError('interrupted', `the database is ${lost ?? 'missing'}`);
  // Also what lies beside a file that is missing: SQLite would play a stray log into the new one.
  putAside(options, now);
  let database: DatabaseSync | null = null;
  try {
    database = begin(path, options);
    seal(database);
    // Into the file itself, so that it proves itself even when its log is lost.
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    syncFolder(folder);
    return { database, lost, readOnly: false };
  } catch (error) {
    database?.close();
    // Half of a new file would be taken for a damaged one at the next opening.
    for (const part of ['', ...companions]) rmSync(path + part, { force: true });
    throw error;
  }
}
