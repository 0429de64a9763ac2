import type { StorageState } from '../../../../src-preload/contract/index.ts';
import type { PasswordCost } from '../../base/ports.ts';
import { decodeKeyCopy } from '../../vault/sealedKey.ts';
import type { VaultStorage } from '../../vault/storage.ts';

/** How the vaults of the chosen deployment are sealed, as far as that is readable without opening one. */
export interface Sealing {
  readonly costs: readonly PasswordCost[];
  readonly withDevice: number;
  readonly passwordOnly: number;
  readonly unreadable: number;
}

/** No more are read: each is a file. */
const mostVaults = 32;

export async function readSealing(
  storage: Pick<VaultStorage, 'read'>,
  vaults: StorageState['vaults'],
): Promise<Sealing> {
  const costs = new Map<string, PasswordCost>();
  let [withDevice, passwordOnly, unreadable] = [0, 0, 0];
  for (const { id } of vaults.slice(0, mostVaults)) {
    const copy = await readCopy(storage, id);
    if (copy === null) {
      unreadable += 1;
      continue;
    }
    const { N, r, p, device } = copy;
    costs.set([N, r, p].join(), { N, r, p });
    if (device) withDevice += 1;
    else passwordOnly += 1;
  }
  return { costs: [...costs.values()], withDevice, passwordOnly, unreadable };
}

async function readCopy(storage: Pick<VaultStorage, 'read'>, id: string) {
  for (const name of ['key.a', 'key.b'] as const) {
    const bytes = await storage.read(id, name).catch(() => null);
    const copy = bytes && decodeKeyCopy(bytes);
    if (copy) return copy;
  }
  return null;
}

export const costText = ({ N, r, p }: PasswordCost): string =>
  `scrypt, N = ${String(N)}, r = ${String(r)}, p = ${String(p)}`;
