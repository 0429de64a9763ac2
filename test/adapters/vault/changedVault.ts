import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Result } from '../../../src-preload/contract/index.ts';
import { createRecordFolders } from '../../../src-main/adapters/vault/records/folders.ts';
import { createVaultStorage } from '../../../src-main/adapters/vault/storage.ts';
import type { OpenVault } from '../../../src-main/core/vault/openVault.ts';
import type { Spool, VaultRecords } from '../../../src-main/core/vault/records.ts';
import { decodeKeyCopy } from '../../../src-main/core/vault/sealedKey.ts';
import { VaultRepository } from '../../../src-main/core/vault/vaultRepository.ts';
import { until } from '../../support/clock.ts';
import { cheapHasher, createRecordingLogger } from '../../support/ports.ts';
import { incident, incidents, now } from './incidents.ts';
import { bytesOf, fileId, mebibyte } from './records/actionBytes.ts';

/** Everything of one kind in a vault, and what is added after its password changed: for processes and tests. */

export const afterwardsText = 'written after the change';
export const keyNames = ['key.a', 'key.b'] as const;
/** Of a copy with the root and one key. */
const leastWrapBytes = 28 + 2 * 32;
const [spooled, fetched, unfinished, late] = [1, 2, 3, 4].map(fileId) as [string, string, string, string];
const fileBytes = Math.round(1.3 * mebibyte);

function repositoryOf(dataDir: string) {
  const storage = createVaultStorage({ dataDir });
  const records = createRecordFolders({ dataDir });
  const logger = createRecordingLogger();
  const repository = new VaultRepository({
    storage,
    records,
    hasher: cheapHasher,
    // A seed would give each process the same new key.
    random: { fraction: () => 0, bytes: (length) => new Uint8Array(randomBytes(length)) },
    logger,
    serverNow: () => now,
    deployment: { id: 'north', infrastructureUrl: 'https://api.example/v0' },
  });
  const close = async (): Promise<void> => {
    await records.close();
    await storage.close();
  };
  return { repository, logger, close };
}

export interface Opened {
  readonly vault: OpenVault;
  readonly records: VaultRecords;
  /** Whether what was to be sealed again is left to the next opening. */
  renewalFailed(): boolean;
  close(): Promise<void>;
}

const done = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.failure.code);
  return result.value;
};

/** Null when the password is not the vault's. */
export async function openVault(dataDir: string, secret: string): Promise<Opened | null> {
  const { repository, logger, close } = repositoryOf(dataDir);
  const opening = await repository.open('ann@field', secret);
  if (opening.kind !== 'opened') {
    await close();
    return null;
  }
  const { vault } = opening;
  const opened = await vault.openRecords();
  if (!opened.ok) {
    await vault.close();
    await close();
    throw new Error(opened.failure.code);
  }
  const records = opened.value;
  return {
    vault,
    records,
    renewalFailed: () => logger.lines.some(({ fields }) => fields['what'] === 'renew'),
    close: async () => {
      await records.close();
      await vault.close();
      await close();
    },
  };
}

async function store(spool: Spool, id: string, leave = false): Promise<void> {
  const file = await spool.receive(id);
  await file.write(bytesOf(fileBytes, id));
  await (leave ? file.leave() : file.finish());
}

/** Makes a vault with all that a vault may have. Returns its id. */
export async function makeVault(dataDir: string, secret: string): Promise<string> {
  const { repository, close } = repositoryOf(dataDir);
  const vault = done(await repository.create('ann@field', secret));
  const records = done(await vault.openRecords());
  done(await vault.cache.write({ upserts: incidents(3), removals: [], documents: { ledger: 'known' } }));
  await records.store.write([{ table: 'notes', id: 'a', text: 'a note' }]);
  await records.store.writeHead('head');
  await records.store.writeAnchor('head');
  await store(records.spool, spooled);
  await records.spool.writeSidecar(spooled, 'a photo');
  await store(records.contents, fetched);
  await records.contents.writeSidecar(fetched, 'fetched');
  await store(records.contents, unfinished, true);
  await records.close();
  await vault.close();
  await close();
  return vault.id;
}

