import { cp, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRecordFolders } from '../../src-main/adapters/vault/records/folders.ts';
import { createVaultStorage } from '../../src-main/adapters/vault/storage.ts';
import { english } from '../../src-main/core/base/messages/message.ts';
import type { StoredIncident } from '../../src-main/core/state/incidentCache.ts';
import type { OpenVault } from '../../src-main/core/vault/openVault.ts';
import type { VaultStorage } from '../../src-main/core/vault/storage.ts';
import { VaultRepository } from '../../src-main/core/vault/vaultRepository.ts';
import type { Seeded } from '../../src-main/training/seeded.ts';
import { incident, incidents, now } from '../adapters/vault/incidents.ts';
import { campaignTimeoutMs, runCampaign } from '../support/campaign.ts';
import { said } from '../support/messages.ts';
import { cheapHasher, createRecordingLogger, createSeededRandom } from '../support/ports.ts';
import { harmFile, harms } from './support/harmFile.ts';

const [username, password] = ['ann', 'the right one'];
const rounds = 12;

let folder: string;
/** Copies of one vault: closed in order, and as a kill left it, with half of its changes in its log. */
const templates = ['closed', 'closed', 'killed'] as const;
let vaultId = '';
/** What the cache held after each change, the first of them empty. */
const states: ReadonlyMap<string, string>[] = [new Map()];
/** Every version that was ever written of each incident. */
const versions = new Map<string, Set<string>>();

const repositoryOf = (dataDir: string): { repository: VaultRepository; storage: VaultStorage } => {
  const storage = createVaultStorage({ dataDir });
  const repository = new VaultRepository({
    storage,
    records: createRecordFolders({ dataDir }),
    hasher: cheapHasher,
    random: createSeededRandom(),
    logger: createRecordingLogger(),
    serverNow: () => now,
    deployment: { id: 'north', infrastructureUrl: 'https://api.example/v0' },
  });
  return { repository, storage };
};

async function change(
  vault: OpenVault,
  upserts: readonly StoredIncident[],
  removals: readonly string[] = [],
): Promise<void> {
  const written = await vault.cache.write({
    upserts,
    removals,
    documents: { ledger: `after ${String(states.length)}` },
  });
  if (!written.ok) throw new Error(said(written.failure.sentence));
  const state = new Map(states.at(-1));
  for (const id of removals) state.delete(id);
  for (const one of upserts) {
    const text = JSON.stringify(one);
    state.set(one.record.id, text);
    versions.set(one.record.id, (versions.get(one.record.id) ?? new Set()).add(text));
  }
  states.push(state);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'field-console-damage-'));
  const source = join(folder, 'source');
  await mkdir(source);
  const { repository, storage } = repositoryOf(source);
  const made = await repository.create(username, password);
  if (!made.ok) throw new Error(said(made.failure.sentence));
  let vault = made.value;
  vaultId = vault.id;
  for (let round = 0; round < rounds; round += 1) {
    await change(vault, incidents(150, round * 150));
    const again = Array.from({ length: 20 }, (_, index) =>
      incident(index * (1 + round), { lastSeenAt: now + round }),
    );
    await change(vault, again, [incident(3 + round * 150).record.id]);
    if (round !== rounds / 2) continue;
    // Closing writes the log back.
    await vault.close();
    const opening = await repository.open(username, password);
    if (opening.kind !== 'opened') throw new Error(opening.kind);
    ({ vault } = opening);
  }
  await vault.noteSync(now, 0);
  await cp(source, join(folder, 'killed'), { recursive: true });
  await vault.close();
  await storage.close();
  await cp(source, join(folder, 'closed'), { recursive: true });
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** One damage to one file. */
async function harm(draw: Seeded, path: string): Promise<void> {
  if ((await harmFile(draw, path, harms + 1)) !== null) await rm(path);
}

