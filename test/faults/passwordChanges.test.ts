import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { StorageError, type VaultStorage } from '../../src-main/core/vault/storage.ts';
import { preparedOnce, temporaryFolder } from '../adapters/support.ts';
import {
  contents,
  created,
  createVaultRig,
  incidents,
  opened,
  password,
  username,
  write,
  type VaultRig,
} from '../adapters/vault/support.ts';
import { campaignTimeoutMs, runCampaign } from '../support/campaign.ts';

const next = 'the next one';
const keyNames = ['key.a', 'key.b'] as const;
/** Each step of a change: two copies, the turn outside of the data folder, the header; the last is no cut. */
const steps = 4;
/** Which copies are put back later, as they were before the change. */
const putBack = [[], ['key.a'], ['key.b'], keyNames] as const;
/** Each cut with each of them, with half of a file beside it and without. */
const campaign = { name: 'password changes', whole: 40, part: 8 };

/** As a kill: after so many changes of files nothing is written. */
function cutAfter(count: number): (storage: VaultStorage) => VaultStorage {
  let left = count;
  const cutting =
    <T extends unknown[]>(work: (...args: T) => Promise<void>) =>
    (...args: T): Promise<void> =>
      (left -= 1) < 0 ? Promise.reject(new StorageError('broken', 'cut')) : work(...args);
  return (storage) => ({
    ...storage,
    write: cutting(storage.write),
    anchorTurn: cutting(storage.anchorTurn),
  });
}

async function opens({ repository }: VaultRig, secret: string): Promise<boolean> {
  const opening = await repository.open(username, secret);
  if (opening.kind === 'opened') {
    expect((await contents(opening.vault)).byId.size).toBe(3);
    const records = await opening.vault.openRecords();
    if (!records.ok) throw new Error('The records do not open');
    expect(records.value).toMatchObject({ lost: null, rollback: null });
    expect((await records.value.store.rows('notes')).rows).toEqual([{ id: 'a', text: 'a note' }]);
    await records.value.close();
    await opening.vault.close();
  }
  return opening.kind === 'opened';
}

const written = preparedOnce(async (dataDir) => {
  const vault = await created(createVaultRig({ dataDir }));
  await write(vault, incidents(3));
  const records = await vault.openRecords();
  if (!records.ok) throw new Error('The records do not open');
  await records.value.store.write([{ table: 'notes', id: 'a', text: 'a note' }]);
  await records.value.close();
  await vault.close();
});

it(
  'a changed password locks the old one out, wherever its change is cut, and loses nothing',
  async () => {
    await runCampaign(campaign, async (_draw, index) => {
      // A step without a common divisor reaches each, and any few of them are of all kinds.
      const at = (index * 11) % campaign.whole;
      const cut = at % (steps + 1);
      const back = putBack[Math.floor(at / (steps + 1)) % putBack.length] ?? [];
      const half = at >= campaign.whole / 2;

      const dataDir = await written();
      const rig = createVaultRig({ dataDir });
      const vault = await opened(rig);
      const folder = join(dataDir, 'vaults', vault.id);
      await vault.close();
      const before = await Promise.all(keyNames.map((name) => readFile(join(folder, name))));
      const cutRig = createVaultRig({ dataDir, wrapStorage: cutAfter(cut) });
      const cutVault = await opened(cutRig);
      const changed = await cutVault.reseal(next);
      await cutVault.close();
      // What a kill leaves of a file that was being written.
      if (half) await writeFile(join(folder, 'key.a.tmp'), before[0]?.subarray(0, 99) ?? '');
      expect(changed.ok).toBe(cut === steps);

      const afterwards = createVaultRig({ dataDir });
      const byNew = await opens(afterwards, next);
      const byOld = await opens(afterwards, password);
      // The new one counts from its first use, whether or not its change was acknowledged.
      expect(byNew).toBe(!byOld);
      if (changed.ok) expect(byNew).toBe(true);

      const copy = await temporaryFolder();
      await cp(dataDir, copy, { recursive: true });
      for (const [which, name] of keyNames.entries()) {
        if ((back as readonly string[]).includes(name)) {
          await writeFile(join(copy, 'vaults', vault.id, name), before[which] ?? '');
        }
      }
      const later = createVaultRig({ dataDir: copy });
      if (byNew) expect(await opens(later, password), 'the old password').toBe(false);
      if (back.length < keyNames.length) expect((await opens(later, next)) || !byNew).toBe(true);
      return byNew ? 'changed' : 'unchanged';
    });
  },
  campaignTimeoutMs,
);
