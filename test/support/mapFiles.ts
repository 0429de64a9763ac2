import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { crc32, deflateSync, gzipSync } from 'node:zlib';
import { zxyToTileId } from 'pmtiles';

/** A file of test/fixtures/maps. */
export const mapFixture = (name: string): Buffer =>
  readFileSync(new URL(`../fixtures/maps/${name}`, import.meta.url));

/** A PNG of one colour (`#rrggbb`). */
export function pngOf(colour: string, edge = 256): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const whole = Buffer.alloc(body.byteLength + 8);
    whole.writeUInt32BE(data.byteLength, 0);
    body.copy(whole, 4);
    whole.writeUInt32BE(crc32(body), body.byteLength + 4);
    return whole;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(edge, 0);
  header.writeUInt32BE(edge, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const pixel = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const row = Buffer.from([0, ...Array.from({ length: edge }, () => pixel).flat()]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: edge }, () => row)));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const varint = (value: number): number[] => {
  const bytes: number[] = [];
  let rest = value;
  do {
    bytes.push((rest % 128) | (rest >= 128 ? 128 : 0));
    rest = Math.floor(rest / 128);
  } while (rest > 0);
  return bytes;
};
const field = (number: number, wire: number, ...content: number[]): number[] => [
  ...varint(number * 8 + wire),
  ...content,
];
const bytesField = (number: number, content: readonly number[]): number[] =>
  field(number, 2, ...varint(content.length), ...content);

/** A vector tile whose layers each hold one square over its whole area. */
export function squareTile(layers: readonly string[], properties: Record<string, string> = {}): Buffer {
  const zigzag = (value: number): number[] => varint(value >= 0 ? value * 2 : -value * 2 - 1);
  const square = [
    ...[...varint(9), ...zigzag(0), ...zigzag(0)],
    ...[...varint(26), ...zigzag(4096), ...zigzag(0), ...zigzag(0), ...zigzag(4096)],
    ...[...zigzag(-4096), ...zigzag(0), ...varint(15)],
  ];
  const entries = Object.entries(properties);
  const tags = entries.flatMap((_, at) => [...varint(at), ...varint(at)]);
  const layer = (name: string): number[] => [
    ...bytesField(1, [...Buffer.from(name)]),
    ...bytesField(2, [...bytesField(2, tags), ...field(3, 0, 3), ...bytesField(4, square)]),
    ...entries.flatMap(([key]) => bytesField(3, [...Buffer.from(key)])),
    ...entries.flatMap(([, value]) => bytesField(4, bytesField(1, [...Buffer.from(value)]))),
    ...field(5, 0, ...varint(4096)),
    ...field(15, 0, 2),
  ];
  return Buffer.from(layers.flatMap((name) => bytesField(3, layer(name))));
}

export interface MadePmtiles {
  readonly tiles: readonly {
    readonly z: number;
    readonly x: number;
    readonly y: number;
    readonly data: Buffer;
  }[];
  /** 1 vector, 2 PNG, 3 JPEG, 4 WebP, 5 AVIF, 6 MLT. */
  readonly tileType: number;
  readonly metadata?: unknown;
  readonly minZoom?: number;
  readonly maxZoom?: number;
  readonly bounds?: readonly [number, number, number, number];
  readonly internalCompression?: number;
  readonly tileCompression?: number;
  /** Puts all entries into one leaf directory behind the root. */
  readonly leaf?: boolean;
}