/** Adds to a vault what it must not show to its former key. `step` does each write. */
export async function writeAfterwards(
  { vault, records }: Opened,
  step = (write: () => Promise<unknown>): Promise<unknown> => write(),
): Promise<void> {
  const upserts = [incident(100, { record: { ...incident(100).record, severity: afterwardsText } })];
  const documents = { ledger: afterwardsText };
  await step(async () => done(await vault.cache.write({ upserts, removals: [], documents })));
  await step(() => records.store.write([{ table: 'notes', id: 'b', text: afterwardsText }]));
  await step(() => records.store.writeHead(afterwardsText));
  await step(() => records.store.writeAnchor(afterwardsText));
  await step(() => store(records.spool, late));
  await step(() => records.spool.writeSidecar(late, afterwardsText));
}

async function bytesIn(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const piece of pieces) parts.push(Buffer.from(piece));
  return Buffer.concat(parts);
}

/** What is wrong with an open vault, in words; nothing where all is there and whole. */
export async function wrongWith({ vault, records }: Opened, hasLate: boolean): Promise<string[]> {
  const wrong: string[] = [];
  const expect = (what: string, found: unknown, ...allowed: readonly unknown[]): void => {
    const text = JSON.stringify(found);
    if (!allowed.some((one) => JSON.stringify(one) === text)) wrong.push(`${what}: ${text}`);
  };
  const laterOr = <T>(before: T, later: T): readonly T[] => (hasLate ? [later] : [before, later]);

  expect('records', [records.lost, records.rollback], [null, null]);
  let count = 0;
  const loaded = done(await vault.cache.load((batch) => void (count += batch.length)));
  expect('cache', [count, loaded.damaged, loaded.older], ...laterOr([3, 0, false], [4, 0, false]));
  expect('ledger', done(await vault.cache.document('ledger')), ...laterOr('known', afterwardsText));
  const rows = await records.store.rows('notes');
  const before = { id: 'a', text: 'a note' };
  expect(
    'notes',
    rows,
    ...laterOr(
      { rows: [before], damaged: 0 },
      { rows: [before, { id: 'b', text: afterwardsText }], damaged: 0 },
    ),
  );
  const head = laterOr('head', afterwardsText);
  expect('head', await records.store.readHead(), ...head.map((text) => ({ text, damaged: false })));
  expect('anchor', await records.store.readAnchor(), ...head);
  const files = [
    [records.spool.read(spooled), spooled],
    [records.contents.read(fetched), fetched],
    ...(hasLate ? [[records.spool.read(late), late] as const] : []),
  ] as const;
  for (const [pieces, id] of files) {
    const whole = Buffer.compare(await bytesIn(pieces), bytesOf(fileBytes, id)) === 0;
    expect(`file ${id}`, whole, true);
  }
  const part = await bytesIn(records.contents.readPartial(unfinished));
  expect('unfinished', Buffer.compare(part, bytesOf(fileBytes, unfinished).subarray(0, mebibyte)), 0);
  const texts = [...(await records.spool.sidecars()), ...(await records.contents.sidecars())];
  expect('texts', new Map(texts).get(spooled), 'a photo');
  expect('texts', new Map(texts).get(fetched), 'fetched');
  if (hasLate) expect('texts', new Map(texts).get(late), afterwardsText);
  return wrong;
}

/** How many keys each copy has: one, when nothing needs an older one. */
export const keysIn = (dataDir: string, vaultId: string): readonly number[] =>
  keyNames.map((name) => {
    const copy = decodeKeyCopy(readFileSync(join(dataDir, 'vaults', vaultId, name)));
    return ((copy?.wrap.byteLength ?? 0) - leastWrapBytes) / 32 + 1;
  });

/** Resolves when nothing needs an older key. */
export const settled = (dataDir: string, vaultId: string): Promise<void> =>
  until(() => keysIn(dataDir, vaultId).every((count) => count === 1), 'older keys to be dropped');
