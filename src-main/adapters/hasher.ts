import { scrypt } from 'node:crypto';
import type { PasswordHasher } from '../core/base/ports.ts';

/** The shipped cost of a password check: about a quarter of a second and 128 MiB. */
export const scryptCost = { N: 2 ** 17, r: 8, p: 1 } as const;

export const saltBytes = 16;

/**
 * scrypt at the shipped cost, off the main thread. Rejects when the salt is not 16 bytes long, since
 * a short one would let one table serve many vaults.
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
        // Node refuses these costs at its default of 32 MiB; scrypt itself needs 128 * N * r bytes.
        const options = { N, r, p, maxmem: 256 * N * r };
        scrypt(password, salt, length, options, (error, key) => {
          if (error) reject(error);
          else resolve(new Uint8Array(key));
        });
      }),
  };
}
