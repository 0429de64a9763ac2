/* eslint-disable words/literal-text -- English in every language: the stored name of a map whose file has none. */
import type { MapPackage } from '../../../../src-preload/contract/index.ts';
import { isObject, ownValue } from '../../base/json.ts';
import { message } from '../../base/messages/message.ts';
import { readImage } from './image.ts';
import { mostLayers } from './limits.ts';
import { MapRefusal } from './refusal.ts';
import { oneLine, plainText } from './text.ts';
import { layersOf, schemeOf } from './vectorTile.ts';

/** What a package's metadata and tiles say, before it is in the catalog. */
export type MapFacts = Omit<MapPackage, 'id' | 'visible' | 'bytes'>;

export interface SampledTile {
  readonly z: number;
  readonly data: Uint8Array;
}

export type Bounds = MapPackage['bounds'];

/** The limit of Web Mercator, degrees. */
const northernmost = 85.051129;
export const wholeWorld: Bounds = [-180, -northernmost, 180, northernmost];

const smallestTile = 64;
const widestTile = 4096;

/**
 * A package's extent within the map.
 *
 * @returns null when it is empty, as some writers leave it
 *
 * @throws MapRefusal when it is outside the Earth
 */
export function readBounds(values: readonly number[]): Bounds | null {
  const [west = NaN, south = NaN, east = NaN, north = NaN] = values;
  if (values.length !== 4 || values.some((value) => !Number.isFinite(value))) return null;
  const slack = 0.5;
  const within = (value: number, most: number): boolean => Math.abs(value) <= most + slack;
  if (!within(west, 180) || !within(east, 180) || !within(south, 90) || !within(north, 90)) {
    throw new MapRefusal(message('map.outsideEarth'));
  }
  if (west >= east || south >= north) return null;
  const clamp = (value: number, most: number): number => Math.min(most, Math.max(-most, value));
  const bounds: Bounds = [
    clamp(west, 180),
    clamp(south, northernmost),
    clamp(east, 180),
    clamp(north, northernmost),
  ];
  return bounds[0] < bounds[2] && bounds[1] < bounds[3] ? bounds : null;
}

/** Kind, type and size of raster tiles, from the sampled ones. */
export function rasterFacts(samples: readonly SampledTile[]): Pick<MapPackage, 'tileType' | 'tileSize'> {
  const images = samples.map(({ z, data }) => ({ z, image: readImage(data) }));
  const types = new Set<string>();
  let size = 0;
  for (const { z, image } of images) {
    if (!image) throw new MapRefusal(message('map.noImage', { zoom: z }));
    if (!image.whole) throw new MapRefusal(message('map.tileCut', { zoom: z }));
    types.add(image.type);
    for (const edge of [image.width ?? 256, image.height ?? 256]) {
      if (edge < smallestTile || edge > widestTile) {
        const [width, height] = [String(image.width), String(image.height)];
        throw new MapRefusal(message('map.tileSize', { zoom: z, width, height }));
      }
    }
    size = Math.max(size, image.width ?? 256);
  }
  const [first] = images;
  if (!first?.image) throw new MapRefusal(message('map.noTiles'));
  // Writers mix PNG for edges with JPEG for full tiles. The page finds the type of each from its bytes.
  return { tileType: first.image.type, tileSize: size };
}

/** Layers in the metadata, and those only in the sampled tiles. */
export function vectorFacts(
  declared: unknown,
  samples: readonly SampledTile[],
  zooms: { readonly min: number; readonly max: number },
): Pick<MapPackage, 'layers' | 'scheme'> {
  const layers = new Map<string, MapPackage['layers'][number]>();
  const zoomOf = (value: unknown, otherwise: number): number =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 30 ? value : otherwise;
  for (const layer of Array.isArray(declared) ? declared.slice(0, mostLayers) : []) {
    if (!isObject(layer)) continue;
    const id = ownValue(layer, 'id');
    if (typeof id !== 'string' || id === '' || id.length > 256) continue;
    const minZoom = zoomOf(ownValue(layer, 'minzoom'), zooms.min);
    const maxZoom = zoomOf(ownValue(layer, 'maxzoom'), zooms.max);
    layers.set(id, { id, minZoom, maxZoom });
  }
  for (const { data } of samples) {
    for (const id of layersOf(data)) {
      if (layers.has(id) || layers.size >= mostLayers || id.length > 256) continue;
      layers.set(id, { id, minZoom: zooms.min, maxZoom: zooms.max });
    }
  }
  if (layers.size === 0) throw new MapRefusal(message('map.noLayers'));
  return { layers: [...layers.values()], scheme: schemeOf([...layers.keys()]) };
}

/** Name and attribution. Without a name, the file's name is used. */
export function wordsOf(
  name: unknown,
  attribution: unknown,
  fileName: string,
): Pick<MapPackage, 'name' | 'attribution'> {
  const given = typeof name === 'string' ? oneLine(name, 120) : '';
  const usual = oneLine(fileName.replace(/\.(pmtiles|mbtiles)$/i, ''), 120);
  return {
    name: given || usual || 'Unnamed map',
    attribution: typeof attribution === 'string' ? plainText(attribution, 400) : '',
  };
}
