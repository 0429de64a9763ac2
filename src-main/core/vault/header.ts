import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { PasswordCost } from '../base/ports.ts';

/**
 * `about.json` beside a vault: the only part that is readable without its key. `binding` identifies its deployment and
 * origin without repeating the address.
 */
const headerSchema = z.strictObject({
  format: z.literal(1),
  deployment: z.string().max(64),
  binding: z.string().regex(/^[0-9a-f]{32}$/),
  username: z.string().max(1024),
  /** Unix milliseconds. */
  lastSyncAt: z.number().nullable(),
  unsent: z.int().min(0),
  setAside: z.boolean(),
  kdf: z.strictObject({
    name: z.literal('scrypt'),
    N: z.int(),
    r: z.int(),
    p: z.int(),
    salt: z.string().max(64),
  }),
});
export type VaultHeader = z.infer<typeof headerSchema>;

export const encodeHeader = (header: VaultHeader): Uint8Array =>
  new TextEncoder().encode(`${JSON.stringify(header, null, 2)}\n`);

/** The header, or null when the bytes are not a valid one. */
export function decodeHeader(bytes: Uint8Array): VaultHeader | null {
  try {
    return headerSchema.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch {
    return null;
  }
}

/** A deployment's id and the origin of its service: another origin must never reach its vaults. */
export interface VaultOwner {
  readonly deploymentId: string;
  readonly origin: string;
}

const digest = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);

export const bindingOf = ({ deploymentId, origin }: VaultOwner): string =>
  digest('field-console deployment', deploymentId, origin);

/** The name of an account's vault. */
export const vaultIdOf = ({ deploymentId, origin }: VaultOwner, username: string): string =>
  digest('field-console vault', deploymentId, origin, username);

export const kdfOf = (cost: PasswordCost, salt: Uint8Array): VaultHeader['kdf'] => ({
  name: 'scrypt',
  N: cost.N,
  r: cost.r,
  p: cost.p,
  salt: Buffer.from(salt).toString('base64'),
});
