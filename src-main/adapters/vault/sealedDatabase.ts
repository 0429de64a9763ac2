import { chmodSync, closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { forgetKeys } from '../../core/vault/seal.ts';
import { StorageError, type CacheKeys, type CacheLoss } from '../../core/vault/storage.ts';
import { syncFolderNow } from '../durableFiles.ts';
import { connect, connectReadOnly, isWritable } from './connection.ts';
import type { Opening, OutboxOpening } from './messages.ts';
import { sqliteResult } from './reason.ts';

/** What SQLite keeps beside a database. */
const companions = ['-wal', '-shm', '-journal'] as const;

/** What a database of a vault's folder is called, and what is in it. */
export interface DatabaseFormat<Statements> {
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
  /** Whether it reads what only the right key can read. */
  readonly verify: (database: DatabaseSync) => boolean;
  /** Writes that into a new file. */
  readonly seal: (database: DatabaseSync) => void;
  readonly prepare: (database: DatabaseSync) => Statements;
}
type Format = DatabaseFormat<unknown>;

const unreadableResults: ReadonlySet<number> = new Set([1, 11, 24, 26]);

class Unreadable extends Error {}

/** Whether the file itself is at fault, and not the disk or who has it. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof Unreadable || unreadableResults.has(sqliteResult(error) ?? -1);

/** Makes the file with its mode before SQLite opens it, which gives the same mode to what lies beside it. */
function begin(path: string, format: Format, maximumPages: number): DatabaseSync {
  closeSync(openSync(path, 'wx', 0o600));
  const database = connect(path);
  try {
    database.exec(`PRAGMA page_size=8192; PRAGMA journal_mode=WAL`);
    settle(database, format, maximumPages);
    database.exec(
      `BEGIN IMMEDIATE; ${format.tables.join(';')}; PRAGMA user_version=${String(format.version)}; COMMIT`,
    );
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function settle(database: DatabaseSync, { synchronous }: Format, maximumPages: number): void {
  // Free pages are overwritten.
  database.exec(`
    PRAGMA synchronous=${synchronous};
    PRAGMA secure_delete=ON;
    PRAGMA cache_size=-8192;
    PRAGMA temp_store=MEMORY;
    PRAGMA max_page_count=${String(maximumPages)}`);
}

function reopen(path: string, format: Format, maximumPages: number, writable: boolean): DatabaseSync {
  if (writable) chmodSync(path, 0o600);
  const database = writable ? connect(path) : connectReadOnly(path);
  try {
    const schema = database.prepare("SELECT sql FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
    const version = database.prepare('PRAGMA user_version').get()?.['user_version'];
    const same = JSON.stringify(schema.map(({ sql }) => sql)) === JSON.stringify(format.tables);
    if (!same || version !== format.version) throw new Unreadable('not of this version');
    // Reads every page once, so that a file whose pages are at fault is known before it is relied on.
    const check = database.prepare(`PRAGMA ${format.check}(1)`).get()?.[format.check];
    if (check !== 'ok') throw new Unreadable('pages are damaged');
    if (writable) database.exec('PRAGMA journal_mode=WAL');
    settle(database, format, maximumPages);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Renames the file, and what lies beside it, to a name with the date in it: nothing is deleted. */
function putAside(folder: string, { name, aside }: Format, now: number): void {
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

interface Opened {
  readonly database: DatabaseSync;
  readonly lost: CacheLoss | null;
  /** Opened on a disk that could not be written. */
  readonly readOnly: boolean;
}

/** The database that is there; null when there is none, or none that can be read, as `onLost` then says. */
function openExisting(
  path: string,
  format: Format,
  maximumPages: number,
): Opened | { readonly lost: CacheLoss } {
  if (!existsSync(path)) return { lost: 'missing' };
  try {
    const writable = isWritable(path);
    const database = reopen(path, format, maximumPages, writable);
    try {
      if (format.verify(database)) return { database, lost: null, readOnly: !writable };
      throw new Unreadable('not sealed with this key');
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return { lost: 'unreadable' };
  }
}

/** Opens a database, or begins it; one that cannot be read is put aside. */
function open(opening: Opening, format: Format): Opened {
  const { folder, now, fresh, again, maximumPages } = opening;
  const path = join(folder, format.name);
  const found = openExisting(path, format, maximumPages);
  if ('database' in found) return found;
  // What memory knows was in it: only a new start begins from what is really there.
  if (again) throw new StorageError('interrupted', `the database is ${found.lost}`);
  // Also what lies beside a file that is missing: SQLite would play a stray log into the new one.
  putAside(folder, format, now);
  let database: DatabaseSync | null = null;
  try {
    database = begin(path, format, maximumPages);
    format.seal(database);
    // Into the file itself, so that it proves itself even when its log is lost.
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    syncFolderNow(folder);
    return { database, lost: fresh && found.lost === 'missing' ? null : found.lost, readOnly: false };
  } catch (error) {
    database?.close();
    // Half of a new file would be taken for a damaged one at the next opening.
    for (const part of ['', ...companions]) rmSync(path + part, { force: true });
    throw error;
  }
}

/**
 * One database of a vault, whose rows are sealed, in the thread that has it. One that cannot be read is put aside under
 * a name with the date of `now`, and another one is begun; opened `again` it rejects with `interrupted` instead. Not
 * safe for two callers at a time.
 */
export class SealedDatabase<Statements> {
  readonly #opening: Opening & { readonly keys: CacheKeys | OutboxOpening['keys'] };
  readonly #format: DatabaseFormat<Statements>;
  #opened: Opened;
  #statements: Statements;
  /** Why there is a new database in place of the one that was expected. */
  readonly lost: CacheLoss | null;

  /** @throws StorageError, or an error of SQLite or of the system (reason.ts) */
  constructor(
    opening: Opening & { readonly keys: CacheKeys | OutboxOpening['keys'] },
    format: DatabaseFormat<Statements>,
  ) {
    this.#opening = opening;
    this.#format = format;
    this.#opened = open(opening, format);
    this.#statements = format.prepare(this.#opened.database);
    this.lost = this.#opened.lost;
  }

  get statements(): Statements {
    return this.#statements;
  }

  /** All that `work` changes or nothing of it. */
  write(work: (statements: Statements) => void): void {
    this.#openToWrite();
    const { database } = this.#opened;
    database.exec('BEGIN IMMEDIATE');
    try {
      work(this.#statements);
      database.exec('COMMIT');
    } catch (error) {
      // SQLite has rolled back by itself after some errors, and then refuses to do it again.
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  }

  /** Overwrites the keys, too. */
  close(): void {
    forgetKeys(this.#opening.keys);
    this.#opened.database.close();
  }

  /** A disk that was read-only at the opening may be writable by now: the connection from then never would be. */
  #openToWrite(): void {
    const { folder } = this.#opening;
    if (!this.#opened.readOnly || !isWritable(join(folder, this.#format.name))) return;
    const opened = open({ ...this.#opening, fresh: false, again: true }, this.#format);
    this.#opened.database.close();
    this.#opened = opened;
    this.#statements = this.#format.prepare(opened.database);
  }
}
