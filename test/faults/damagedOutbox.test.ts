import {
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRecordFolders } from '../../src-main/adapters/vault/records/folders.ts';
import {
  recordTables,
  type RecordFolders,
  type RecordTable,
  type VaultRecords,
} from '../../src-main/core/vault/records.ts';
import type { Seeded } from '../../src-main/training/seeded.ts';
import {
  bytesOf,
  fileId,
  keysOf,
  mebibyte,
  now,
  placeOf,
  vaultId,
} from '../adapters/vault/records/actionBytes.ts';
import { campaignTimeoutMs, runCampaign } from '../support/campaign.ts';
import { harmFile, harms } from './support/harmFile.ts';
import { drawBytes } from './support/mutations.ts';

const rounds = 12;
const tables: readonly RecordTable[] = recordTables;
const sizes = [0, 10, 70_000, mebibyte + 5];
const contents = new Map(sizes.map((size, index) => [fileId(index), Buffer.from(bytesOf(size, 'spooled'))]));

let folder: string;
/** Copies of the same actions: closed in order, and as a kill left them, with changes in the log. */
const templates = ['closed', 'closed', 'killed'] as const;
/** What the tables held after each change, as one text, the first of them empty. */
const states: string[] = [JSON.stringify([])];
/** Every row that was ever written. */
const rowsEver = new Set<string>();
const headsEver = new Set<string>();
const sidecarsEver = new Map<string, Set<string>>();

const rowText = (table: string, id: string, text: string): string => JSON.stringify([table, id, text]);
const stateText = (rows: Iterable<string>): string => JSON.stringify([...rows].sort());

function openIn(dataDir: string, fresh: boolean): { folders: RecordFolders; opening: Promise<VaultRecords> } {
  const folders = createRecordFolders({ dataDir });
  return { folders, opening: folders.open({ vaultId, keys: keysOf(), now, fresh }) };
}

async function fill({ store, spool }: VaultRecords): Promise<void> {
  const held = new Map<string, string>();
  for (const [id, bytes] of contents) {
    const file = await spool.receive(id);
    await file.write(bytes);
    await file.finish();
    sidecarsEver.set(id, new Set());
  }
  for (let round = 0; round < rounds; round += 1) {
    const rows = tables.flatMap((table) =>
      Array.from({ length: 9 }, (_, index) => {
        const id = String(round * 5 + index);
        return { table, id, text: `${String(round)} ${'é'.repeat((round * 37 + index * 11) % 900)}` };
      }),
    );
    const gone = { table: 'uploads' as const, id: String(round * 5), text: null };
    await store.write([...rows, gone]);
    for (const { table, id, text } of rows) {
      held.set(`${table} ${id}`, rowText(table, id, text));
      rowsEver.add(rowText(table, id, text));
    }
    held.delete(`uploads ${gone.id}`);
    states.push(stateText(held.values()));
    await store.writeHead(`head ${String(round)}`);
    headsEver.add(`head ${String(round)}`);
    for (const [id, texts] of sidecarsEver) {
      const text = `${id} in round ${String(round)}`;
      await spool.writeSidecar(id, text);
      texts.add(text);
    }
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'field-console-outbox-'));
  const source = join(folder, 'source');
  await mkdir(placeOf(source), { recursive: true });
  const { folders, opening } = openIn(source, true);
  await fill(await opening);
  await cp(source, join(folder, 'killed'), { recursive: true });
  await folders.close();
  await cp(source, join(folder, 'closed'), { recursive: true });
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** One damage to one file of the vault; `others` are what it may be exchanged with. */
async function harm(draw: Seeded, path: string, others: readonly string[]): Promise<void> {
  switch (await harmFile(draw, path, harms + 4)) {
    case null:
      return;
    case 5:
      return writeFile(path, drawBytes(draw, 50_000));
    case 6:
      return writeFile(path, '');
    case 7: {
      const other = draw.pick([path, ...others]);
      const beside = `${path}.moved`;
      await rename(path, beside);
      await copyFile(other === path ? beside : other, path);
      await rename(beside, other);
      return;
    }
    default:
      return rm(path);
  }
}

const has = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Which files of the vault are damaged in a case. */
function targets(draw: Seeded): ReadonlySet<string> {
  const database = 'outbox.sqlite';
  const beside = [...contents.keys()].flatMap((id) => [`spool/${id}.sealed`, `spool/${id}.sidecar`]);
  const [first = '', ...rest] = beside;
  const one = (): string => draw.pick([first, ...rest]);
  switch (draw.below(10)) {
    case 0:
    case 1:
      return new Set([`${database}-wal`]);
    case 2:
      return new Set([`${database}-wal`, database]);
    case 3:
      return new Set(['actions.head', one()]);
    case 4:
    case 5:
      return new Set([one(), one(), one(), one()]);
    case 6:
      return new Set([database, 'actions.head', one(), one()]);
    default:
      return new Set([database]);
  }
}

async function everyRow({ store }: VaultRecords): Promise<{ rows: string[]; damaged: number }> {
  const rows: string[] = [];
  let damaged = 0;
  for (const table of tables) {
    const found = await store.rows(table);
    for (const { id, text } of found.rows) rows.push(rowText(table, id, text));
    damaged = Math.max(damaged, found.damaged);
  }
  return { rows, damaged };
}

