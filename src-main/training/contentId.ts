import { CID } from 'multiformats/cid';
import * as raw from 'multiformats/codecs/raw';
import { create } from 'multiformats/hashes/digest';
import { createHash } from 'node:crypto';

const chunkBytes = 262_144;
const sha256Code = 0x12;

/** The CID of bytes that fill no second chunk, under the profile `v1-raw-256k`: the leaf is the root. */
export function contentIdOfSmall(bytes: Uint8Array): string {
  if (bytes.byteLength > chunkBytes) throw new RangeError('More than one chunk');
  const digest = createHash('sha256').update(bytes).digest();
  return CID.createV1(raw.code, create(sha256Code, digest)).toString();
}
