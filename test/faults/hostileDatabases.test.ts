import { copyFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import type { Seeded } from '../../src-main/training/seeded.ts';
import { preparedOnce } from '../adapters/support.ts';
import { created, createVaultRig, incidents, password, username, write } from '../adapters/vault/support.ts';
import { campaignTimeoutMs, runCampaign } from '../support/campaign.ts';
import { endlessPages, rootOf, writeLog, writePages } from './support/hostileDatabase.ts';

const files = { 'outbox.sqlite': 'entries', 'cache.sqlite': 'blocks' } as const;
/** An endless search takes centuries; this is a hundred times what an opening takes. */
const mostProcessorMs = 20_000;

/** Changes that another program makes with SQLite itself. */
function hostileSql(draw: Seeded, table: string): string {
  const event = draw.pick(['INSERT', 'UPDATE', 'DELETE']);
  const when = draw.pick(['BEFORE', 'AFTER']);
  const endless = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT count(*) FROM n';
  const effect = draw.pick([
    `DELETE FROM ${table}`,
    endless,
    'SELECT RAISE(IGNORE)',
    "SELECT RAISE(ROLLBACK, 'no')",
  ]);
  return draw.pick([
    `CREATE TRIGGER t ${when} ${event} ON ${table} BEGIN ${effect}; END`,
    `ALTER TABLE ${table} RENAME TO real; CREATE VIEW ${table} AS SELECT * FROM real`,
    `CREATE VIEW v AS ${endless}`,
    `CREATE INDEX i ON ${table} (sealed)`,
    'ANALYZE',
    `ALTER TABLE ${table} ADD COLUMN more AS (length(sealed))`,
    'CREATE VIRTUAL TABLE f USING fts5(x)',
    `CREATE TABLE more AS SELECT * FROM ${table}`,
    `DROP TABLE ${table}`,
  ]);
}

/** Makes the file hostile and returns how. In the log beside it, or in the file itself. */
function plant(draw: Seeded, path: string, table: string): string {
  const inLog = draw.below(2) === 0;
  const kind = draw.pick(['statements', 'endless schema', 'endless table']);
  if (kind === 'statements') {
    const database = new DatabaseSync(path);
    database.exec(`PRAGMA wal_autocheckpoint=0; ${hostileSql(draw, table)}`);
    // As a kill leaves it, with the change in the log alone.
    if (inLog) for (const part of ['', '-wal']) copyFileSync(path + part, `${path}.killed${part}`);
    database.close();
    if (inLog) for (const part of ['', '-wal']) copyFileSync(`${path}.killed${part}`, path + part);
  } else {
    const root = kind === 'endless schema' ? 1 : rootOf(path, table);
    (inLog ? writeLog : writePages)(path, endlessPages(path, root, 2 + draw.below(17)));
  }
  return inLog ? `${kind} in the log` : kind;
}

/** Rejects when the process has computed for longer than any opening takes, whatever else the machine does. */
async function soon<T>(work: Promise<T>): Promise<T> {
  const before = process.cpuUsage();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      const { user, system } = process.cpuUsage(before);
      if (user + system > mostProcessorMs * 1000) reject(new Error('It is searched without end'));
    }, 500);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearInterval(timer);
  }
}

const written = preparedOnce(async (dataDir) => {
  const vault = await created(createVaultRig({ dataDir }));
  await write(vault, incidents(300));
  const records = await vault.openRecords();
  if (!records.ok) throw new Error('The records do not open');
  await records.value.store.write([{ table: 'notes', id: 'a', text: 'before' }]);
  await records.value.close();
  await vault.close();
});

it(
  'puts a database aside that another program wrote, before anything in it runs, and ends in bounded time',
  async () => {
    await runCampaign({ name: 'hostile databases', whole: 300, part: 12 }, async (draw) => {
      const dataDir = await written();
      const rig = createVaultRig({ dataDir });
      const [id = ''] = await rig.storage.ids();
      const file = draw.pick(['cache.sqlite', 'outbox.sqlite'] as const);
      const how = plant(draw, join(dataDir, 'vaults', id, file), files[file]);

      expect((await soon(rig.repository.open(username, 'a guess'))).kind).toBe('wrong-password');
      const opening = await soon(rig.repository.open(username, password));
      if (opening.kind !== 'opened') throw new Error(`${how}: the vault is ${opening.kind}`);
      const { vault } = opening;
      const records = await soon(vault.openRecords());
      if (!records.ok) throw new Error(`${how}: the records do not open`);
      const lost = file === 'cache.sqlite' ? vault.notice !== null : records.value.lost === 'unreadable';
      expect(lost, how).toBe(true);
      const { store } = records.value;
      await soon(store.write([{ table: 'notes', id: 'b', text: 'after' }]));
      expect((await store.rows('notes')).rows).toContainEqual({ id: 'b', text: 'after' });
      expect((await soon(vault.cache.write({ upserts: incidents(3), removals: [], documents: {} }))).ok).toBe(
        true,
      );
      await records.value.close();
      await vault.close();
      await rm(dataDir, { recursive: true });
      return how;
    });
  },
  campaignTimeoutMs,
);