/** A PMTiles archive of version 3 with these tiles. */
export function pmtilesOf(options: MadePmtiles): Buffer {
  const { tileType, metadata = {}, bounds = [-180, -85, 180, 85], leaf = false } = options;
  const internal = options.internalCompression ?? 2;
  const pack = (bytes: Buffer): Buffer => (internal === 2 ? gzipSync(bytes) : bytes);
  const tiles = options.tiles
    .map((tile) => ({ ...tile, id: zxyToTileId(tile.z, tile.x, tile.y) }))
    .sort((a, b) => a.id - b.id);
  const directory = (entries: { id: number; run: number; length: number; offset: number }[]): Buffer =>
    pack(
      Buffer.from([
        ...varint(entries.length),
        ...entries.flatMap(({ id }, at) => varint(id - (entries[at - 1]?.id ?? 0))),
        ...entries.flatMap(({ run }) => varint(run)),
        ...entries.flatMap(({ length }) => varint(length)),
        ...entries.flatMap(({ offset }) => varint(offset + 1)),
      ]),
    );
  let offset = 0;
  const entries = tiles.map(({ id, data }) => {
    const entry = { id, run: 1, length: data.byteLength, offset };
    offset += data.byteLength;
    return entry;
  });
  const leaves = leaf ? directory(entries) : Buffer.alloc(0);
  const root = leaf
    ? directory([{ id: entries[0]?.id ?? 0, run: 0, length: leaves.byteLength, offset: 0 }])
    : directory(entries);
  const told = pack(Buffer.from(typeof metadata === 'string' ? metadata : JSON.stringify(metadata)));
  const header = Buffer.alloc(127);
  header.write('PMTiles', 'latin1');
  header[7] = 3;
  let at = 127;
  for (const [place, length] of [
    [8, root.byteLength],
    [24, told.byteLength],
    [40, leaves.byteLength],
    [56, offset],
  ] as const) {
    header.writeBigUInt64LE(BigInt(at), place);
    header.writeBigUInt64LE(BigInt(length), place + 8);
    at += length;
  }
  for (const place of [72, 80, 88]) header.writeBigUInt64LE(BigInt(tiles.length), place);
  const zooms = tiles.map(({ z }) => z);
  header.set(
    [1, internal, options.tileCompression ?? 1, tileType, options.minZoom ?? Math.min(...zooms)],
    96,
  );
  header[101] = options.maxZoom ?? Math.max(...zooms);
  for (const [index, degrees] of bounds.entries()) {
    header.writeInt32LE(Math.round(degrees * 1e7), 102 + 4 * index);
  }
  return Buffer.concat([header, root, told, leaves, ...tiles.map(({ data }) => data)]);
}

export interface MadeMbtiles {
  readonly metadata?: Readonly<Record<string, string>>;
  /** `y` counted from the north, as maps do; the file counts from the south. */
  readonly tiles?: readonly {
    readonly z: number;
    readonly x: number;
    readonly y: number;
    readonly data: Uint8Array | string | null;
  }[];
  /** Statements instead of the usual tables. */
  readonly schema?: readonly string[];
}

/** Writes an MBTiles file to `path`. */
export function writeMbtiles(path: string, { metadata = {}, tiles = [], schema }: MadeMbtiles): void {
  const database = new DatabaseSync(path);
  try {
    const usual = [
      'CREATE TABLE metadata (name text, value text)',
      'CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob)',
      'CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row)',
    ];
    // No power cut is to be outlived: to wait for the disk at each statement is most of what they cost.
    database.exec('PRAGMA synchronous = OFF');
    for (const statement of schema ?? usual) database.exec(statement);
    for (const [name, value] of Object.entries(metadata)) {
      database.prepare('INSERT INTO metadata VALUES (?, ?)').run(name, value);
    }
    for (const { z, x, y, data } of tiles) {
      database.prepare('INSERT INTO tiles VALUES (?, ?, ?, ?)').run(z, x, 2 ** z - 1 - y, data);
    }
  } finally {
    database.close();
  }
}

/**
 * An MBTiles file of 64 KiB whose table of tiles has 100^12 rows: twelve pages, each with a hundred ways to the next.
 * SQLite limits the depth of a tree, and does not see that two of its ways lead to one page. With fewer levels a search
 * ends.
 */
export function endlessMbtiles({ levels = 12, ways = 100 } = {}): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'field-console-endless-'));
  const path = join(folder, 'endless.mbtiles');
  writeMbtiles(path, {
    metadata: { name: 'endless' },
    schema: [
      'PRAGMA page_size = 4096',
      'CREATE TABLE metadata (name text, value text)',
      'CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob)',
    ],
  });
  const plain = readFileSync(path);
  rmSync(folder, { recursive: true });
  const page = 4096;
  const root = 3;
  const bytes = Buffer.alloc((root + levels) * page);
  plain.copy(bytes);
  bytes.writeUInt32BE(root + levels, 28);
  // A leaf with one row of four nulls.
  const row = [5, 1, 5, 0, 0, 0, 0];
  const writePage = (number: number, cells: readonly (readonly number[])[], right: number | null): void => {
    const start = (number - 1) * page;
    bytes.fill(0, start, start + page);
    bytes[start] = right === null ? 0x0d : 0x05;
    bytes.writeUInt16BE(cells.length, start + 3);
    let at = page;
    let pointer = start + 8;
    if (right !== null) pointer = bytes.writeUInt32BE(right, start + 8);
    for (const cell of cells) {
      at -= cell.length;
      bytes.set(cell, start + at);
      pointer = bytes.writeUInt16BE(at, pointer);
    }
    bytes.writeUInt16BE(at, start + 5);
  };
  for (let level = 0; level < levels; level += 1) {
    const next = root + level + 1;
    const cells = Array.from({ length: ways }, (_, key) => [0, 0, 0, next, key % 100]);
    writePage(root + level, cells, next);
  }
  writePage(root + levels, [row], null);
  return bytes;
}
