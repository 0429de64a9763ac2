import type { StatementSync } from 'node:sqlite';
import {
  recordTables,
  type RecordRow,
  type RecordRows,
  type RecordTable,
  type VaultRecords,
} from '../../../core/vault/records.ts';
import { rowKey, sealBytes, unsealBytes } from '../../../core/vault/seal.ts';
import { openDatabaseFile, openToWrite, type DatabaseOpening, type OpenedDatabase } from '../databaseFile.ts';
import { readTally, SealedSum, type Tally } from '../sealedSum.ts';
import { boundTo, sealVersion } from './binding.ts';
import type { RowKeys } from './messages.ts';

/** Without an index beside the table: damage to it could hide a row that is there, or show it twice. */
const tables = [
  'CREATE TABLE entries (kind TEXT NOT NULL, key BLOB NOT NULL, sealed BLOB NOT NULL, ' +
    'PRIMARY KEY (kind, key)) WITHOUT ROWID',
];

/** An entry that every database has, in a table of its own: it opens under the right key only. */
const proof = { table: 'proof', id: 'proof', text: `field-console actions ${String(sealVersion)}` } as const;
/** Beside the proof, where versions without a tally do not look. */
const tallyId = 'tally';
type AnyTable = RecordTable | typeof proof.table;

/** One vault's database of actions, in the thread. Not safe for two callers at a time. */
export class RecordDatabase {
  readonly #keys: RowKeys;
  readonly #opening: DatabaseOpening;
  #opened: OpenedDatabase;
  #read: StatementSync;
  #put: StatementSync;
  #drop: StatementSync;
  #get: StatementSync;
  #sum: SealedSum;
  #counter: number;
  /** What is not as it was last written, as far as this file and the number known outside of it show. */
  readonly rollback: VaultRecords['rollback'];
  readonly lost: VaultRecords['lost'];

