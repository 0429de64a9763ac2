import { TileType } from 'pmtiles';
import { isObject, ownValue, parsedJson } from '../../base/json.ts';
import { message, type Message } from '../../base/messages/message.ts';
import type { MapFile, TileDatabase } from '../../base/ports.ts';
import {
  rasterFacts,
  readBounds,
  vectorFacts,
  wholeWorld,
  wordsOf,
  type Bounds,
  type MapFacts,
  type SampledTile,
} from './facts.ts';
import { readImage } from './image.ts';
import { deepestTileZoom, largestTile } from './limits.ts';
import { PmtilesArchive } from './pmtiles.ts';
import { MapRefusal } from './refusal.ts';
import { isGzip, unpack } from './unpack.ts';

/** How many tiles are decoded to check that a package can be drawn. */
const sampledTiles = 12;

/** The format of a file, from its first bytes and never from its name. */
export function formatOf(start: Uint8Array): 'pmtiles' | 'mbtiles' | null {
  const text = String.fromCharCode(...start.subarray(0, 16));
  if (text === 'SQLite format 3\0') return 'mbtiles';
  return text.startsWith('PM') ? 'pmtiles' : null;
}

/** What else a file may be, so that the operator sees which one was chosen by mistake. */
export function whatItIs(start: Uint8Array): Message {
  if (start.byteLength === 0) return message('map.empty');
  const text = String.fromCharCode(...start.subarray(0, 64)).trimStart();
  if (/^<(!doctype|html|\?xml|head|body)/i.test(text)) {
    return message('map.webPage');
  }
  if (text.startsWith('PK\x03\x04')) return message('map.zip');
  if (isGzip(start)) return message('map.gzip');
  return message('map.neither');
}

/** @throws MapRefusal */
export async function inspectPmtiles(file: MapFile, fileName: string): Promise<MapFacts> {
  const archive = await PmtilesArchive.open(file);
  const { header } = archive;
  const metadata = await archive.metadata();
  const fields = isObject(metadata) ? metadata : {};
  const samples = await archive.sample(sampledTiles);
  if (samples.length === 0) throw new MapRefusal(message('map.noTiles'));
  const zooms = { min: header.minZoom, max: header.maxZoom };
  const common = {
    ...wordsOf(ownValue(fields, 'name'), ownValue(fields, 'attribution'), fileName),
    format: 'pmtiles' as const,
    minZoom: zooms.min,
    maxZoom: zooms.max,
    bounds: readBounds([header.minLon, header.minLat, header.maxLon, header.maxLat]) ?? wholeWorld,
  };
  switch (header.tileType) {
    case TileType.Mvt:
      return {
        ...common,
        kind: 'vector',
        tileType: 'mvt',
        tileSize: 512,
        ...vectorFacts(ownValue(fields, 'vector_layers'), samples, zooms),
      };
    case TileType.Png:
    case TileType.Jpeg:
    case TileType.Webp:
    case TileType.Avif:
      return { ...common, kind: 'raster', ...rasterFacts(samples), layers: [], scheme: 'raster' };
    case TileType.Mlt:
      throw new MapRefusal(message('map.mlt'));
    case TileType.Unknown:
    // The header may have any number.
    default:
      throw new MapRefusal(message('map.noType'));
  }
}

/** @throws MapRefusal */
export async function inspectMbtiles(database: TileDatabase, fileName: string): Promise<MapFacts> {
  const metadata = await database.metadata();
  if (!metadata) throw new MapRefusal(message('map.noMetadata'));
  const zooms = await database.zooms();
  if (!zooms) throw new MapRefusal(message('map.noTiles'));
  if (zooms.min < 0 || zooms.max > deepestTileZoom) {
    throw new MapRefusal(message('map.zooms', { format: 'MBTiles' }));
  }
  const samples = await sampleOf(database, zooms);
  const common = {
    ...wordsOf(metadata.get('name'), metadata.get('attribution'), fileName),
    format: 'mbtiles' as const,
    minZoom: zooms.min,
    maxZoom: zooms.max,
    bounds: readBounds(numbersOf(metadata.get('bounds'))) ?? (await boundsOf(database, zooms.max)),
  };
  // The tiles decide: the metadata may name no format, or a wrong one.
  if (samples.some(({ data }) => readImage(data) !== null)) {
    return { ...common, kind: 'raster', ...rasterFacts(samples), layers: [], scheme: 'raster' };
  }
  const format = metadata.get('format')?.toLowerCase();
  if (format !== undefined && !['pbf', 'mvt'].includes(format)) {
    throw new MapRefusal(message('map.otherImages', { type: wordOf(format) }));
  }
  const facts = vectorFacts(declaredLayers(metadata.get('json')), samples, zooms);
  return { ...common, kind: 'vector', tileType: 'mvt', tileSize: 512, ...facts };
}

const wordOf = (format: string): string => (/^[a-z0-9]{1,8}$/.test(format) ? format : 'unknown');

const numbersOf = (text: string | undefined): number[] =>
  (text ?? '').split(',').map((part) => (part.trim() === '' ? NaN : Number(part)));

function declaredLayers(json: string | undefined): unknown {
  const value = parsedJson(json);
  // The layers of the sampled tiles are known without it.
  return isObject(value) ? ownValue(value, 'vector_layers') : null;
}

/** Tiles of the lowest, the middle and the highest zoom; vector tiles are unpacked. */
async function sampleOf(
  database: TileDatabase,
  { min, max }: { readonly min: number; readonly max: number },
): Promise<SampledTile[]> {
  const zooms = new Set([min, Math.floor((min + max) / 2), max]);
  const samples: SampledTile[] = [];
  for (const z of zooms) {
    for (const { data } of await database.sample(z)) {
      if (data.byteLength > largestTile) throw new MapRefusal(message('map.tileTooLarge'));
      samples.push({ z, data: await unpackTile(data) });
    }
  }
  if (samples.length === 0) throw new MapRefusal(message('map.noTiles'));
  return samples;
}

/** MBTiles packs vector tiles with gzip (specification 1.3: Content); some writers do not. */
export const unpackTile = (data: Uint8Array): Promise<Uint8Array> =>
  unpack(data, isGzip(data) ? 'gzip' : 'none', largestTile);

async function boundsOf(database: TileDatabase, zoom: number): Promise<Bounds> {
  const extent = await database.extent(zoom);
  if (!extent) return wholeWorld;
  const [west, south, east, north] = extent;
  const tiles = 2 ** zoom;
  if (west < 0 || south < 0 || east >= tiles || north >= tiles) {
    throw new MapRefusal(message('map.tilesOutside'));
  }
  const longitude = (column: number): number => (column / tiles) * 360 - 180;
  // Rows count from the south (specification 1.3: Tiles).
  const latitude = (row: number): number =>
    -(Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / tiles))) * 180) / Math.PI;
  return (
    readBounds([longitude(west), latitude(south), longitude(east + 1), latitude(north + 1)]) ?? wholeWorld
  );
}
