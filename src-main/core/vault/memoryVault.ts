import { timingSafeEqual } from 'node:crypto';
import type { PasswordHasher, Random } from '../base/ports.ts';
import type { VaultPort } from './vaultPort.ts';

const saltLength = 16;
const keyLength = 32;

/**
 * A vault that keeps nothing: only the check of the password, in memory, for the lock. For the
 * embedded training deployment, and for a computer on which nothing can be kept.
 */
export function createMemoryVault(options: {
  readonly hasher: PasswordHasher;
  readonly random: Random;
}): VaultPort {
  const { hasher, random } = options;
  let check: ((password: string) => Promise<boolean>) | null = null;
  /** Counts leavings: a derivation begun before one must not leave a check behind after it. */
  let left = 0;

  async function remember(password: string): Promise<void> {
    const before = left;
    const salt = random.bytes(saltLength);
    const expected = await hasher.derive(password, salt, keyLength);
    if (left !== before) return;
    check = async (other) => timingSafeEqual(await hasher.derive(other, salt, keyLength), expected);
  }

  return {
    async enter(_username, password) {
      await remember(password);
      return 'opened';
    },
    enterOffline: () => Promise.resolve('none'),
    enterWithPrevious: () => Promise.resolve('wrong-password'),
    startNew: (_username, current) => remember(current),
    matches: (password) => (check === null ? Promise.resolve(false) : check(password)),
    leave() {
      left += 1;
      check = null;
    },
  };
}
