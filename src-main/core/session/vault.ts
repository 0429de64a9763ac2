import { timingSafeEqual } from 'node:crypto';
import type { PasswordHasher, Random } from '../ports.ts';

/**
 * The vault machine.
 *
 *   closed ──opening──► opening ──opened──► open
 *     ▲                    │                 │  opening: stays open (the password is proved anew)
 *     └──────closed────────┴─────────────────┘
 */
export type VaultState = 'closed' | 'opening' | 'open';
export type VaultEvent = 'opening' | 'opened' | 'closed';

export function nextVault(state: VaultState, event: VaultEvent): VaultState {
  switch (event) {
    case 'opening':
      return state === 'open' ? 'open' : 'opening';
    case 'opened':
      return state === 'closed' ? 'closed' : 'open';
    case 'closed':
      return 'closed';
  }
}

const saltLength = 16;
const keyLength = 32;

/** Checks passwords against the one it was made from, without keeping that one. */
export type PasswordVerifier = (password: string) => Promise<boolean>;

/** Makes a verifier under a salt of its own. Rejects when the hasher does. */
export async function createPasswordVerifier(options: {
  readonly password: string;
  readonly hasher: PasswordHasher;
  readonly random: Random;
}): Promise<PasswordVerifier> {
  const { hasher } = options;
  const salt = options.random.bytes(saltLength);
  const expected = await hasher.derive(options.password, salt, keyLength);
  return async (password) => timingSafeEqual(await hasher.derive(password, salt, keyLength), expected);
}
