import process from 'node:process';
import { createRecordFolders } from '../../../src-main/adapters/vault/records/folders.ts';
import { createVaultStorage } from '../../../src-main/adapters/vault/storage.ts';
import { VaultRepository } from '../../../src-main/core/vault/vaultRepository.ts';
import { said } from '../../support/messages.ts';
import { cheapHasher, createRecordingLogger, createSeededRandom } from '../../support/ports.ts';
import { incident, incidents, now } from '../vault/incidents.ts';

/**
 * Opens (or makes) the vault of its data folder and writes into it until it is killed: rounds of ten
 * new incidents, the first incident with the round's number, and a document. Prints each round when
 * it was acknowledged.
 */
const [dataDir = '', first = '0'] = process.argv.slice(2);
const repository = new VaultRepository({
  storage: createVaultStorage({ dataDir }),
  records: createRecordFolders({ dataDir }),
  hasher: cheapHasher,
  random: createSeededRandom(),
  logger: createRecordingLogger(),
  serverNow: () => now,
  deployment: { id: 'north', infrastructureUrl: 'https://api.example/v0' },
});
const opening = await repository.open('ann@field', 'correct horse battery');
const made = opening.kind === 'none' ? await repository.create('ann@field', 'correct horse battery') : null;
const vault = opening.kind === 'opened' ? opening.vault : made?.ok ? made.value : null;
if (!vault) throw new Error(`The vault is ${opening.kind}`);
process.stdout.write('opened\n');
for (let round = Number(first); ; round += 1) {
  const written = await vault.cache.write({
    upserts: [incident(0, { arrivedAt: round }), ...incidents(10, 10 + round * 10)],
    removals: round % 3 === 2 ? [incident(10 + round * 10 - 10).record.id] : [],
    documents: { ledger: String(round) },
  });
  if (!written.ok) throw new Error(said(written.failure.sentence));
  process.stdout.write(`${String(round)}\n`);
}
