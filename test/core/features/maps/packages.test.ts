import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { mapPackageSchema } from '../../../../src-preload/contract/index.ts';
import { temporaryFolder } from '../../../adapters/support.ts';
import {
  mapFixture,
  pmtilesOf,
  pngOf,
  squareTile,
  writeMbtiles,
  type MadeMbtiles,
} from '../../../support/mapFiles.ts';
import { openLibrary, type OpenLibrary } from './openLibrary.ts';

let folder: string;
let open: OpenLibrary;
beforeEach(async () => {
  folder = await temporaryFolder();
  open = await openLibrary(folder);
});

async function mbtiles(made: MadeMbtiles): Promise<Buffer> {
  const path = join(folder, 'made.mbtiles');
  writeMbtiles(path, made);
  return readFile(path);
}
const red = pngOf('#cc2200');
const oneTile = [{ z: 0, x: 0, y: 0, data: red }];

async function expectRefused(bytes: Uint8Array, reason: RegExp): Promise<void> {
  expect(await open.give('file.bin', bytes)).toBe('refused');
  expect(open.reason()).toMatch(reason);
  expect(open.state().packages).toEqual([]);
  expect(await open.folder()).toEqual([]);
}

describe('the packages given with the task', () => {
  it('takes a raster PMTiles file', async () => {
    expect(await open.give('whitney.pmtiles', mapFixture('usgs-mt-whitney-8-15-webp-512.pmtiles'))).toBe(
      'kept',
    );
    expect(open.state().packages).toEqual([
      expect.objectContaining({
        name: 'whitney',
        attribution: 'Created by QGIS algorithm: Generate XYZ tiles (Directory)',
        format: 'pmtiles',
        kind: 'raster',
        tileType: 'webp',
        tileSize: 512,
        minZoom: 8,
        maxZoom: 15,
        bounds: [-118.31982, 36.56109, -118.26069, 36.59301],
        bytes: 1_964_599,
        scheme: 'raster',
        visible: true,
      }),
    ]);
  });

  it('takes a vector PMTiles file and unpacks its tiles', async () => {
    expect(await open.give('one.pmtiles', mapFixture('test_fixture_1.pmtiles'))).toBe('kept');
    const [entry] = open.state().packages;
    expect(entry).toMatchObject({ kind: 'vector', scheme: 'plain', minZoom: 0, maxZoom: 0 });
    expect(entry?.layers.map(({ id }) => id)).toEqual(['test_fixture_1pmtiles']);
    const tile = await open.library.tile(entry?.id ?? '', 0, 0, 0);
    expect(tile).toMatchObject({ kind: 'tile', type: 'mvt' });
    expect(tile.kind === 'tile' && tile.bytes[0]).toBe(0x1a);
  });

  it('takes a vector MBTiles file and counts its rows from the north', async () => {
    expect(await open.give('cities.mbtiles', mapFixture('world_cities.mbtiles'))).toBe('kept');
    const [entry] = open.state().packages;
    expect(entry).toMatchObject({
      name: 'Major cities from Natural Earth data',
      kind: 'vector',
      minZoom: 0,
      maxZoom: 6,
    });
    expect(await open.library.tile(entry?.id ?? '', 0, 0, 0)).toMatchObject({ kind: 'tile', type: 'mvt' });
    expect(await open.library.tile(entry?.id ?? '', 6, 0, 0)).toEqual({ kind: 'missing' });
  });

  it.each([
    ['geography-class-png.mbtiles', /zoom 0 is cut short/],
    ['invalid.pmtiles', /neither a PMTiles nor an MBTiles/],
    ['invalid_v4.pmtiles', /version 4/],
  ])('refuses %s', async (name, reason) => {
    await expectRefused(mapFixture(name), reason);
  });
});

describe('what a file is', () => {
  it('is recognised by its bytes and not by its name', async () => {
    expect(await open.give('cities.pmtiles', mapFixture('world_cities.mbtiles'))).toBe('kept');
    expect(open.state().packages[0]?.format).toBe('mbtiles');
  });

  it.each([
    ['nothing', Buffer.alloc(0), /is empty/],
    ['a web page', Buffer.from('\n<!DOCTYPE html><title>Sign in</title>'), /web page/],
    ['a ZIP archive', Buffer.from('PK\x03\x04rest'), /ZIP archive/],
    ['a packed file', gzipSync('x'), /gzip/],
    ['zeros', Buffer.alloc(4_096), /neither a PMTiles nor an MBTiles/],
    ['version 2', Buffer.from('PM\x02\0whatever follows here'), /version 2/],
  ])('names %s', async (_name, bytes, reason) => {
    await expectRefused(bytes, reason);
  });
});

