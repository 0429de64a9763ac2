import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { rowKey, schemaVersion, sealRecord, unsealRecord, type Place } from '../../core/vault/seal.ts';
import { StorageError, type CacheKeys, type CacheLoss, type StoredChange } from '../../core/vault/storage.ts';
import { CacheBlocks, resealBlocks } from './cacheBlocks.ts';
import { connect, connectReadOnly, isWritable } from './connection.ts';
import { cacheFile } from './folder.ts';
import type { CacheOpening, DatabaseMessages } from './messages.ts';
import { SealedDatabase } from './sealedDatabase.ts';

/** The text that SQLite stores for them. A file with other tables was not made by this version. */
const tables = [
  'CREATE TABLE blocks (number INTEGER PRIMARY KEY, entries INTEGER NOT NULL, sealed BLOB NOT NULL)',
  'CREATE TABLE documents (key BLOB PRIMARY KEY, sealed BLOB NOT NULL)',
];

/** A document in every cache, which opens only with the right key. */
const proofName = 'proof';
const proofText = `field-console cache ${String(schemaVersion)}`;
/** Beside the proof. */
const sumName = 'sum';
/** With a prefix, so that no document of the console can replace these. */
const ownName = (name: string): string => `document ${name}`;

interface Statements {
  readonly blocks: CacheBlocks;
  readonly read: StatementSync;
  readonly put: StatementSync;
}

/** The incidents of one vault with their documents, in the thread. For one caller at a time. */
export class CacheDatabase {
  readonly #database: SealedDatabase<CacheKeys, Statements>;
  readonly lost: CacheLoss | null;

  constructor(opening: CacheOpening) {
    this.#database = new SealedDatabase(opening, {
      name: cacheFile,
      aside: 'unreadable',
      version: schemaVersion,
      tables,
      // A killed process loses nothing. A power cut may lose the last seconds, which the service still has.
      synchronous: 'NORMAL',
      // A cache may hold a million incidents.
      check: 'quick_check',
      verify: (database, keys) => openText(keys, proofName, prepared(database, keys).read) === proofText,
      seal: (database, keys) =>
        void prepared(database, keys).put.run(...sealedRow(keys, proofName, proofText)),
      reseal,
      prepare: prepared,
    });
    this.lost = this.#database.lost;
  }

  /** `older`: blocks are missing, or were replaced by older ones. */
  *load(): Generator<Uint8Array, DatabaseMessages['load']['reply']> {
    const { blocks, read } = this.#database.statements;
    const loaded = yield* blocks.load();
    const sum = openText(this.#database.keys, sumName, read);
    // A cache that was never written has no sum, and a damaged block is not one that was restored.
    return { ...loaded, older: sum !== null && loaded.damaged === 0 && sum !== blocks.sum };
  }

  /** All of the changes or none. */
  write(changes: readonly StoredChange[]): undefined {
    this.#database.renew();
    const { keys } = this.#database;
    try {
      this.#database.write(({ blocks, put }) => {
        for (const { upserts, removals, documents } of changes) {
          blocks.apply(upserts, removals);
          for (const [name, text] of Object.entries(documents)) {
            put.run(...sealedRow(keys, ownName(name), text));
          }
        }
        put.run(...sealedRow(keys, sumName, blocks.sum));
      });
    } catch (error) {
      this.#database.statements.blocks.forget();
      throw error;
    }
  }

  document(name: string): DatabaseMessages['document']['reply'] {
    const { statements, keys } = this.#database;
    const text = openText(keys, ownName(name), statements.read);
    return {
      text,
      damaged: text === null && statements.read.get(rowKey(keys.lookup, ownName(name))) !== undefined,
    };
  }

  count(): number {
    return this.#database.statements.blocks.entries;
  }

  /** Seals everything with newer keys: now or, if that fails, before the next write. */
  renew(keys: CacheKeys): void {
    this.#database.change(keys);
  }

  close(): void {
    this.#database.close();
  }
}

/** The lookup key is the same in both. */
function reseal(database: DatabaseSync, from: CacheKeys, to: CacheKeys): void {
  const { read, put } = prepared(database, from);
  const sums = resealBlocks(database, from, to);
  const matched = openText(from, sumName, read) === sums.from;
  for (const { key, sealed } of database.prepare('SELECT key, sealed FROM documents').all()) {
    if (!(key instanceof Uint8Array) || !(sealed instanceof Uint8Array)) continue;
    const place = placeOf(from, key);
    const bytes = unsealRecord(from.documents, sealed, place);
    if (bytes) put.run(key, sealRecord(to.documents, bytes, place));
  }
  if (matched) put.run(...sealedRow(to, sumName, sums.to));
}

const prepared = (database: DatabaseSync, keys: CacheKeys): Statements => ({
  blocks: new CacheBlocks(database, keys),
  read: database.prepare('SELECT sealed FROM documents WHERE key = ?'),
  put: database.prepare('INSERT OR REPLACE INTO documents (key, sealed) VALUES (?, ?)'),
});

const placeOf = (keys: CacheKeys, key: Uint8Array): Place => ({
  identity: keys.identity,
  table: 'documents',
  row: Buffer.from(key).toString('hex'),
});

function sealedRow(keys: CacheKeys, name: string, text: string): [Uint8Array, Uint8Array] {
  const key = rowKey(keys.lookup, name);
  return [key, sealRecord(keys.documents, Buffer.from(text), placeOf(keys, key))];
}

/** Null when there is none, or its seal is broken. */
function openText(keys: CacheKeys, name: string, read: StatementSync): string | null {
  const key = rowKey(keys.lookup, name);
  const sealed = read.get(key)?.['sealed'];
  if (!(sealed instanceof Uint8Array)) return null;
  const bytes = unsealRecord(keys.documents, sealed, placeOf(keys, key));
  return bytes && bytes.toString('utf8');
}

/** A cache has fewer. Its pages are not checked here: another program may have led them to each other without end. */
const mostBlocks = 1_000_000;

/** The number of incidents in a closed cache, without its key; 0 when it is not known. */
export function countClosedCache(folder: string): number {
  const path = join(folder, cacheFile);
  if (!existsSync(path)) return 0;
  let database: DatabaseSync | null = null;
  try {
    database = isWritable(path) ? connect(path) : connectReadOnly(path);
    const sum = database
      .prepare('SELECT total(entries) AS entries FROM (SELECT entries FROM blocks LIMIT ?)')
      .get(mostBlocks)?.['entries'];
    return typeof sum === 'number' && Number.isSafeInteger(sum) && sum > 0 ? sum : 0;
  } catch (error) {
    if (error instanceof StorageError) throw error;
    return 0;
  } finally {
    database?.close();
  }
}
