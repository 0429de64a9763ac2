import { timingSafeEqual } from 'node:crypto';
import type { PasswordCost, PasswordHasher } from '../../base/ports.ts';

/** The verifier of an administrator's code: it can check a code, and does not reveal it. */
export interface CodeVerifier {
  readonly cost: PasswordCost;
  readonly salt: Uint8Array;
  readonly hash: Uint8Array;
}

const shape = /^scrypt\$(\d{6,7})\$8\$1\$([A-Za-z0-9+/]{22}==)\$([A-Za-z0-9+/]{43}=)$/;
const least = 2 ** 17;
const most = 2 ** 20;

/**
 * Reads `scrypt$N$8$1$salt$hash`, with N a power of two from 2^17 to 2^20, a salt of 16 bytes and a hash of 32, both in
 * base64. Null for anything else: with a lower cost the code could be guessed from the file, with a higher one it could
 * not be checked.
 */
export function readVerifier(line: string): CodeVerifier | null {
  const [, cost = '', salt = '', hash = ''] = shape.exec(line) ?? [];
  const N = Number(cost);
  if (N < least || N > most || (N & (N - 1)) !== 0) return null;
  return {
    cost: { N, r: 8, p: 1 },
    salt: new Uint8Array(Buffer.from(salt, 'base64')),
    hash: new Uint8Array(Buffer.from(hash, 'base64')),
  };
}

/**
 * Whether `code` is the one of the verifier. Composed and decomposed letters are equal, since keyboards differ in them.
 * Rejects when the derivation fails.
 */
export async function isRightCode(
  hasher: PasswordHasher,
  { cost, salt, hash }: CodeVerifier,
  code: string,
): Promise<boolean> {
  const derived = await hasher.derive(code.normalize('NFC'), salt, hash.byteLength, cost);
  return timingSafeEqual(derived, hash);
}