  constructor(options: {
    readonly folder: string;
    readonly keys: RowKeys;
    readonly now: number;
    readonly fresh: boolean;
    readonly again: boolean;
    readonly maximumPages: number;
    /** How many writes it must hold, as is known outside of it. */
    readonly anchored: number;
  }) {
    const { keys, anchored } = options;
    this.#keys = keys;
    this.#opening = {
      ...options,
      name: 'outbox.sqlite',
      aside: 'unreadable-outbox',
      version: sealVersion,
      tables,
      synchronous: 'FULL',
      check: 'integrity_check',
      verify: (candidate) => {
        const key = keyOf(keys, proof.table, proof.id);
        const row = candidate
          .prepare('SELECT sealed FROM entries WHERE kind = ? AND key = ?')
          .get(proof.table, key);
        return openRow(keys, proof.table, key, row?.['sealed'])?.text === proof.text;
      },
      seal: (fresh) => {
        fresh
          .prepare('INSERT INTO entries (kind, key, sealed) VALUES (?, ?, ?)')
          .run(...sealedRow(keys, proof.table, proof.id, proof.text));
      },
    };
    this.#opened = openDatabaseFile(this.#opening);
    this.lost = this.#opened.lost;
    ({ read: this.#read, put: this.#put, drop: this.#drop, get: this.#get } = prepared(this.#opened));
    this.#sum = this.#sumOfRows();
    const tally = this.#tally();
    const counter = tally?.counter ?? 0;
    this.#counter = Math.max(counter, anchored);
    this.rollback = this.lost === null ? rollbackOf(tally, this.#sum.text, anchored) : null;
  }

  /** How often it was written. */
  get counter(): number {
    return this.#counter;
  }

  rows(table: RecordTable): RecordRows {
    const rows: { readonly id: string; readonly text: string }[] = [];
    let damaged = 0;
    for (const { kind, key, sealed } of this.#read.iterate(table)) {
      const whole = kind === table && key instanceof Uint8Array;
      const row = whole ? openRow(this.#keys, table, key, sealed) : null;
      if (row) rows.push(row);
      else damaged += 1;
    }
    rows.sort((a, b) => (a.id < b.id ? -1 : 1));
    return { rows, damaged };
  }

  /** All of the rows or none of them. */
  write(rows: readonly RecordRow[]): void {
    this.#openToWrite();
    const { database } = this.#opened;
    database.exec('BEGIN IMMEDIATE');
    try {
      const sum = this.#sum.copy();
      const counter = this.#counter + 1;
      for (const { table, id, text } of rows) {
        const key = keyOf(this.#keys, table, id);
        sum.toggle(this.#get.get(table, key)?.['sealed']);
        if (text === null) {
          this.#drop.run(table, key);
          continue;
        }
        const row = sealedRow(this.#keys, table, id, text);
        sum.toggle(row[2]);
        this.#put.run(...row);
      }
      const tally: Tally = { counter, sum: sum.text };
      this.#put.run(...sealedRow(this.#keys, proof.table, tallyId, JSON.stringify(tally)));
      database.exec('COMMIT');
      this.#sum = sum;
      this.#counter = counter;
    } catch (error) {
      // SQLite has rolled back by itself after some errors, and then refuses to do it again.
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    for (const key of [this.#keys.rows, this.#keys.lookup]) key.fill(0);
    this.#opened.database.close();
  }

  /** A disk that was read-only at the opening may be writable by now: the connection from then never would be. */
  #openToWrite(): void {
    const opened = this.#opened.readOnly ? openToWrite(this.#opening) : null;
    if (opened === null) return;
    this.#opened.database.close();
    this.#opened = opened;
    ({ read: this.#read, put: this.#put, drop: this.#drop, get: this.#get } = prepared(opened));
  }

  #sumOfRows(): SealedSum {
    const sum = new SealedSum(this.#keys.lookup);
    const tally = keyOf(this.#keys, proof.table, tallyId);
    const rows = this.#opened.database.prepare('SELECT sealed FROM entries WHERE key <> ?');
    for (const { sealed } of rows.iterate(tally)) sum.toggle(sealed);
    return sum;
  }

  /** Null where there is none: earlier versions wrote none. */
  #tally(): Tally | null {
    const key = keyOf(this.#keys, proof.table, tallyId);
    const row = openRow(this.#keys, proof.table, key, this.#get.get(proof.table, key)?.['sealed']);
    return row && readTally(row.text);
  }
}

function rollbackOf(tally: Tally | null, sum: string, anchored: number): VaultRecords['rollback'] {
  if ((tally?.counter ?? 0) < anchored) return 'older';
  return tally === null || tally.sum === sum ? null : 'altered';
}

// With what damage gave a name that no table has: it was a row of one of them.
const names = [...recordTables, proof.table].map((name) => `'${name}'`).join(', ');

const prepared = ({ database }: OpenedDatabase) => ({
  read: database.prepare(`SELECT kind, key, sealed FROM entries WHERE kind = ? OR kind NOT IN (${names})`),
  put: database.prepare(
    'INSERT INTO entries (kind, key, sealed) VALUES (?, ?, ?) ' +
      'ON CONFLICT (kind, key) DO UPDATE SET sealed = excluded.sealed',
  ),
  get: database.prepare('SELECT sealed FROM entries WHERE kind = ? AND key = ?'),
  drop: database.prepare('DELETE FROM entries WHERE kind = ? AND key = ?'),
});

/** Under what a row is found. As JSON, which keeps apart what UTF-8 would write alike. */
const keyOf = ({ lookup }: RowKeys, table: AnyTable, id: string): Uint8Array =>
  rowKey(lookup, JSON.stringify([table, id]));

const placeOf = ({ identity }: RowKeys, table: AnyTable, key: Uint8Array): Uint8Array =>
  boundTo('row', identity, table, Buffer.from(key).toString('hex'));

function sealedRow(
  keys: RowKeys,
  table: AnyTable,
  id: string,
  text: string,
): [AnyTable, Uint8Array, Uint8Array] {
  const key = keyOf(keys, table, id);
  const bytes = Buffer.from(JSON.stringify([id, text]));
  return [table, key, sealBytes(keys.rows, bytes, placeOf(keys, table, key))];
}

function openRow(
  keys: RowKeys,
  table: AnyTable,
  key: Uint8Array,
  sealed: unknown,
): { readonly id: string; readonly text: string } | null {
  if (!(sealed instanceof Uint8Array)) return null;
  const bytes = unsealBytes(keys.rows, sealed, placeOf(keys, table, key));
  if (!bytes) return null;
  // Nobody else has the key, so this is what `sealedRow` wrote.
  const [id, text] = JSON.parse(bytes.toString('utf8')) as [string, string];
  return { id, text };
}
