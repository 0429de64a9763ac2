import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { RecordKeys } from './records.ts';
import type { CacheKeys } from './storage.ts';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Version of the tables and of the sealed records. Another version is not opened. */
export const schemaVersion = 1;

/** Version of the outbox's tables, of the spooled files' format, and of the sealed records. */
export const sealVersion = 1;

/** What a seal of the outbox is bound to, so that the sealed bytes open only in their place. */
export const boundTo = (
  kind: 'row' | 'head' | 'anchor' | 'sidecar' | 'file',
  ...place: readonly string[]
): Uint8Array => Buffer.from(JSON.stringify([`field-console actions ${kind}`, sealVersion, ...place]));

/** The place of a sealed record of the cache. In another place it does not open. */
export interface Place {
  readonly identity: string;
  readonly table: 'blocks' | 'documents';
  readonly row: string;
}

const placeText = ({ identity, table, row }: Place): Buffer =>
  Buffer.from(JSON.stringify(['field-console record', schemaVersion, identity, table, row]));

/** AES-256-GCM with a random 96-bit nonce: nonce, ciphertext, tag. `bound` is authenticated too. */
export function sealBytes(key: Uint8Array, bytes: Uint8Array, bound: Uint8Array): Uint8Array {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(bound);
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

/** The bytes, or null when they were sealed with another key, bound to something else, or damaged. */
export function unsealBytes(key: Uint8Array, sealed: Uint8Array, bound: Uint8Array): Buffer | null {
  if (sealed.byteLength < nonceBytes + tagBytes) return null;
  const end = sealed.byteLength - tagBytes;
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(bound);
  decipher.setAuthTag(sealed.subarray(end));
  const opened = decipher.update(sealed.subarray(nonceBytes, end));
  try {
    return Buffer.concat([opened, decipher.final()]);
  } catch {
    return null;
  }
}

export const sealRecord = (key: Uint8Array, bytes: Uint8Array, place: Place): Uint8Array =>
  sealBytes(key, bytes, placeText(place));

export const unsealRecord = (key: Uint8Array, sealed: Uint8Array, place: Place): Buffer | null =>
  unsealBytes(key, sealed, placeText(place));

/** The lookup key of a name, so that the name itself is not stored there. */
export const rowKey = (lookup: Uint8Array, name: string): Buffer =>
  createHmac('sha256', lookup).update(name).digest();

/** One key for each purpose: a leaked key reveals nothing about the others. */
export function keysOf(dataKey: Uint8Array, identity: string): CacheKeys {
  const derive = derivation(dataKey, identity);
  return {
    identity,
    records: derive('records'),
    lookup: derive('lookup'),
    documents: derive('documents'),
  };
}

/** The keys of the operator's work, separate from those of the service's data. */
export function recordKeysOf(dataKey: Uint8Array, identity: string): RecordKeys {
  const derive = derivation(dataKey, identity);
  return {
    identity,
    rows: derive('action rows'),
    lookup: derive('action lookup'),
    head: derive('audit head'),
    files: derive('spooled files'),
    sidecars: derive('sidecars'),
    contents: derive('fetched files'),
    contentNotes: derive('notes of fetched files'),
    audit: derive('audit chain'),
  };
}

const derivation =
  (dataKey: Uint8Array, identity: string) =>
  (purpose: string): Uint8Array =>
    new Uint8Array(hkdfSync('sha256', dataKey, Buffer.from(identity), `field-console ${purpose} v1`, 32));

type SomeKeys = CacheKeys | RecordKeys | Pick<RecordKeys, 'identity' | 'rows' | 'lookup'>;

/** A copy that stays when the given bytes are overwritten. */
export function copyKeys<K extends SomeKeys>(keys: K): K {
  const copies = Object.entries(keys).map(([name, key]: [string, unknown]) => [
    name,
    key instanceof Uint8Array ? Uint8Array.from(key) : key,
  ]);
  return Object.fromEntries(copies) as K;
}

/** Overwrites keys that are no longer needed. */
export function forgetKeys(keys: SomeKeys): void {
  for (const key of Object.values(keys) as unknown[]) if (key instanceof Uint8Array) key.fill(0);
}
