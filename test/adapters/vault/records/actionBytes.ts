import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { RecordKeys } from '../../../../src-main/core/vault/records.ts';
import { seeded } from '../../../../src-main/training/seeded.ts';

export const now = Date.parse('2026-11-21T04:05:06Z');
export const vaultId = 'a'.repeat(32);
export const mebibyte = 1024 * 1024;

const key = (name: string): Uint8Array => new Uint8Array(createHash('sha256').update(name).digest());

/** The same keys for the same seed. */
export const keysOf = (seed = 'ann'): RecordKeys => ({
  identity: key(`${seed} identity`).subarray(0, 16).toString(),
  rows: key(`${seed} rows`),
  lookup: key(`${seed} lookup`),
  head: key(`${seed} head`),
  files: key(`${seed} files`),
  sidecars: key(`${seed} sidecars`),
  contents: key(`${seed} contents`),
  contentNotes: key(`${seed} content notes`),
  audit: key(`${seed} audit`),
});

export const placeOf = (dataDir: string, id = vaultId): string => join(dataDir, 'vaults', id);

export const fileId = (number: number): string => number.toString(16).padStart(16, '0');

/** The same bytes for the same name. */
export function bytesOf(size: number, name = ''): Uint8Array {
  const draw = seeded(3, `${name} ${String(size)}`);
  const bytes = new Uint8Array(size);
  const words = new Uint32Array(bytes.buffer, 0, Math.floor(size / 4));
  for (let at = 0; at < words.length; at += 1) words[at] = draw.next() * 2 ** 32;
  for (let at = words.length * 4; at < size; at += 1) bytes[at] = draw.below(256);
  return bytes;
}
