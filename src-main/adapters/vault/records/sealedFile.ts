import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { boundTo } from '../../../core/vault/seal.ts';

/**
 * The format of a spooled file: a header (eight bytes that name the format, 32 bytes of salt), then chunks of 1 MiB,
 * the last one of at most that size, each followed by its tag. AES-256-GCM with a key for this file only, derived from
 * its id and its salt, so that a counter is a nonce that never repeats. A chunk's number, and whether it is the last
 * one, are authenticated with it.
 *
 * When the vault has a newer key, the file's key is sealed with that, in a file beside it, and the salt is overwritten:
 * who has the older key cannot derive the file's key again. The chunks stay as they are, whatever their size.
 */
const algorithm = 'aes-256-gcm';
const format = Buffer.from('FCspool1');
export const saltBytes = 32;
export const headerBytes = format.byteLength + saltBytes;
export const plainChunkBytes = 1024 * 1024;
const tagBytes = 16;
export const sealedChunkBytes = plainChunkBytes + tagBytes;

export const headerOf = (salt: Uint8Array): Uint8Array => Buffer.concat([format, salt]);

/** The salt, or null when this is not the header of a spooled file. */
export function saltOf(header: Uint8Array): Uint8Array | null {
  if (header.byteLength !== headerBytes) return null;
  return format.equals(header.subarray(0, format.byteLength)) ? header.subarray(format.byteLength) : null;
}

/** Where the salt was, once the file's key is sealed beside it. */
export const blankSalt = new Uint8Array(saltBytes);
export const saltAt = format.byteLength;

/** The key of one file. It depends on the salt, the id and the vault. */
export const fileKey = (
  files: Uint8Array,
  place: { readonly identity: string; readonly id: string; readonly salt: Uint8Array },
): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', files, place.salt, boundTo('file', place.identity, place.id), 32));

/** How many plain bytes are in a file of `size` bytes, or -1 when no such file has that size. */
export function plainSize(size: number): number {
  const chunks = chunksOf(size);
  return chunks === null ? -1 : size - headerBytes - chunks * tagBytes;
}

/** How many full chunks, none of them the last, are in an unfinished file of `size` bytes. */
export const fullChunksOf = (size: number): number =>
  Math.max(0, Math.floor((size - headerBytes) / sealedChunkBytes));

/** How many chunks a file of `size` bytes has, or null when no such file has that size. */
export function chunksOf(size: number): number | null {
  const sealed = size - headerBytes;
  if (sealed < tagBytes) return null;
  const chunks = Math.ceil(sealed / sealedChunkBytes);
  const last = sealed - (chunks - 1) * sealedChunkBytes;
  // Only an empty file has a last chunk without a byte.
  return last > tagBytes || (chunks === 1 && last === tagBytes) ? chunks : null;
}

function nonceOf(index: number): Uint8Array {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(index), 4);
  return nonce;
}

function boundOf(index: number, last: boolean): Uint8Array {
  const bound = Buffer.alloc(9);
  bound.writeBigUInt64BE(BigInt(index));
  bound.writeUInt8(last ? 1 : 0, 8);
  return bound;
}

/** The ciphertext and its tag, to be written one after the other. */
export function sealChunk(
  key: Uint8Array,
  bytes: Uint8Array,
  index: number,
  last: boolean,
): readonly [Uint8Array, Uint8Array] {
  const cipher = createCipheriv(algorithm, key, nonceOf(index), { authTagLength: tagBytes });
  cipher.setAAD(boundOf(index, last));
  const sealed = cipher.update(bytes);
  // In this mode it gives only the tag.
  cipher.final();
  return [sealed, cipher.getAuthTag()];
}

/** The bytes, or null when they are not what was sealed at this place of this file. */
export function openChunk(
  key: Uint8Array,
  sealed: Uint8Array,
  index: number,
  last: boolean,
): Uint8Array | null {
  if (sealed.byteLength < tagBytes) return null;
  const end = sealed.byteLength - tagBytes;
  const decipher = createDecipheriv(algorithm, key, nonceOf(index), { authTagLength: tagBytes });
  decipher.setAAD(boundOf(index, last));
  decipher.setAuthTag(sealed.subarray(end));
  const opened = decipher.update(sealed.subarray(0, end));
  try {
    decipher.final();
    return opened;
  } catch {
    return null;
  }
}
