import { mkdir } from 'node:fs/promises';
import { createClock } from '../../src-main/adapters/clock.ts';
import { createHasher, createRandom } from '../../src-main/adapters/crypto.ts';
import { createRecordFolders } from '../../src-main/adapters/vault/records/folders.ts';
import { createVaultStorage } from '../../src-main/adapters/vault/storage.ts';
import type { StoredIncident } from '../../src-main/core/state/incidentCache.ts';
import type { OpenVault } from '../../src-main/core/vault/openVault.ts';
import { VaultRepository } from '../../src-main/core/vault/vaultRepository.ts';
import type { IncidentColumns } from '../../src-preload/contract/index.ts';
import { said } from '../support/messages.ts';
import { createRecordingLogger } from '../support/ports.ts';
import { benchFrame, benchTimes } from './data.ts';

/** Who the bench's vaults belong to. */
export const credentials = { username: 'bench', password: 'bench' };
/** The deployment that they are of, under this id. */
export const deploymentId = 'bench';

const batch = 2_000;

/**
 * Makes a vault in a data folder that is not there yet, as a console left it that used the service at `url`.
 *
 * @param fill puts into the open vault what it is to hold; `now` is Unix ms.
 */
export async function makeVault(options: {
  readonly dataDir: string;
  readonly url: string;
  readonly fill: (vault: OpenVault, now: number) => Promise<void>;
}): Promise<void> {
  const { dataDir, url, fill } = options;
  await mkdir(dataDir, { mode: 0o700 });
  const storage = createVaultStorage({ dataDir });
  const folders = createRecordFolders({ dataDir });
  const { wallNow } = createClock();
  const repository = new VaultRepository({
    storage,
    records: folders,
    hasher: createHasher(),
    random: createRandom(),
    logger: createRecordingLogger(),
    serverNow: wallNow,
    deployment: { id: deploymentId, infrastructureUrl: url },
  });
  const made = await repository.create(credentials.username, credentials.password);
  if (!made.ok) throw new Error(said(made.failure.sentence));
  await fill(made.value, wallNow());
  await made.value.close();
  await folders.close();
  await storage.close();
}

/** Puts the bench's first `size` incidents into a vault, the newest of them created at `now`. */
export async function storeIncidents(vault: OpenVault, size: number, now: number): Promise<void> {
  const { columns, dictionaries } = benchFrame(size, 0, true);
  const texts = new TextDecoder();
  const name = (of: keyof typeof dictionaries, row: number): string =>
    dictionaries[of][columns[of][row] ?? 0] ?? '';
  const shift = now - benchTimes.to;
  for (let from = 0; from < size; from += batch) {
    const upserts = Array.from({ length: Math.min(batch, size - from) }, (_, at): StoredIncident => {
      const row = from + at;
      const createdAt = (columns.createdAt[row] ?? 0) + shift;
      return {
        record: {
          id: texts.decode(idOf(columns, row)),
          incidentType: name('type', row),
          severity: name('severity', row),
          status: name('status', row),
          createdAtText: new Date(createdAt).toISOString(),
          createdAt,
          evidenceCount: columns.evidenceCount[row] ?? 0,
          blockchainRecords: Array.from(
            { length: columns.anchorCount[row] ?? 0 },
            (_, record) => `0x${row.toString(16).padStart(8, '0')}${String(record)}`,
          ),
          location: {
            latitude: columns.latitude[row] ?? 0,
            longitude: columns.longitude[row] ?? 0,
            altitude: null,
          },
          otherFields: [],
          unreadable: [],
        },
        firstSeenAt: now,
        lastSeenAt: now,
        arrivedAt: 0,
        notReturnedSince: null,
      };
    });
    const written = await vault.cache.write({ upserts, removals: [], documents: {} });
    if (!written.ok) throw new Error(said(written.failure.sentence));
  }
  await vault.noteSync(now, 0);
}

const idOf = ({ idBytes, idOffsets }: IncidentColumns, row: number): Uint8Array =>
  idBytes.subarray(idOffsets[row] ?? 0, idOffsets[row + 1] ?? 0);
