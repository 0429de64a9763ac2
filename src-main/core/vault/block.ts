// Imported as a whole: without zstd in the runtime this file must still load, and the vault must not count as
// unreadable.
import * as zlib from 'node:zlib';
import { separator } from './entry.ts';
import { sealRecord, unsealRecord, type Place } from './seal.ts';

/**
 * Incidents are sealed in blocks and not one by one: a hundred thousand seals take half a second, five hundred a
 * fiftieth of that, and a block can be compressed to a third of its size. Damage loses a whole block, so blocks stay
 * small.
 */
export interface Block {
  readonly ids: readonly string[];
  /** Their entries, in the same order, separated by `separator`. */
  readonly entries: Uint8Array;
}

/** The size of one answer of the service. */
export const blockEntries = 200;
/** The largest block, since incidents may be large. */
export const blockBytes = 512 * 1024;

/** Most blocks unpack to fewer bytes, and so into one buffer instead of several to join. */
const chunkSize = 64 * 1024;
const compression = { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } };

export const blockPlace = (identity: string, number: number): Place => ({
  identity,
  table: 'blocks',
  row: String(number),
});

export function sealBlock(key: Uint8Array, block: Block, place: Place): Uint8Array {
  const ids = Buffer.from(JSON.stringify(block.ids));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(ids.byteLength);
  return sealRecord(
    key,
    zlib.zstdCompressSync(Buffer.concat([length, ids, block.entries]), compression),
    place,
  );
}

/** The block, or null when its seal is broken. */
export function unsealBlock(key: Uint8Array, sealed: Uint8Array, place: Place): Block | null {
  const packed = unsealRecord(key, sealed, place);
  if (!packed) return null;
  const bytes = zlib.zstdDecompressSync(packed, { chunkSize });
  const end = 4 + bytes.readUInt32LE(0);
  return {
    ids: JSON.parse(bytes.toString('utf8', 4, end)) as string[],
    entries: bytes.subarray(end),
  };
}

/** The entries as texts, by id. */
export function entriesOf({ ids, entries }: Block): Map<string, string> {
  if (ids.length === 0) return new Map();
  const texts = Buffer.from(entries.buffer, entries.byteOffset, entries.byteLength)
    .toString('utf8')
    .split(separator);
  return new Map(ids.map((id, index) => [id, texts[index] ?? 'null']));
}

export const blockOf = (entries: ReadonlyMap<string, string>): Block => ({
  ids: [...entries.keys()],
  entries: Buffer.from([...entries.values()].join(separator)),
});
