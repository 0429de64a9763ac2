import { chmodSync, closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { RowKeys } from '../../core/vault/records.ts';
import { forgetKeys, ringOf } from '../../core/vault/seal.ts';
import { StorageError, type CacheKeys, type CacheLoss } from '../../core/vault/storage.ts';
import { syncFolderNow } from '../durableFiles.ts';
import { connect, connectReadOnly, isWritable, Unreadable } from './connection.ts';
import type { Opening } from './messages.ts';
import { sqliteResult } from './reason.ts';

/** The files that SQLite creates beside a database. */
const companions = ['-wal', '-shm', '-journal'] as const;

/** The name of a database in a vault's folder, and its content. */
export interface DatabaseFormat<K, Statements> {
  readonly name: string;
  /** The beginning of the name of a file that is set aside. */
  readonly aside: string;
  readonly version: number;
  /** Its tables, in the text that SQLite stores. */
  readonly tables: readonly string[];
  /** FULL: an acknowledged change survives a power cut. */
  readonly synchronous: 'NORMAL' | 'FULL';
  /**
   * The check of every page at the opening. The full check also verifies the order of keys, which detects a duplicated
   * page and the rows that it replaced.
   */
  readonly check: 'quick_check' | 'integrity_check';
  /** Reads a row that only the right key opens. */
  readonly verify: (database: DatabaseSync, keys: K) => boolean;
  /** Writes that row into a new file. */
  readonly seal: (database: DatabaseSync, keys: K) => void;
  /**
   * Seals every row again, in a transaction. What does not open with `from` stays as it is, and a sum that did not match
   * does not match afterwards.
   */
  readonly reseal: (database: DatabaseSync, from: K, to: K) => void;
  readonly prepare: (database: DatabaseSync, keys: K) => Statements;
}
/** What does not depend on the keys. */
type Format = Omit<DatabaseFormat<never, unknown>, 'verify' | 'seal' | 'reseal' | 'prepare'>;

const unreadableResults: ReadonlySet<number> = new Set([1, 11, 24, 26]);

/** Whether the file itself is at fault, and not the disk or another process. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof Unreadable || unreadableResults.has(sqliteResult(error) ?? -1);

/** Creates the file with its mode before SQLite opens it. SQLite gives the same mode to the files beside it. */
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
  const database = writable ? connect(path) : connectReadOnly(path);
  try {
    if (writable) chmodSync(path, 0o600);
    // All of it, so that no trigger and no view runs. An index of a primary key has no text.
    const schema = database
      .prepare("SELECT sql FROM sqlite_schema WHERE type <> 'index' OR sql IS NOT NULL ORDER BY name LIMIT ?")
      .all(format.tables.length + 1);
    const version = database.prepare('PRAGMA user_version').get()?.['user_version'];
    const same = JSON.stringify(schema.map(({ sql }) => sql)) === JSON.stringify(format.tables);
    if (!same || version !== format.version) throw new Unreadable('not of this version');
    // Reads every page once, so that damaged pages are found before the file is used.
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

/** Renames the file, and those beside it, to a name with the date: nothing is deleted. */
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

type SomeKeys<K> = (CacheKeys | RowKeys) & { readonly older?: readonly K[] };
type KeyedOpening<K> = Opening & { readonly keys: K };

interface Opened<K> {
  readonly database: DatabaseSync;
  /** Those that seal it. */
  readonly keys: K;
  readonly lost: CacheLoss | null;
  /** Opened on a disk that could not be written. */
  readonly readOnly: boolean;
}

/** The existing database; null when there is none, or none that can be read, which `onLost` reports. */
function openExisting<K extends SomeKeys<K>>(
  path: string,
  format: DatabaseFormat<K, unknown>,
  { keys: newest, maximumPages }: KeyedOpening<K>,
): Opened<K> | { readonly lost: CacheLoss } {
  if (!existsSync(path)) return { lost: 'missing' };
  try {
    const writable = isWritable(path);
    const database = reopen(path, format, maximumPages, writable);
    try {
      const keys = ringOf<K>(newest).find((one) => format.verify(database, one));
      if (keys) return { database, keys, lost: null, readOnly: !writable };
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

/** Opens a database, or creates it. One that cannot be read is set aside. */
function open<K extends SomeKeys<K>>(
  opening: KeyedOpening<K>,
  format: DatabaseFormat<K, unknown>,
): Opened<K> {
  const { folder, keys, now, fresh, again, maximumPages } = opening;
  const path = join(folder, format.name);
  const found = openExisting(path, format, opening);
  if ('database' in found) return found;
  // Memory knows the earlier content: only a new start may begin with what is really there.
  if (again) throw new StorageError('interrupted', `the database is ${found.lost}`);
  // Also files beside a missing one: SQLite would apply a leftover log to the new file.
  putAside(folder, format, now);
  let database: DatabaseSync | null = null;
  try {
    database = begin(path, format, maximumPages);
    format.seal(database, keys);
    // Into the file itself, so that it can be verified even without its log.
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    syncFolderNow(folder);
    return { database, keys, lost: fresh && found.lost === 'missing' ? null : found.lost, readOnly: false };
  } catch (error) {
    database?.close();
    // The next opening would take half of a new file for a damaged one.
    for (const part of ['', ...companions]) rmSync(path + part, { force: true });
    throw error;
  }
}

/**
 * One database of a vault with sealed rows, in its thread. One that cannot be read is set aside under a name with the
 * date of `now`, and another one is created; opened with `again`, it rejects with `interrupted` instead. For one caller
 * at a time.
 */
export class SealedDatabase<K extends SomeKeys<K>, Statements> {
  readonly #format: DatabaseFormat<K, Statements>;
  #opening: KeyedOpening<K>;
  #opened: Opened<K>;
  #statements: Statements;
  /** Rows that former keys sealed may still be in the log. */
  #hasFormer = false;
  /** Why there is a new database in place of the expected one. */
  readonly lost: CacheLoss | null;

  /** @throws StorageError, or an error of SQLite or of the system (reason.ts) */
  constructor(opening: KeyedOpening<K>, format: DatabaseFormat<K, Statements>) {
    this.#opening = opening;
    this.#format = format;
    this.#opened = open(opening, format);
    this.#statements = format.prepare(this.#opened.database, this.#opened.keys);
    this.lost = this.#opened.lost;
  }

  get statements(): Statements {
    return this.#statements;
  }

  /** The keys that seal it now. */
  get keys(): K {
    return this.#opened.keys;
  }

  /**
   * Seals all rows with the newest keys, if others seal them: all or nothing. Call it before each write.
   *
   * @returns why the log may still have rows that former keys sealed, which prevents no write; null where it has none.
   */
  renew(): unknown {
    this.#openToWrite();
    const { database, keys: from } = this.#opened;
    const { keys } = this.#opening;
    if (from !== keys) {
      this.#transaction(() => this.#format.reseal(database, from, keys));
      this.#opened = { ...this.#opened, keys };
      this.#statements = this.#format.prepare(database, keys);
      this.#hasFormer = true;
    }
    if (!this.#hasFormer) return null;
    try {
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      this.#hasFormer = false;
      return null;
    } catch (error) {
      return error;
    }
  }

  /** Seals all rows with newer keys: now or, if that fails, before the next write. */
  change(keys: K): void {
    this.#opening = { ...this.#opening, keys };
    const problem = this.renew();
    if (problem !== null) throw problem;
  }

  /** All changes of `work` or none. */
  write(work: (statements: Statements) => void): void {
    this.#transaction(() => work(this.#statements));
  }

  #transaction(work: () => void): void {
    const { database } = this.#opened;
    database.exec('BEGIN IMMEDIATE');
    try {
      work();
      database.exec('COMMIT');
    } catch (error) {
      // After some errors SQLite has already rolled back, and refuses a second rollback.
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  }

  /** Also overwrites the keys. */
  close(): void {
    for (const keys of [this.#opening.keys, this.#opened.keys]) forgetKeys(keys);
    this.#opened.database.close();
  }

  /** A disk that was read-only at the opening may be writable now, but the connection from then never would be. */
  #openToWrite(): void {
    const { folder } = this.#opening;
    if (!this.#opened.readOnly || !isWritable(join(folder, this.#format.name))) return;
    const opened = open({ ...this.#opening, fresh: false, again: true }, this.#format);
    this.#opened.database.close();
    this.#opened = opened;
    this.#statements = this.#format.prepare(opened.database, opened.keys);
  }
}
