import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { RecordKeys, RowKeys } from './records.ts';
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
  kind: 'row' | 'head' | 'anchor' | 'sidecar' | 'file' | 'key',
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

export const keyBytes = 32;

/** A vault's keys, of 32 bytes each. */
export interface DataKeys {
  /** The first one. From it comes what must stay the same when the password changes. */
  readonly root: Uint8Array;
  /**
   * The newest first, which seals everything that is written. The others open what was written before a changed
   * password and is not yet sealed again.
   */
  readonly ring: readonly [Uint8Array, ...Uint8Array[]];
}

export const newDataKeys = (randomBytes: (length: number) => Uint8Array): DataKeys => ({
  root: randomBytes(keyBytes),
  ring: [randomBytes(keyBytes)],
});

export const forgetDataKeys = ({ root, ring }: DataKeys): void =>
  [root, ...ring].forEach((key) => key.fill(0));

/** One key for each purpose: a leaked key reveals nothing about the others. */
export const keysOf = ({ root, ring }: DataKeys, identity: string): CacheKeys =>
  newestOf(ring, (dataKey) => {
    const derive = derivation(dataKey, identity);
    return {
      identity,
      records: derive('records'),
      // The names of the documents are not in them, so that these could not be looked up again.
      lookup: derivation(root, identity)('lookup'),
      documents: derive('documents'),
    };
  });

/** The keys of the operator's work, separate from those of the service's data. */
export const recordKeysOf = ({ root, ring }: DataKeys, identity: string): RecordKeys =>
  newestOf(ring, (dataKey) => {
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
      // Its end is on paper and in exports.
      audit: derivation(root, identity)('audit chain'),
    };
  });

function newestOf<K extends object>(
  ring: DataKeys['ring'],
  keysFrom: (dataKey: Uint8Array) => K,
): K & { readonly older: readonly K[] } {
  const [newest, ...older] = ring;
  return { ...keysFrom(newest), older: older.map(keysFrom) };
}

/** The keys under which something may be sealed, the newest first. */
export const ringOf = <K extends { readonly older?: readonly K[] }>(keys: K): readonly K[] => [
  keys,
  ...(keys.older ?? []),
];

const derivation =
  (dataKey: Uint8Array, identity: string) =>
  (purpose: string): Uint8Array =>
    new Uint8Array(hkdfSync('sha256', dataKey, Buffer.from(identity), `field-console ${purpose} v1`, 32));

type SomeKeys = CacheKeys | RecordKeys | RowKeys;

/** A copy that stays when the given bytes are overwritten. */
function copyKeys<K extends SomeKeys>(keys: K): K {
  const copyOf = (value: unknown): unknown => {
    if (value instanceof Uint8Array) return Uint8Array.from(value);
    return Array.isArray(value) ? value.map((older: SomeKeys) => copyKeys(older)) : value;
  };
  return Object.fromEntries(
    Object.entries(keys).map(([name, value]) => [name, copyOf(value)]),
  ) as unknown as K;
}

/** Overwrites keys that are no longer needed. */
export function forgetKeys(keys: SomeKeys): void {
  for (const key of Object.values(keys) as unknown[]) if (key instanceof Uint8Array) key.fill(0);
  keys.older?.forEach(forgetKeys);
}

/** Own copies of keys, until the close: what began with earlier ones may still need them. */
export class HeldKeys<K extends SomeKeys> {
  readonly #all: [K, ...K[]];

  constructor(keys: K) {
    this.#all = [copyKeys(keys)];
  }

  get keys(): K {
    return this.#all[0];
  }

  replace(keys: K): K {
    this.#all.unshift(copyKeys(keys));
    return this.keys;
  }

  /** Overwrites them. */
  forget(): void {
    this.#all.forEach(forgetKeys);
  }
}
