import { VectorTile } from '@mapbox/vector-tile';
import { fromVectorTileJs, type VectorTileFeatureLike, type VectorTileLike } from '@maplibre/vt-pbf';
import { PbfReader } from 'pbf';
import { countTextOf } from '../../src-renderer/map/clusters/countText.ts';
import { ClusterIndex, markLayer } from '../../src-renderer/map/clusters/index.ts';
import type { PointColumns } from '../../src-renderer/map/clusters/points.ts';
import { benchFrame } from './data.ts';
import { measure, type Measure } from './statistics.ts';

/** Of the whole world, and of a continent where most marks are single incidents. */
const zooms = [3, 5];

/**
 * Writing all tiles of a zoom level, once its clusters are made: the counts, rings and names of its marks and
 * their bytes; against a general writer that is given the same marks as objects.
 */
export function benchClusterTiles(size: number, runs: number): Measure[] {
  const said = countTextOf('en');
  const index = new ClusterIndex(pointsOf(size));
  return zooms.map((zoom) => {
    const places = Array.from({ length: 4 ** zoom }, (_, at) => [at % 2 ** zoom, at >> zoom] as const);
    const write = (): Uint8Array[] => places.map(([x, y]) => index.tile(zoom, x, y, said));
    const marks = write()
      .filter(({ length }) => length > 0)
      .map(objectsOf);
    const ours: number[] = [];
    const floorSamples: number[] = [];
    for (let run = 0; run < runs + 3; run += 1) {
      const start = performance.now();
      const written = write();
      const half = performance.now();
      const general = marks.map((tile) => fromVectorTileJs(tile));
      const end = performance.now();
      if (total(written) !== total(general)) throw new Error('A tile lost its marks');
      if (run < 3) continue;
      ours.push(half - start);
      floorSamples.push(end - half);
    }
    const what = `tiles of z${String(zoom)}`;
    return measure({ what, size, goal: 1, floor: 'vt-pbf given the marks as objects', ours, floorSamples });
  });
}

/** Two of three are open: a ring has all its parts. */
function pointsOf(size: number): PointColumns {
  const { key, longitude, latitude, severity, notReturned } = benchFrame(size, 0, true).columns;
  return {
    length: size,
    key: key.slice(),
    longitude: longitude.slice(),
    latitude: latitude.slice(),
    rank: Uint8Array.from(severity, (place) => place + 1),
    gone: notReturned.slice(),
    open: Uint8Array.from(key, (own) => (own % 3 === 0 ? 0 : 1)),
  };
}

const total = (tiles: readonly Uint8Array[]): number => tiles.reduce((sum, { length }) => sum + length, 0);

/** What a general writer is given, read before it is timed. */
function objectsOf(tile: Uint8Array): VectorTileLike {
  const layer = new VectorTile(new PbfReader(tile)).layers[markLayer];
  if (layer === undefined) throw new Error('A tile has no layer');
  const { version, name, extent, length } = layer;
  const features = Array.from({ length }, (_, at) => {
    const feature = layer.feature(at);
    const { type, id, properties } = feature;
    const geometry = feature.loadGeometry();
    return { type, id, properties, extent, loadGeometry: () => geometry };
  });
  const feature = (at: number): VectorTileFeatureLike => {
    const found = features[at];
    if (found === undefined) throw new Error('A layer has fewer features than it says');
    return found;
  };
  return { layers: { [name]: { version, name, extent, length, feature } } };
}
