import {
  bytesToHeader,
  Compression,
  findTile,
  readVarint,
  tileIdToZxy,
  TileType,
  zxyToTileId,
  type Header,
} from 'pmtiles';
import { message } from '../../base/messages/message.ts';
import type { MapFile } from '../../base/ports.ts';
import { deepestTileZoom, largestMetadata, largestTile } from './limits.ts';
import { MapRefusal } from './refusal.ts';
import { unpack, type Packing } from './unpack.ts';

type Entry = NonNullable<ReturnType<typeof findTile>>;

const headerBytes = 127;
/** The largest directory, packed and unpacked; real ones are far smaller. */
const largestDirectory = 1024 * 1024;
const largestUnpackedDirectory = 4 * 1024 * 1024;
/** The most entries in memory for all directories of a package, about 60 bytes each. */
const mostEntriesKept = 1_000_000;
/** PMTiles 3 has a root and leaves; writers make at most one more level. */
const deepestDirectory = 3;

/** Of the 27 zooms that ids can name. */
const tilesInAll = (4 ** 27 - 1) / 3;

const damaged = (): MapRefusal => new MapRefusal(message('map.partOutside'));

/** The version of a PMTiles archive, from its first bytes; null for any other file. */
export function pmtilesVersion(start: Uint8Array): number | null {
  const magic = String.fromCharCode(...start.subarray(0, 7));
  if (magic === 'PMTiles') return start[7] ?? 0;
  // Versions 1 and 2 had a magic of two bytes, followed by the version.
  return magic.startsWith('PM') && (start[2] === 1 || start[2] === 2) && start[3] === 0 ? start[2] : null;
}

function packingOf(compression: Compression, what: 'directories' | 'tiles'): Packing {
  switch (compression) {
    case Compression.None:
      return 'none';
    case Compression.Gzip:
      return 'gzip';
    case Compression.Brotli:
      return 'brotli';
    case Compression.Unknown:
      throw new MapRefusal(message(`map.packingUnsaid.${what}`));
    case Compression.Zstd:
    // The header may have any number.
    default:
      throw new MapRefusal(message(`map.packingUnread.${what}`));
  }
}

/**
 * A PMTiles archive of version 3, read at positions (specification: github.com/protomaps/PMTiles, spec/v3). Its
 * offsets, lengths and counts are not trusted: each is checked against the file and against a limit before any read or
 * allocation.
 *
 * Rejects with MapRefusal when the file contradicts itself.
 */
export class PmtilesArchive {
  readonly header: Header;
  readonly #file: MapFile;
  readonly #packing: Packing;
  readonly #tilePacking: Packing;
  readonly #directories = new Map<number, Promise<Entry[]>>();
  #kept = 0;

  private constructor(file: MapFile, header: Header) {
    this.#file = file;
    this.header = header;
    this.#packing = packingOf(header.internalCompression, 'directories');
    this.#tilePacking =
      header.tileType === TileType.Mvt && header.tileCompression !== Compression.Unknown
        ? packingOf(header.tileCompression, 'tiles')
        : 'none';
  }

  static async open(file: MapFile): Promise<PmtilesArchive> {
    const start = await file.read(0, headerBytes);
    const version = pmtilesVersion(start);
    if (version === null) throw new MapRefusal(message('map.noPmtiles'));
    if (version !== 3) {
      throw new MapRefusal(message('map.version', { version: String(version) }));
    }
    if (start.byteLength < headerBytes) throw new MapRefusal(message('map.cutShort'));
    const header = bytesToHeader(Uint8Array.from(start).buffer);
    const sections = [
      [header.rootDirectoryOffset, header.rootDirectoryLength],
      [header.jsonMetadataOffset, header.jsonMetadataLength],
      [header.leafDirectoryOffset, header.leafDirectoryLength ?? 0],
      [header.tileDataOffset, header.tileDataLength ?? 0],
    ] as const;
    for (const [offset, length] of sections) {
      if (offset + length > file.bytes) {
        throw new MapRefusal(message('map.endsEarly'));
      }
    }
    if (header.maxZoom < header.minZoom || header.maxZoom > deepestTileZoom) {
      throw new MapRefusal(message('map.zooms', { format: 'PMTiles' }));
    }
    return new PmtilesArchive(file, header);
  }