const has = async (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Which files are damaged in a case. Both copies of the key only where nothing else can open it. */
function targets(draw: Seeded): { readonly names: readonly string[]; readonly keysGone: boolean } {
  const cache = 'cache.sqlite';
  switch (draw.below(12)) {
    case 0:
      return { names: ['key.a'], keysGone: false };
    case 1:
      return { names: ['key.b', cache], keysGone: false };
    case 2:
      return { names: ['key.a', 'key.b'], keysGone: true };
    case 3:
      return { names: ['about.json'], keysGone: false };
    case 4:
      return { names: ['about.json', 'key.a', cache], keysGone: false };
    case 5:
    case 6:
      return { names: [`${cache}-wal`], keysGone: false };
    case 7:
      return { names: [`${cache}-wal`, cache], keysGone: false };
    default:
      return { names: [cache], keysGone: false };
  }
}

async function everything(vault: OpenVault): Promise<{ held: Map<string, string>; damaged: number }> {
  const held = new Map<string, string>();
  const loaded = await vault.cache.load((batch) => {
    for (const one of batch) {
      if (held.has(one.record.id)) throw new Error(`${one.record.id} came twice`);
      held.set(one.record.id, JSON.stringify(one));
    }
  });
  if (!loaded.ok) throw new Error(`Not loaded: ${said(loaded.failure.sentence)}`);
  return { held, damaged: loaded.value.damaged };
}

const same = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean =>
  a.size === b.size && [...a].every(([id, text]) => b.get(id) === text);

it(
  'opens a damaged vault, or puts its cache aside and says so, and never shows a wrong record',
  async () => {
    await runCampaign({ name: 'damaged vaults', whole: 200, part: 7 }, async (draw, index) => {
      const dataDir = join(folder, `case-${String(index)}`);
      const { names, keysGone } = targets(draw);
      const template = names.some((name) => name.endsWith('-wal')) ? 'killed' : draw.pick(templates);
      await cp(join(folder, template), dataDir, { recursive: true });
      const place = join(dataDir, 'vaults', vaultId);
      const damaged: string[] = [];
      for (const name of names) {
        if (!(await has(join(place, name)))) continue;
        await harm(draw, join(place, name));
        damaged.push(name);
      }
      const before = await readdir(place);
      const { repository, storage } = repositoryOf(dataDir);
      try {
        const opening = await repository.open(username, password);
        switch (opening.kind) {
          case 'unusable':
            expect(keysGone, english(opening.failure.sentence)).toBe(true);
            expect(opening.failure.code).toBe('storage-failed');
            expect(english(opening.failure.sentence).length).toBeGreaterThan(20);
            // Looking how much there is writes the log back into its file; nothing else changes.
            expect(await readdir(place)).toEqual(
              expect.arrayContaining(before.filter((name) => !name.endsWith('-wal'))),
            );
            return 'unusable, said';
          case 'none':
          case 'wrong-password':
            throw new Error(`${opening.kind} after damage to ${damaged.join(', ')}`);
          case 'opened':
            break;
        }
        const { vault } = opening;
        const { held, damaged: dropped } = await everything(vault);
        for (const [id, text] of held) {
          if (!versions.get(id)?.has(text)) throw new Error(`A wrong record for ${id}`);
        }
        if (vault.notice !== null) {
          expect(held.size).toBe(0);
          const kept = await readdir(place);
          if (before.includes('cache.sqlite'))
            expect(kept.some((name) => name.startsWith('unreadable-'))).toBe(true);
        } else if (dropped === 0) {
          const at = states.findIndex((state) => same(state, held));
          expect(at, `silent loss after damage to ${damaged.join(', ')}`).toBeGreaterThanOrEqual(0);
          const logHarmed = damaged.some((name) => name.endsWith('-wal'));
          if (template === 'closed' || !logHarmed) expect(at).toBe(states.length - 1);
        }
        // What was rebuilt or mended works on.
        const written = await vault.cache.write({ upserts: [incident(77_777)], removals: [], documents: {} });
        expect(written.ok).toBe(true);
        await vault.close();
        if (index % 4 === 0) {
          const again = await repository.open(username, password);
          if (again.kind !== 'opened') throw new Error(`Then ${again.kind}`);
          expect(again.vault.notice).toBeNull();
          const after = await everything(again.vault);
          expect(after.damaged).toBe(0);
          expect(after.held.size).toBe(held.size + 1);
          await again.vault.close();
        }
        if (vault.notice !== null) return 'put aside and rebuilt, said';
        if (dropped > 0) return 'opened, damaged records counted';
        return same(held, states.at(-1) ?? new Map()) ? 'opened whole' : 'opened as of an earlier change';
      } finally {
        await storage.close();
        await rm(dataDir, { recursive: true, force: true });
      }
    });
  },
  campaignTimeoutMs,
);
