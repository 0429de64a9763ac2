import { z } from 'zod';
import { address } from '../deployments/index.ts';

export const keyIdForm = /^[a-z0-9][a-z0-9-]{0,31}$/;

/** The bytes of a base64 text with exactly `length` bytes in its canonical spelling; else null. */
export function bytesOfBase64(text: string, length: number): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.byteLength === length && bytes.toString('base64') === text ? bytes : null;
}

const keySchema = z.strictObject({
  id: z.string().regex(keyIdForm),
  /** Ed25519, the raw 32 bytes in base64. */
  publicKey: z.string().refine((text) => bytesOfBase64(text, 32) !== null),
  /** The last release that this key may sign, after another key has replaced it. */
  notAfterSequence: z.int().min(0).optional(),
});
export type UpdateKey = z.infer<typeof keySchema>;

const trustSchema = z.strictObject({
  channel: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/),
  /** The number of this build's release; 0 for a build that was not released. */
  sequence: z.int().min(0),
  server: address('updates').nullable(),
  keys: z
    .array(keySchema)
    .max(16)
    .refine((keys) => new Set(keys.map(({ id }) => id)).size === keys.length),
});
/** The keys and numbers that a build trusts (build/update-keys.json). */
export type UpdateTrust = z.infer<typeof trustSchema>;

/** No keys: for a build whose list cannot be read. */
const noTrust: UpdateTrust = { channel: 'stable', sequence: 0, server: null, keys: [] };

export function readTrust(value: unknown): UpdateTrust {
  const reading = trustSchema.safeParse(value);
  return reading.success ? reading.data : noTrust;
}