/** Reads every file that there is; how many of them are whole. */
async function checkSpool({ spool }: VaultRecords, harmed: (name: string) => boolean): Promise<number> {
  let whole = 0;
  const sizesNow = await spool.list();
  for (const [id, bytes] of contents) {
    const parts: Uint8Array[] = [];
    let failed = false;
    try {
      for await (const part of spool.read(id)) parts.push(part);
    } catch (error) {
      expect(error).toMatchObject({ name: 'StorageError' });
      failed = true;
    }
    const given = Buffer.concat(parts);
    // What was given before the damage was met is a start of the file, and nothing else.
    expect(given.equals(bytes.subarray(0, given.byteLength)), `wrong bytes of ${id}`).toBe(true);
    if (!failed) {
      expect(given.byteLength).toBe(bytes.byteLength);
      expect(sizesNow.get(id)).toBe(bytes.byteLength);
      whole += 1;
    }
    if (!harmed(`spool/${id}.sealed`)) expect(failed, `${id} was not harmed`).toBe(false);
  }
  return whole;
}

it(
  'opens damaged actions, or begins them anew and says so, and never gives what was not written',
  async () => {
    await runCampaign({ name: 'damaged outbox', whole: 150, part: 7 }, async (draw, index) => {
      const dataDir = join(folder, `case-${String(index)}`);
      const names = targets(draw);
      const template = [...names].some((name) => name.endsWith('-wal')) ? 'killed' : draw.pick(templates);
      await cp(join(folder, template), dataDir, { recursive: true });
      const place = placeOf(dataDir);
      const all = [...contents.keys()].flatMap((id) => [`spool/${id}.sealed`, `spool/${id}.sidecar`]);
      const exchangeable = [...all, 'actions.head'];
      const before = new Map<string, Buffer>();
      for (const name of [...exchangeable, 'outbox.sqlite', 'outbox.sqlite-wal']) {
        if (await has(join(place, name))) before.set(name, await readFile(join(place, name)));
      }
      for (const name of names) {
        if (!(await has(join(place, name)))) continue;
        const others = name.includes('sqlite')
          ? [join(place, 'actions.head')]
          : exchangeable.map((one) => join(place, one));
        const there: string[] = [];
        for (const other of others) if (await has(other)) there.push(other);
        await harm(draw, join(place, name), there);
      }
      // What is different now, whichever way that came.
      const changed = new Set<string>();
      for (const [name, bytes] of before) {
        const path = join(place, name);
        if (!(await has(path)) || !(await readFile(path)).equals(bytes)) changed.add(name);
      }
      const harmed = (name: string): boolean => changed.has(name);
      const databaseHarmed = harmed('outbox.sqlite') || harmed('outbox.sqlite-wal');
      const wasThere = await has(join(place, 'outbox.sqlite'));

      const { folders, opening } = openIn(dataDir, false);
      try {
        const records = await opening;
        const { rows, damaged } = await everyRow(records);
        for (const row of rows) if (!rowsEver.has(row)) throw new Error('A row that was never written');
        if (records.lost !== null) {
          expect(databaseHarmed).toBe(true);
          expect(records.lost).toBe(wasThere ? 'unreadable' : 'missing');
          expect(rows).toEqual([]);
          const aside = (await readdir(place)).some((name) => name.startsWith('unreadable-outbox-'));
          if (wasThere) expect(aside).toBe(true);
        } else if (damaged === 0) {
          const at = states.lastIndexOf(stateText(rows));
          expect(at, `silent loss after damage to ${[...changed].join(', ')}`).toBeGreaterThanOrEqual(0);
          if (!harmed('outbox.sqlite-wal')) expect(at).toBe(states.length - 1);
        }
        const head = await records.store.readHead();
        if (head.text !== null) expect(headsEver.has(head.text)).toBe(true);
        if (!harmed('actions.head')) expect(head.text).toBe(`head ${String(rounds - 1)}`);
        else if (await has(join(place, 'actions.head'))) expect(head).toEqual({ text: null, damaged: true });

        const sidecars = await records.spool.sidecars();
        for (const id of contents.keys()) {
          const text = sidecars.get(id) ?? null;
          if (text !== null) expect(sidecarsEver.get(id)?.has(text), `wrong sidecar of ${id}`).toBe(true);
          if (!harmed(`spool/${id}.sidecar`)) expect(text).toBe(`${id} in round ${String(rounds - 1)}`);
        }
        const whole = await checkSpool(records, harmed);

        // What was begun anew or mended works on, and stays.
        await records.store.write([{ table: 'uploads', id: 'after', text: 'mended' }]);
        await records.store.writeHead('mended');
        await records.spool.writeSidecar(fileId(0), 'mended');
        await records.close();
        if (index % 4 === 0) {
          const again = await folders.open({ vaultId, keys: keysOf(), now, fresh: false });
          expect(again.lost).toBeNull();
          expect((await everyRow(again)).rows).toContain(rowText('uploads', 'after', 'mended'));
          expect(await again.store.readHead()).toEqual({ text: 'mended', damaged: false });
          expect((await again.spool.sidecars()).get(fileId(0))).toBe('mended');
          await again.close();
        }
        if (changed.size === 0) return 'not changed after all';
        if (records.lost !== null) return `begun anew, ${records.lost} said`;
        if (damaged > 0) return 'opened, damaged rows counted';
        if (whole < contents.size) return 'opened, a spooled file refused';
        return stateText(rows) === states.at(-1) ? 'opened whole' : 'opened as of an earlier change';
      } finally {
        await folders.close();
        await rm(dataDir, { recursive: true, force: true });
      }
    });
  },
  campaignTimeoutMs,
);
