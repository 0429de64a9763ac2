import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRecordFolders } from '../../../src-main/adapters/vault/records/folders.ts';
import { createVaultStorage } from '../../../src-main/adapters/vault/storage.ts';
import type {
  DeviceSecretReading,
  DeviceSecretSource,
  PasswordHasher,
} from '../../../src-main/core/base/ports.ts';
import type { StoredIncident } from '../../../src-main/core/state/incidentCache.ts';
import type { OpenVault } from '../../../src-main/core/vault/openVault.ts';
import type { VaultStorage } from '../../../src-main/core/vault/storage.ts';
import { VaultRepository } from '../../../src-main/core/vault/vaultRepository.ts';
import { said } from '../../support/messages.ts';
import {
  cheapHasher,
  createRecordingLogger,
  createSeededRandom,
  type RecordingLogger,
} from '../../support/ports.ts';
import { afterwards } from '../support.ts';
import { now } from './incidents.ts';

export const username = 'ann@field';
export const password = 'correct horse battery';

export { incident, incidents, now } from './incidents.ts';

export interface VaultRig {
  readonly dataDir: string;
  readonly storage: VaultStorage;
  readonly repository: VaultRepository;
  readonly logger: RecordingLogger;
}

/** Closed after the test, if it is still open. */
export function tracked(vault: OpenVault): OpenVault {
  afterwards(() => vault.close());
  return vault;
}

export interface ShelfOptions {
  readonly dataDir: string;
  readonly deployment?: { readonly id: string; readonly infrastructureUrl: string };
  readonly hasher?: PasswordHasher;
  readonly deviceSecret?: Uint8Array | null;
  readonly maximumPages?: number;
  readonly wrapStorage?: (storage: VaultStorage) => VaultStorage;
  readonly seed?: number;
}

/** A key store that has answered. */
const sourceOf = (secret: Uint8Array | null): DeviceSecretSource => {
  const reading: DeviceSecretReading = secret === null ? { kind: 'none' } : { kind: 'secret', secret };
  return { peek: () => reading, read: () => Promise.resolve(reading) };
};

export function createVaultRig(options: ShelfOptions): VaultRig {
  const { dataDir, maximumPages } = options;
  const plain = createVaultStorage({ dataDir, ...(maximumPages === undefined ? {} : { maximumPages }) });
  afterwards(() => plain.close());
  const records = createRecordFolders({ dataDir });
  afterwards(() => records.close());
  const storage = options.wrapStorage?.(plain) ?? plain;
  const logger = createRecordingLogger();
  const repository = new VaultRepository({
    storage,
    records,
    hasher: options.hasher ?? cheapHasher,
    random: createSeededRandom(options.seed),
    logger,
    serverNow: () => now,
    deployment: options.deployment ?? { id: 'north', infrastructureUrl: 'https://api.example/v0' },
    deviceSecret: sourceOf(options.deviceSecret ?? null),
  });
  return { dataDir, storage, repository, logger };
}

export async function created(
  { repository }: VaultRig,
  name = username,
  secret = password,
): Promise<OpenVault> {
  const made = await repository.create(name, secret);
  if (!made.ok) throw new Error(said(made.failure.sentence));
  return tracked(made.value);
}

export async function opened(
  { repository }: VaultRig,
  name = username,
  secret = password,
): Promise<OpenVault> {
  const opening = await repository.open(name, secret);
  if (opening.kind !== 'opened') throw new Error(`The vault is ${opening.kind}`);
  return tracked(opening.vault);
}

export const upserts = (list: readonly StoredIncident[]) => ({ upserts: list, removals: [], documents: {} });

export async function write(vault: OpenVault, list: readonly StoredIncident[]): Promise<void> {
  const written = await vault.cache.write(upserts(list));
  if (!written.ok) throw new Error(said(written.failure.sentence));
}

/** Everything that the cache holds, by id, and how many were damaged. */
export async function contents(
  vault: OpenVault,
): Promise<{ byId: Map<string, StoredIncident>; damaged: number; older: boolean; batches: number[] }> {
  const byId = new Map<string, StoredIncident>();
  const batches: number[] = [];
  const loaded = await vault.cache.load((batch) => {
    batches.push(batch.length);
    for (const one of batch) {
      if (byId.has(one.record.id)) throw new Error(`${one.record.id} was handed over twice`);
      byId.set(one.record.id, one);
    }
  });
  if (!loaded.ok) throw new Error(said(loaded.failure.sentence));
  if (loaded.value.incidents !== byId.size) throw new Error('Another number than what was handed over');
  const { damaged, older } = loaded.value;
  return { byId, damaged, older, batches };
}

export const folderOf = ({ dataDir }: VaultRig, vault: { readonly id: string }): string =>
  join(dataDir, 'vaults', vault.id);

/** Every file below the data folder with its bytes. */
export async function filesBelow(folder: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(path.slice(folder.length + 1), await readFile(path));
  }
  return files;
}
