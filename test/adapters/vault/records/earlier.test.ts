import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { rowKey, sealBytes } from '../../../../src-main/core/vault/seal.ts';
import { temporaryFolder } from '../../support.ts';
import { keysOf, opened, placeOf } from './support.ts';

/** An outbox as the console before notes made it: its tables, its version and its seals, written out. */
async function earlierOutbox(dataDir: string): Promise<void> {
  await mkdir(placeOf(dataDir), { recursive: true });
  const { identity, rows, lookup } = keysOf();
  const database = new DatabaseSync(join(placeOf(dataDir), 'outbox.sqlite'));
  database.exec(
    'PRAGMA page_size=8192; PRAGMA journal_mode=WAL; PRAGMA user_version=1; ' +
      'CREATE TABLE entries (kind TEXT NOT NULL, key BLOB NOT NULL, sealed BLOB NOT NULL, ' +
      'PRIMARY KEY (kind, key)) WITHOUT ROWID',
  );
  for (const [table, id, text] of [
    ['proof', 'proof', 'field-console actions 1'],
    ['uploads', '0123456789abcdef', 'an upload'],
    ['decisions', 'd', 'a decision'],
    ['audit', '000000000001', 'an entry'],
    ['documents', 'alarms', 'a document'],
  ] as const) {
    const key = rowKey(lookup, JSON.stringify([table, id]));
    const bound = ['field-console actions row', 1, identity, table, Buffer.from(key).toString('hex')];
    const sealed = sealBytes(
      rows,
      Buffer.from(JSON.stringify([id, text])),
      Buffer.from(JSON.stringify(bound)),
    );
    database.prepare('INSERT INTO entries (kind, key, sealed) VALUES (?, ?, ?)').run(table, key, sealed);
  }
  database.close();
}

test('an outbox of the console before notes opens with all that is in it, and takes notes', async () => {
  const dataDir = await temporaryFolder();
  await earlierOutbox(dataDir);
  const first = await opened(dataDir, { fresh: false });
  expect(first.lost).toBeNull();
  for (const [table, text] of [
    ['uploads', 'an upload'],
    ['decisions', 'a decision'],
    ['audit', 'an entry'],
    ['documents', 'a document'],
  ] as const) {
    expect(await first.store.rows(table)).toMatchObject({ rows: [{ text }], damaged: 0 });
  }
  for (const table of ['notes', 'pins', 'shift'] as const) {
    expect(await first.store.rows(table)).toEqual({ rows: [], damaged: 0 });
    await first.store.write([{ table, id: 'x', text: `in ${table}` }]);
  }
  await first.close();

  const again = await opened(dataDir, { fresh: false });
  expect(again.lost).toBeNull();
  for (const table of ['notes', 'pins', 'shift'] as const) {
    expect(await again.store.rows(table)).toEqual({ rows: [{ id: 'x', text: `in ${table}` }], damaged: 0 });
  }
  expect((await again.store.rows('uploads')).rows).toHaveLength(1);
});