describe('PMTiles', () => {
  it.each([0, 6, 7, 8, 60, 126, 127, 200])('refuses one that ends after %i bytes', async (length) => {
    await expectRefused(mapFixture('usgs-mt-whitney-8-15-webp-512.pmtiles').subarray(0, length), /./);
  });

  it('refuses one that ends a byte early', async () => {
    const bytes = mapFixture('usgs-mt-whitney-8-15-webp-512.pmtiles');
    await expectRefused(bytes.subarray(0, -1), /cut short/);
  });

  it.each([
    ['zstd directories', { internalCompression: 4 }, /zstd/],
    ['directories packed in an unknown way', { internalCompression: 0 }, /does not name/],
    ['MLT tiles', { tileType: 6 }, /MLT/],
    ['tiles of no type', { tileType: 0 }, /does not name its tile type/],
    ['zooms upside down', { minZoom: 9, maxZoom: 3 }, /zoom levels/],
    ['a zoom beyond all', { maxZoom: 30 }, /zoom levels/],
    ['an extent beyond the Earth', { bounds: [-200, -10, 10, 10] as const }, /outside the Earth/],
    ['metadata that is no JSON', { metadata: '{' }, /metadata/],
  ])('refuses %s', async (_name, change, reason) => {
    await expectRefused(pmtilesOf({ tileType: 2, tiles: oneTile, ...change }), reason);
  });

  it('refuses tiles that are not what the header says', async () => {
    const text = Buffer.from('<html>');
    await expectRefused(
      pmtilesOf({ tileType: 2, tiles: [{ z: 0, x: 0, y: 0, data: text }] }),
      /not an image/,
    );
    await expectRefused(pmtilesOf({ tileType: 1, tiles: oneTile }), /vector tile/);
    const wide = pngOf('#000000', 32);
    await expectRefused(pmtilesOf({ tileType: 2, tiles: [{ z: 0, x: 0, y: 0, data: wide }] }), /32 by 32/);
  });

  it('refuses directories that would unpack into gigabytes', async () => {
    const bytes = pmtilesOf({ tileType: 2, tiles: oneTile });
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    const header = Buffer.from(bytes.subarray(0, 127));
    header.writeBigUInt64LE(BigInt(bytes.byteLength), 8);
    header.writeBigUInt64LE(BigInt(bomb.byteLength), 16);
    await expectRefused(Buffer.concat([header, bytes.subarray(127), bomb]), /too large for the console/);
  });

  it('refuses a directory that announces more entries than it has', async () => {
    const bytes = pmtilesOf({ tileType: 2, tiles: oneTile, internalCompression: 1 });
    bytes.set([0xff, 0xff, 0xff, 0x7f], 127);
    await expectRefused(bytes, /damaged/);
  });

  it.each([
    ['2^53', [...Array<number>(7).fill(0xff), 0x0f]],
    ['2^63', [...Array<number>(9).fill(0x80), 0x01]],
  ])('refuses a directory with the id %s, which is no tile', async (_id, varint) => {
    const bytes = pmtilesOf({ tileType: 2, tiles: oneTile, internalCompression: 1 });
    const directory = Buffer.from([1, ...varint, 1, 1, 1]);
    const header = Buffer.from(bytes.subarray(0, 127));
    header.writeBigUInt64LE(BigInt(bytes.byteLength), 8);
    header.writeBigUInt64LE(BigInt(directory.byteLength), 16);
    await expectRefused(Buffer.concat([header, bytes.subarray(127), directory]), /damaged/);
  });

  it('finds tiles behind a leaf directory', async () => {
    const tiles = [0, 1].flatMap((x) => [0, 1].map((y) => ({ z: 1, x, y, data: red })));
    expect(await open.give('leaf.pmtiles', pmtilesOf({ tileType: 2, tiles, leaf: true }))).toBe('kept');
    const id = open.state().packages[0]?.id ?? '';
    expect(await open.library.tile(id, 1, 1, 0)).toMatchObject({ kind: 'tile', type: 'png' });
    expect(await open.library.tile(id, 0, 0, 0)).toEqual({ kind: 'empty' });
  });

  it('takes the world for an extent that was left empty', async () => {
    await open.give('a.pmtiles', pmtilesOf({ tileType: 2, tiles: oneTile, bounds: [0, 0, 0, 0] }));
    expect(open.state().packages[0]?.bounds).toEqual([-180, -85.051129, 180, 85.051129]);
  });
});

