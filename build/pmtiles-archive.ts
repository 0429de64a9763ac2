import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { zxyToTileId } from 'pmtiles';

const headerBytes = 127;
/** The root directory has to lie in the first 16 KB: entries beyond so many go into leaves. */
const entriesPerLeaf = 4_096;
const compressions = { gzip: 2 };
const vectorTiles = 1;

interface Zooms {
  readonly minZoom: number;
  readonly maxZoom: number;
}
export interface Tile {
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
  readonly data: Uint8Array;
}
interface Content extends Zooms {
  readonly tiles: readonly Tile[];
  readonly metadata: object;
}
interface Head extends Zooms {
  readonly sections: readonly Buffer[];
  readonly counts: readonly number[];
}
/** Where a part of a section lies, in bytes. */
interface Stretch {
  readonly offset: number;
  readonly length: number;
}
/** Of a directory: `run` tiles from `id` on that are alike, or with 0 a leaf. */
interface Entry extends Stretch {
  readonly id: number;
  run: number;
}

/**
 * A PMTiles archive of version 3 (github.com/protomaps/PMTiles, spec/v3) of vector tiles of the whole world, gzipped.
 * Tiles of the same content are stored once.
 */
export function pmtilesArchive({ tiles, minZoom, maxZoom, metadata }: Content): Buffer {
  const known = new Map<string, Stretch>();
  const parts: Buffer[] = [];
  let length = 0;
  const entries = tiles
    .map(({ zoom, x, y, data }) => ({ id: zxyToTileId(zoom, x, y), data }))
    .sort((a, b) => a.id - b.id)
    .map(({ id, data }) => {
      const key = createHash('sha256').update(data).digest('hex');
      const earlier = known.get(key);
      if (earlier !== undefined) return { id, run: 1, ...earlier };
      const bytes = gzipSync(data, { level: 9 });
      const stretch = { offset: length, length: bytes.byteLength };
      known.set(key, stretch);
      parts.push(bytes);
      length += bytes.byteLength;
      return { id, run: 1, ...stretch };
    })
    .reduce(joinRuns, []);
  const leaves: Buffer[] = [];
  const root: Entry[] = [];
  let leavesLength = 0;
  for (let at = 0; at < entries.length; at += entriesPerLeaf) {
    const held = entries.slice(at, at + entriesPerLeaf);
    const leaf = directory(held);
    root.push({ id: held[0]?.id ?? 0, run: 0, offset: leavesLength, length: leaf.byteLength });
    leaves.push(leaf);
    leavesLength += leaf.byteLength;
  }
  const sections = [
    directory(root),
    gzipSync(JSON.stringify(metadata)),
    Buffer.concat(leaves),
    Buffer.concat(parts),
  ];
  const counts = [tiles.length, entries.length, known.size];
  return Buffer.concat([header({ sections, counts, minZoom, maxZoom }), ...sections]);
}

/** Neighbours in the order of the archive that are alike are one entry. */
function joinRuns(runs: Entry[], entry: Entry): Entry[] {
  const last = runs.at(-1);
  if (last && last.offset === entry.offset && last.id + last.run === entry.id) last.run += 1;
  else runs.push(entry);
  return runs;
}

function header({ sections, counts, minZoom, maxZoom }: Head): Buffer {
  const bytes = Buffer.alloc(headerBytes);
  bytes.write('PMTiles', 'latin1');
  bytes.writeUInt8(3, 7);
  let offset = headerBytes;
  sections.forEach(({ byteLength }, at) => {
    bytes.writeBigUInt64LE(BigInt(offset), 8 + 16 * at);
    bytes.writeBigUInt64LE(BigInt(byteLength), 16 + 16 * at);
    offset += byteLength;
  });
  counts.forEach((count, at) => bytes.writeBigUInt64LE(BigInt(count), 72 + 8 * at));
  // 96: tiles lie in the order of their ids; then how directories and tiles are packed, and what tiles are.
  bytes.set([1, compressions.gzip, compressions.gzip, vectorTiles, minZoom, maxZoom], 96);
  [-180, -85.0511287, 180, 85.0511287].forEach((degrees, at) =>
    bytes.writeInt32LE(Math.round(degrees * 1e7), 102 + 4 * at),
  );
  bytes.writeUInt8(minZoom, 118);
  return bytes;
}

function directory(entries: readonly Entry[]): Buffer {
  const numbers = [
    entries.length,
    ...entries.map(({ id }, at) => id - (entries[at - 1]?.id ?? 0)),
    ...entries.map(({ run }) => run),
    ...entries.map(({ length }) => length),
    // 0 where it follows the one before.
    ...entries.map(({ offset }, at) => {
      const before = entries[at - 1];
      return before && before.offset + before.length === offset ? 0 : offset + 1;
    }),
  ];
  return gzipSync(Buffer.from(numbers.flatMap(varint)), { level: 9 });
}

function varint(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return [...bytes, rest];
}
