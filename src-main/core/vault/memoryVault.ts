import { timingSafeEqual } from 'node:crypto';
import type { BasePorts } from '../base/ports.ts';
import type { VaultPort } from './vaultPort.ts';

const saltLength = 16;
const keyLength = 32;

/**
 * A vault without storage: it only checks the password, in memory, for the lock. For the embedded training deployment,
 * and for a computer on which nothing can be stored.
 */
export function createMemoryVault({ hasher, random }: Pick<BasePorts, 'hasher' | 'random'>): VaultPort {
  let check: ((password: string) => Promise<boolean>) | null = null;

  async function remember(password: string): Promise<void> {
    const salt = random.bytes(saltLength);
    const expected = await hasher.derive(password, salt, keyLength);
    check = async (other) => timingSafeEqual(await hasher.derive(other, salt, keyLength), expected);
  }

  return {
    ready: Promise.resolve(),
    async open(_username, password) {
      await remember(password);
      return 'opened';
    },
    openOffline: () => Promise.resolve('none'),
    openWithPrevious: () => Promise.resolve('wrong-password'),
    startNew: (_username, current) => remember(current),
    matches: (password) => (check === null ? Promise.resolve(false) : check(password)),
  };
}
