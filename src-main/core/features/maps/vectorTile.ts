import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import type { MapPackage } from '../../../../src-preload/contract/index.ts';
import { message } from '../../base/messages/message.ts';
import { mostLayers } from './limits.ts';
import { MapRefusal } from './refusal.ts';

/** How many features of a layer are read. Their geometry is skipped: it may unfold into gigabytes. */
const sampledFeatures = 64;

/**
 * Names of a vector tile's layers. A tile without layers is empty, which is no fault.
 *
 * @throws MapRefusal when the bytes are not a vector tile
 */
export function layersOf(bytes: Uint8Array): string[] {
  try {
    const { layers } = new VectorTile(new PbfReader(bytes));
    const named = Object.values(layers);
    if (named.length > mostLayers) throw new RangeError('layers');
    for (const layer of named) {
      if (typeof layer.name !== 'string' || !(layer.extent > 0)) throw new TypeError('layer');
      for (let at = 0; at < Math.min(layer.length, sampledFeatures); at += 1) layer.feature(at);
    }
    // Bytes of another format may parse as unknown fields and yield nothing: such a tile is not a vector tile.
    if (named.length === 0 && bytes.byteLength > 64) throw new TypeError('no layers');
    return named.map(({ name }) => name);
  } catch (error) {
    throw new MapRefusal(message('map.vectorUnread'), { cause: error });
  }
}

const openmaptiles: ReadonlySet<string> = new Set([
  ...['transportation', 'transportation_name', 'place', 'water_name', 'waterway', 'housenumber'],
  ...['mountain_peak', 'aerodrome_label', 'aeroway', 'building', 'boundary'],
]);
const protomaps: ReadonlySet<string> = new Set([
  ...['earth', 'roads', 'places', 'buildings', 'boundaries', 'physical_line', 'physical_point', 'transit'],
]);

/** The default style for these layers: that of one of the two common schemas, or none. */
export function schemeOf(layers: readonly string[]): MapPackage['scheme'] {
  const count = (known: ReadonlySet<string>): number => layers.filter((id) => known.has(id)).length;
  const [first, second] = [count(openmaptiles), count(protomaps)];
  if (Math.max(first, second) < 2) return 'plain';
  return first >= second ? 'openmaptiles' : 'protomaps';
}
