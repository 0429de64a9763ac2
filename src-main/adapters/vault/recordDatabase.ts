import type { DatabaseSync } from 'node:sqlite';
import {
  recordTables,
  type RecordRow,
  type RecordRows,
  type RecordTable,
  type RowKeys,
  type VaultRecords,
} from '../../core/vault/records.ts';
import { boundTo, rowKey, sealBytes, sealVersion, unsealBytes } from '../../core/vault/seal.ts';
import type { OutboxOpening } from './messages.ts';
import { SealedDatabase } from './sealedDatabase.ts';
import { readTally, SealedSum, type Tally } from './sealedSum.ts';

/** Without an index beside the table: a damaged one could hide a row, or show it twice. */
const tables = [
  'CREATE TABLE entries (kind TEXT NOT NULL, key BLOB NOT NULL, sealed BLOB NOT NULL, ' +
    'PRIMARY KEY (kind, key)) WITHOUT ROWID',
];

/** A row in every database, in a separate table, which opens only with the right key. */
const proof = { table: 'proof', id: 'proof', text: `field-console actions ${String(sealVersion)}` } as const;
/** Beside the proof. */
const tallyId = 'tally';
type AnyTable = RecordTable | typeof proof.table;

/** The operator's unconfirmed work, in the thread. For one caller at a time. */
export class RecordDatabase {
  readonly #database: SealedDatabase<RowKeys, SummedStatements>;
  /** The number of writes. */
  #counter: number;
  /** Signs that this is not the last written state, from this file and the number known from outside of it. */
  readonly rollback: VaultRecords['rollback'];
  readonly lost: VaultRecords['lost'];

  constructor(opening: OutboxOpening) {
    const { anchored } = opening;
    this.#database = new SealedDatabase<RowKeys, SummedStatements>(opening, {
      name: 'outbox.sqlite',
      aside: 'unreadable-outbox',
      version: sealVersion,
      tables,
      synchronous: 'FULL',
      check: 'integrity_check',
      verify: (database, keys) => textOf(keys, proof.id, prepared(database)) === proof.text,
      seal: (database, keys) =>
        void prepared(database).put.run(...sealedRow(keys, proof.table, proof.id, proof.text)),
      reseal,
      prepare: (database, keys) => {
        const statements = prepared(database);
        return { ...statements, sum: sumOfRows(keys, statements) };
      },
    });
    this.lost = this.#database.lost;
    const { keys, statements } = this.#database;
    const tally = tallyOf(keys, statements);
    this.#counter = Math.max(tally?.counter ?? 0, anchored);
    this.rollback = this.lost === null ? rollbackOf(tally, statements.sum.text, anchored) : null;
  }

  rows(table: RecordTable): RecordRows {
    const rows: { readonly id: string; readonly text: string }[] = [];
    let damaged = 0;
    for (const { kind, key, sealed } of this.#database.statements.read.iterate(table)) {
      const whole = kind === table && key instanceof Uint8Array;
      const row = whole ? openRow(this.#database.keys, table, key, sealed) : null;
      if (row) rows.push(row);
      else damaged += 1;
    }
    rows.sort((a, b) => (a.id < b.id ? -1 : 1));
    return { rows, damaged };
  }

  /** All of the rows or none. Returns the number of writes so far. */
  write(rows: readonly RecordRow[]): number {
    this.#database.renew();
    const { keys, statements } = this.#database;
    const sum = statements.sum.copy();
    const counter = this.#counter + 1;
    this.#database.write(({ get, put, drop }) => {
      for (const { table, id, text } of rows) {
        const key = keyOf(keys, table, id);
        sum.toggle(get.get(table, key)?.['sealed']);
        if (text === null) {
          drop.run(table, key);
          continue;
        }
        const row = sealedRow(keys, table, id, text);
        sum.toggle(row[2]);
        put.run(...row);
      }
      const tally: Tally = { counter, sum: sum.text };
      put.run(...sealedRow(keys, proof.table, tallyId, JSON.stringify(tally)));
    });
    statements.sum = sum;
    this.#counter = counter;
    return counter;
  }

  /** Seals all rows with newer keys: now or, if that fails, before the next write. */
  renew(keys: RowKeys): void {
    this.#database.change(keys);
  }

  close(): void {
    this.#database.close();
  }
}

function sumOfRows(keys: RowKeys, { all }: Statements): SealedSum {
  const sum = new SealedSum(keys.lookup);
  for (const { sealed } of all.iterate(keyOf(keys, proof.table, tallyId))) sum.toggle(sealed);
  return sum;
}

/** Null when there is none, as before the first write. */
function tallyOf(keys: RowKeys, statements: Statements): Tally | null {
  const text = textOf(keys, tallyId, statements);
  return text === null ? null : readTally(text);
}

function reseal(database: DatabaseSync, from: RowKeys, to: RowKeys): void {
  const statements = prepared(database);
  const { every, put, drop } = statements;
  const tally = tallyOf(from, statements);
  const matched = tally?.sum === sumOfRows(from, statements).text;
  for (const { kind, key, sealed } of every.all()) {
    if (!isTable(kind) || !(key instanceof Uint8Array)) continue;
    const row = openRow(from, kind, key, sealed);
    if (row === null) continue;
    drop.run(kind, key);
    put.run(...sealedRow(to, kind, row.id, row.text));
  }
  if (tally === null || !matched) return;
  const sum = sumOfRows(to, statements).text;
  put.run(...sealedRow(to, proof.table, tallyId, JSON.stringify({ ...tally, sum } satisfies Tally)));
}

function rollbackOf(tally: Tally | null, sum: string, anchored: number): VaultRecords['rollback'] {
  if ((tally?.counter ?? 0) < anchored) return 'older';
  return tally === null || tally.sum === sum ? null : 'altered';
}

// Also rows to which damage gave the name of an unknown table: they belonged to one of these.
const tableNames: readonly AnyTable[] = [...recordTables, proof.table];
const names = tableNames.map((name) => `'${name}'`).join(', ');
const isTable = (kind: unknown): kind is AnyTable => tableNames.some((name) => name === kind);

const prepared = (database: DatabaseSync) => ({
  read: database.prepare(`SELECT kind, key, sealed FROM entries WHERE kind = ? OR kind NOT IN (${names})`),
  put: database.prepare(
    'INSERT INTO entries (kind, key, sealed) VALUES (?, ?, ?) ' +
      'ON CONFLICT (kind, key) DO UPDATE SET sealed = excluded.sealed',
  ),
  get: database.prepare('SELECT sealed FROM entries WHERE kind = ? AND key = ?'),
  drop: database.prepare('DELETE FROM entries WHERE kind = ? AND key = ?'),
  all: database.prepare('SELECT sealed FROM entries WHERE key <> ?'),
  every: database.prepare('SELECT kind, key, sealed FROM entries'),
});
type Statements = ReturnType<typeof prepared>;
/** With the sum of all rows, which belongs to the keys too. */
type SummedStatements = Statements & { sum: SealedSum };

/** The lookup key of a row. From JSON, which distinguishes texts that are equal in UTF-8. */
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

/** The text of a row outside of the tables; null when there is none, or its seal is broken. */
function textOf(keys: RowKeys, id: string, { get }: Statements): string | null {
  const key = keyOf(keys, proof.table, id);
  return openRow(keys, proof.table, key, get.get(proof.table, key)?.['sealed'])?.text ?? null;
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
  // Only this console has the key, so `sealedRow` wrote this.
  const [id, text] = JSON.parse(bytes.toString('utf8')) as [string, string];
  return { id, text };
}
