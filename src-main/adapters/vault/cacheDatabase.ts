import type { StatementSync } from 'node:sqlite';
import {
  forgetKeys,
  rowKey,
  schemaVersion,
  sealRecord,
  unsealRecord,
  type Place,
} from '../../core/vault/seal.ts';
import type { CacheKeys, CacheLoss, StoredChange } from '../../core/vault/storage.ts';
import { CacheBlocks } from './cacheBlocks.ts';
import { cacheOpening } from './cacheFile.ts';
import { openDatabaseFile, openToWrite, type DatabaseOpening, type OpenedDatabase } from './databaseFile.ts';
import type { CacheAnswers } from './messages.ts';

/** A document that every cache has: it opens under the right key only. */
const proofName = 'proof';
const proofText = `field-console cache ${String(schemaVersion)}`;
/** Beside the proof, where versions without a sum do not look. */
const sumName = 'sum';
/** Prefixed, so that no document of the console can take their place. */
const ownName = (name: string): string => `document ${name}`;

/** One vault's database, in the worker. Not safe for two callers at a time. */
export class CacheDatabase {
  readonly #keys: CacheKeys;
  readonly #opening: DatabaseOpening;
  #opened: OpenedDatabase;
  #blocks: CacheBlocks;
  #readDocument: StatementSync;
  #putDocument: StatementSync;
  readonly lost: CacheLoss | null;

  constructor(options: {
    readonly folder: string;
    readonly keys: CacheKeys;
    readonly now: number;
    readonly fresh: boolean;
    readonly again: boolean;
    readonly maximumPages: number;
  }) {
    const { keys } = options;
    this.#keys = keys;
    this.#opening = cacheOpening({
      ...options,
      verify: (candidate) => {
        const sealed = candidate
          .prepare('SELECT sealed FROM documents WHERE key = ?')
          .get(rowKey(keys.lookup, proofName));
        return openText(keys, proofName, sealed?.['sealed']) === proofText;
      },
      seal: (fresh) => {
        fresh
          .prepare('INSERT INTO documents (key, sealed) VALUES (?, ?)')
          .run(...sealedRow(keys, proofName, proofText));
      },
    });
    this.#opened = openDatabaseFile(this.#opening);
    this.lost = this.#opened.lost;
    ({
      blocks: this.#blocks,
      readDocument: this.#readDocument,
      putDocument: this.#putDocument,
    } = prepared(this.#opened, keys));
  }

  /** `older`: blocks are gone, or were exchanged for older ones. */
  *load(): Generator<Uint8Array, CacheAnswers['load']> {
    const read = yield* this.#blocks.load();
    const row = this.#readDocument.get(rowKey(this.#keys.lookup, sumName));
    const sum = openText(this.#keys, sumName, row?.['sealed']);
    // Earlier versions wrote none; and a block that is damaged is none that was put back.
    return { ...read, older: sum !== null && read.damaged === 0 && sum !== this.#blocks.sum };
  }

  /** All of the changes or nothing of them. */
  write(changes: readonly StoredChange[]): void {
    this.#openToWrite();
    const { database } = this.#opened;
    database.exec('BEGIN IMMEDIATE');
    try {
      for (const { upserts, removals, documents } of changes) {
        this.#blocks.apply(upserts, removals);
        for (const [name, text] of Object.entries(documents)) {
          this.#putDocument.run(...sealedRow(this.#keys, ownName(name), text));
        }
      }
      this.#putDocument.run(...sealedRow(this.#keys, sumName, this.#blocks.sum));
      database.exec('COMMIT');
    } catch (error) {
      this.#blocks.forget();
      // SQLite has rolled back by itself after some errors, and then refuses to do it again.
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  }

  document(name: string): { readonly text: string | null; readonly damaged: boolean } {
    const row = this.#readDocument.get(rowKey(this.#keys.lookup, ownName(name)));
    const text = openText(this.#keys, ownName(name), row?.['sealed']);
    return { text, damaged: row !== undefined && text === null };
  }

  count(): number {
    return this.#blocks.entries;
  }

  close(): void {
    forgetKeys(this.#keys);
    this.#opened.database.close();
  }

  /** A disk that was read-only at the opening may be writable by now: the connection from then never would be. */
  #openToWrite(): void {
    const opened = this.#opened.readOnly ? openToWrite(this.#opening) : null;
    if (opened === null) return;
    this.#opened.database.close();
    this.#opened = opened;
    ({
      blocks: this.#blocks,
      readDocument: this.#readDocument,
      putDocument: this.#putDocument,
    } = prepared(opened, this.#keys));
  }
}

const prepared = ({ database }: OpenedDatabase, keys: CacheKeys) => ({
  blocks: new CacheBlocks(database, keys),
  readDocument: database.prepare('SELECT sealed FROM documents WHERE key = ?'),
  putDocument: database.prepare('INSERT OR REPLACE INTO documents (key, sealed) VALUES (?, ?)'),
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

function openText(keys: CacheKeys, name: string, sealed: unknown): string | null {
  if (!(sealed instanceof Uint8Array)) return null;
  const bytes = unsealRecord(keys.documents, sealed, placeOf(keys, rowKey(keys.lookup, name)));
  return bytes && bytes.toString('utf8');
}