describe('MBTiles', () => {
  it('draws the extent from the tiles when the metadata names none', async () => {
    await open.give('a.mbtiles', await mbtiles({ tiles: [{ z: 1, x: 1, y: 0, data: red }] }));
    const [west, south, east, north] = open.state().packages[0]?.bounds ?? [];
    expect([west, east]).toEqual([0, 180]);
    expect(south).toBeCloseTo(0);
    expect(north).toBeCloseTo(85.0511, 3);
  });

  it('finds each tile where it lies', async () => {
    const tiles = [
      { z: 1, x: 0, y: 0, data: pngOf('#110000') },
      { z: 1, x: 0, y: 1, data: pngOf('#220000') },
    ];
    await open.give('a.mbtiles', await mbtiles({ tiles }));
    const id = open.state().packages[0]?.id ?? '';
    for (const { z, x, y, data } of tiles) {
      const answer = await open.library.tile(id, z, x, y);
      expect(answer.kind === 'tile' && Buffer.from(answer.bytes).equals(data)).toBe(true);
    }
  });

  it.each<[string, MadeMbtiles, RegExp]>([
    ['a database without tables', { schema: ['CREATE TABLE other (x)'] }, /no metadata table/],
    ['one without tiles', {}, /holds no tiles/],
    [
      'one without a tiles table',
      { schema: ['CREATE TABLE metadata (name text, value text)'] },
      /holds no tiles/,
    ],
    ['tiles that are text', { tiles: [{ z: 0, x: 0, y: 0, data: 'text' }] }, /no layers|vector tile/],
    ['tiles that are nothing', { tiles: [{ z: 0, x: 0, y: 0, data: null }] }, /no layers|vector tile/],
    [
      'images that are none',
      { metadata: { format: 'png' }, tiles: [{ z: 0, x: 0, y: 0, data: Buffer.from('no') }] },
      /not of the announced type/,
    ],
    ['a tile of 9 MB', { tiles: [{ z: 0, x: 0, y: 0, data: Buffer.alloc(9 * 1024 * 1024) }] }, /too large/],
    ['a tile of 20 MB', { tiles: [{ z: 0, x: 0, y: 0, data: Buffer.alloc(20 * 1024 * 1024) }] }, /damaged/],
    ['a zoom beyond all', { tiles: [{ z: 40, x: 0, y: 0, data: red }] }, /zoom levels/],
    ['an extent of elsewhere', { metadata: { bounds: '0,0,400,10' }, tiles: oneTile }, /outside the Earth/],
  ])('refuses %s', async (_name, made, reason) => {
    await expectRefused(await mbtiles(made), reason);
  });

  it('refuses a database that was cut', async () => {
    const whole = mapFixture('world_cities.mbtiles');
    await expectRefused(whole.subarray(0, 5_000), /damaged|holds no tiles|metadata/);
  });

  const metadataTable = 'CREATE TABLE metadata (name text, value text)';
  const placesOf = (table: string, rest: string): string =>
    `CREATE TABLE ${table} (zoom_level integer, tile_column integer, tile_row integer, ${rest})`;

  it.each([
    [
      'a view that calls itself for ever',
      `CREATE VIEW tiles AS WITH RECURSIVE n(x) AS (SELECT 0 UNION ALL SELECT x + 1 FROM n)
       SELECT x AS zoom_level, x AS tile_column, x AS tile_row, x AS tile_data FROM n`,
    ],
    [
      'a view that makes bytes out of nothing',
      `CREATE VIEW tiles AS SELECT 0 AS zoom_level, 0 AS tile_column, 0 AS tile_row, zeroblob(9999) AS tile_data`,
    ],
    [
      'a view that asks for an extension',
      `CREATE VIEW tiles AS SELECT 0 AS zoom_level, 0 AS tile_column, 0 AS tile_row,
       load_extension('/tmp/evil') AS tile_data`,
    ],
    ['computed tiles', placesOf('tiles', 'tile_data blob AS (zeroblob(99))')],
    [
      'a virtual table',
      'CREATE VIRTUAL TABLE tiles USING fts5(zoom_level, tile_column, tile_row, tile_data)',
    ],
  ])('refuses %s', async (_name, statement) => {
    const schema = [metadataTable, statement];
    await expectRefused(await mbtiles({ schema }), /made in a way that the console can’t read/);
  });

  it.each([
    ['map', 'images', 'tile_id', `'a'`],
    ['tiles_shallow', 'tiles_data', 'tile_data_id', '7'],
  ])('takes tiles from %s and %s behind a view, without running it', async (places, table, key, value) => {
    const schema = [
      metadataTable,
      `CREATE TABLE ${table} (${key}, tile_data blob)`,
      placesOf(places, key),
      `INSERT INTO ${table} VALUES (${value}, x'${red.toString('hex')}')`,
      `INSERT INTO ${places} VALUES (0, 0, 0, ${value})`,
      `CREATE TABLE ten AS SELECT value AS n FROM json_each('[0,1,2,3,4,5,6,7,8,9]')`,
      // Honest in its name only: run, it would join for years.
      `CREATE VIEW tiles AS SELECT a.n AS zoom_level, b.n AS tile_column, c.n AS tile_row, x'00' AS tile_data
       FROM ten a, ten b, ten c, ten d, ten e, ten f, ten g, ten h, ten i, ten j, ten k, ten l, ten m, ten n
       WHERE a.n + b.n + c.n + d.n + e.n + f.n + g.n + h.n + i.n + j.n + k.n + l.n + m.n + n.n > 500`,
    ];
    expect(await open.give('view.mbtiles', await mbtiles({ schema }))).toBe('kept');
    const [entry] = open.state().packages;
    expect(entry).toMatchObject({ kind: 'raster', tileType: 'png', tileSize: 256 });
    expect(await open.library.tile(entry?.id ?? '', 0, 0, 0)).toMatchObject({ kind: 'tile' });
  });

  it('refuses a large one whose tiles could only be found by reading all of it', async () => {
    const data = Buffer.concat([red, Buffer.alloc(1024 * 1024)]);
    const tiles = Array.from({ length: 40 }, (_, x) => ({ z: 6, x, y: 0, data }));
    const schema = [metadataTable, placesOf('tiles', 'tile_data blob')];
    await expectRefused(await mbtiles({ schema, tiles }), /made in a way that the console can’t read/);
  });

  it('writes nothing beside the file', async () => {
    await open.give('cities.mbtiles', mapFixture('world_cities.mbtiles'));
    const id = open.state().packages[0]?.id ?? '';
    await open.library.tile(id, 0, 0, 0);
    expect(await open.folder()).toEqual([`${id}.map`]);
  });
});