  /** The metadata as written, which may be any JSON value. */
  async metadata(): Promise<unknown> {
    const { jsonMetadataOffset, jsonMetadataLength } = this.header;
    if (jsonMetadataLength === 0) return {};
    if (jsonMetadataLength > largestMetadata) {
      throw new MapRefusal(message('map.metadataTooLarge'));
    }
    const bytes = await this.#read(jsonMetadataOffset, jsonMetadataLength);
    const text = new TextDecoder().decode(await unpack(bytes, this.#packing, largestMetadata));
    try {
      return JSON.parse(text) as unknown;
    } catch (error) {
      throw new MapRefusal(message('map.metadataUnread'), { cause: error });
    }
  }

  /** The tile, unpacked; null when the archive has none there. */
  async tile(z: number, x: number, y: number): Promise<Uint8Array | null> {
    const { header } = this;
    if (z < header.minZoom || z > header.maxZoom) return null;
    const id = zxyToTileId(z, x, y);
    let offset = header.rootDirectoryOffset;
    let length = header.rootDirectoryLength;
    for (let depth = 0; depth <= deepestDirectory; depth += 1) {
      const entry = findTile(await this.#directory(offset, length), id);
      if (!entry) return null;
      if (entry.runLength > 0) return this.#tileOf(entry);
      offset = header.leafDirectoryOffset + entry.offset;
      length = entry.length;
    }
    throw new MapRefusal(message('map.circle'));
  }

  /** At most `most` tiles, spread over the directories. */
  async sample(most: number): Promise<{ readonly z: number; readonly data: Uint8Array }[]> {
    const { header } = this;
    let entries = await this.#directory(header.rootDirectoryOffset, header.rootDirectoryLength);
    for (let depth = 0; depth < deepestDirectory && entries[0]?.runLength === 0; depth += 1) {
      const last = entries.at(-1);
      const leaves = [entries[0], ...(last && last !== entries[0] ? [last] : [])];
      const found: Entry[] = [];
      for (const leaf of leaves) {
        found.push(...(await this.#directory(header.leafDirectoryOffset + leaf.offset, leaf.length)));
      }
      entries = found;
    }
    const tiles = entries.filter(({ runLength }) => runLength > 0);
    const step = Math.max(1, (tiles.length - 1) / Math.max(1, most - 1));
    const chosen = new Set<Entry>();
    for (let at = 0; at < tiles.length && chosen.size < most; at += step) {
      const entry = tiles[Math.round(at)];
      if (entry) chosen.add(entry);
    }
    const samples = [];
    for (const entry of chosen) {
      const [z] = tileIdToZxy(entry.tileId);
      if (z >= header.minZoom && z <= header.maxZoom) samples.push({ z, data: await this.#tileOf(entry) });
    }
    return samples;
  }

  #tileOf(entry: Entry): Promise<Uint8Array> {
    if (entry.length > largestTile) throw new MapRefusal(message('map.tileTooLarge'));
    return this.#read(this.header.tileDataOffset + entry.offset, entry.length).then((bytes) =>
      unpack(bytes, this.#tilePacking, largestTile),
    );
  }

  #directory(offset: number, length: number): Promise<Entry[]> {
    const kept = this.#directories.get(offset);
    if (kept) return kept;
    const reading = this.#readDirectory(offset, length);
    this.#directories.set(offset, reading);
    reading.then(
      (entries) => {
        this.#kept += entries.length;
        if (this.#kept <= mostEntriesKept) return;
        this.#directories.clear();
        this.#kept = 0;
      },
      () => this.#directories.delete(offset),
    );
    return reading;
  }

  async #readDirectory(offset: number, length: number): Promise<Entry[]> {
    if (length > largestDirectory) {
      throw new MapRefusal(message('map.directoryTooLarge'));
    }
    const packed = await this.#read(offset, length);
    const bytes = await unpack(packed, this.#packing, largestUnpackedDirectory);
    const reader = { buf: bytes, pos: 0 };
    try {
      return readEntries(() => readVarint(reader), bytes.byteLength);
    } catch (error) {
      throw new MapRefusal(message('map.directoryUnread'), { cause: error });
    }
  }

  async #read(offset: number, length: number): Promise<Uint8Array> {
    if (!Number.isSafeInteger(offset + length) || offset + length > this.#file.bytes) throw damaged();
    const bytes = await this.#file.read(offset, length);
    if (bytes.byteLength < length) throw damaged();
    return bytes;
  }
}

/** Columns of varints: differences of ids, run lengths, lengths, offsets plus one (specification: 4.2). */
function readEntries(next: () => number, bytes: number): Entry[] {
  const count = next();
  // Each entry takes at least four bytes: a larger count is false and would cost memory.
  if (count === 0 || count > bytes / 4) throw new RangeError('entries');
  const entries: Entry[] = [];
  let id = 0;
  for (let at = 0; at < count; at += 1) {
    id += next();
    if (id >= tilesInAll) throw new RangeError('id');
    entries.push({ tileId: id, offset: 0, length: 0, runLength: 1 });
  }
  for (const entry of entries) entry.runLength = next();
  for (const entry of entries) entry.length = next();
  let end = 0;
  for (const [at, entry] of entries.entries()) {
    const value = next();
    entry.offset = value === 0 && at > 0 ? end : value - 1;
    end = entry.offset + entry.length;
    if (entry.offset < 0 || !Number.isSafeInteger(end) || entry.length === 0) throw new RangeError('entry');
  }
  return entries;
}
