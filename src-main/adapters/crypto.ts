import { randomBytes, scrypt } from 'node:crypto';
import type { PasswordHasher, Random } from '../core/base/ports.ts';

/** The cost of a password check: about a quarter of a second and 128 MiB. */
export const scryptCost = { N: 2 ** 17, r: 8, p: 1 } as const;

export const saltBytes = 16;

/**
 * scrypt at this cost, in another thread. Rejects a salt that is not 16 bytes long: with a short one, a precomputed
 * table would serve many vaults.
 */
export function createHasher(): PasswordHasher {
  return {
    cost: scryptCost,
    derive: (password, salt, length, { N, r, p } = scryptCost) =>
      new Promise((resolve, reject) => {
        if (salt.byteLength !== saltBytes) {
          reject(new RangeError(`A salt has ${saltBytes} bytes, not ${salt.byteLength}`));
          return;
        }
        // Node's default limit of 32 MiB would refuse this cost. scrypt needs 128 * N * r bytes.
        const options = { N, r, p, maxmem: 256 * N * r };
        scrypt(password, salt, length, options, (error, key) => {
          if (error) reject(error);
          else resolve(new Uint8Array(key));
        });
      }),
  };
}

export function createRandom(): Random {
  return {
    fraction: () => Math.random(),
    bytes: (length) => new Uint8Array(randomBytes(length)),
  };
}
