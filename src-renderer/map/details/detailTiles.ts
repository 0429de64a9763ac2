import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { PMTiles } from 'pmtiles';
import { waterName, waterNamesLayers } from './detailStyle.ts';

/** The tiles of `details.pmtiles` (build/map-details.ts), read from memory. */
export class DetailTiles {
  readonly #archive: PMTiles;

  /** @param bytes The whole archive. */
  constructor(bytes: ArrayBuffer) {
    this.#archive = new PMTiles({
      getKey: () => '',
      getBytes: (offset, length) => Promise.resolve({ data: bytes.slice(offset, offset + length) }),
    });
  }

  /** A vector tile; empty where there is none. Rejects when the archive is damaged. */
  async tile(zoom: number, x: number, y: number): Promise<ArrayBuffer> {
    const found = await this.#archive.getZxy(zoom, x, y);
    return found?.data ?? new ArrayBuffer(0);
  }
}

/** The names of rivers and lakes on a tile. */
export function namesOn(tile: ArrayBuffer): readonly string[] {
  if (tile.byteLength === 0) return [];
  const { layers } = new VectorTile(new PbfReader(tile));
  return waterNamesLayers.flatMap((layer) =>
    Array.from({ length: layers[layer]?.length ?? 0 }, (_, at) =>
      waterName(layers[layer]?.feature(at).properties ?? {}),
    ).filter((name) => name !== ''),
  );
}
