import { randomBytes } from 'node:crypto';
import type { Random } from '../core/base/ports.ts';

export function createRandom(): Random {
  return {
    fraction: () => Math.random(),
    bytes: (length) => new Uint8Array(randomBytes(length)),
  };
}