describe('what a package says of itself', () => {
  it('is text, whatever markup it holds', async () => {
    const metadata = {
      name: '<b>Bold</b>\u0007\u202e evil',
      attribution:
        '<style>x{}</style><script>alert(1)</script><a href="javascript:alert(2)" onclick="x">&copy; Some &amp; Co</a><br>&#x3c;i&#62;',
    };
    await open.give('a.mbtiles', await mbtiles({ metadata, tiles: oneTile }));
    expect(open.state().packages[0]).toMatchObject({
      name: '<b>Bold</b> evil',
      attribution: '© Some & Co <i>',
    });
  });

  it('is capped, and holds to the contract', async () => {
    const metadata = { name: 'n'.repeat(100_000), attribution: '<a>'.repeat(50_000) + 'x'.repeat(100_000) };
    await open.give('a.mbtiles', await mbtiles({ metadata, tiles: oneTile }));
    const [entry] = open.state().packages;
    expect(entry?.name.length).toBeLessThanOrEqual(120);
    expect(mapPackageSchema.safeParse(entry).success).toBe(true);
  });

  it.each([
    [['transportation', 'water', 'place', 'building'], 'openmaptiles'],
    [['earth', 'roads', 'water', 'places'], 'protomaps'],
    [['buildings', 'trees'], 'plain'],
    [['anything'], 'plain'],
  ])('has layers %j, which is %s', async (layers, scheme) => {
    const data = squareTile(layers);
    await open.give('a.pmtiles', pmtilesOf({ tileType: 1, tiles: [{ z: 0, x: 0, y: 0, data }] }));
    expect(open.state().packages[0]).toMatchObject({ scheme });
    expect(open.state().packages[0]?.layers.map(({ id }) => id)).toEqual(layers);
  });
});
