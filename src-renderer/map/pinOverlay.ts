import type { GeoJSONSource, LayerSpecification, Map as GlMap, SourceSpecification } from 'maplibre-gl';
import type { IncidentTable } from '../table/table.ts';
import type { DrawnMap } from './graphics.ts';

const pinsSource = 'pins';
/** The image of a pin, see marks.ts. */
export const pinIcon = 'pin';

export const pinSources: Readonly<Record<string, SourceSpecification>> = {
  [pinsSource]: { type: 'geojson', data: { type: 'FeatureCollection', features: [] }, maxzoom: 12 },
};

/** Over the marks and the selection, at the upper corner of what is pinned: the severity under it stays in sight. */
export const pinLayer: LayerSpecification = {
  id: 'pin-marks',
  type: 'symbol',
  source: pinsSource,
  layout: {
    'icon-image': pinIcon,
    'icon-offset': [10, -10],
    'icon-allow-overlap': true,
    'icon-ignore-placement': true,
  },
};

/** Longitude and latitude of each row that is pinned and has a place, in degrees. */
export function pinnedPlaces(
  table: IncidentTable,
  rows: Uint32Array,
  keys: ReadonlySet<number>,
): readonly (readonly [longitude: number, latitude: number])[] {
  if (keys.size === 0) return [];
  const { key, longitude, latitude } = table.columns;
  const places: (readonly [number, number])[] = [];
  for (const row of rows) {
    if (!keys.has(key[row] as number)) continue;
    const [lng, lat] = [longitude[row] as number, latitude[row] as number];
    if (!Number.isNaN(lat)) places.push([lng, lat]);
  }
  return places;
}

interface PinOverlayOptions extends DrawnMap<Pick<GlMap, 'getSource'>> {
  /** Told how many pins are drawn. */
  readonly onDrawn: (count: number) => void;
}

/** A pin at each shown incident that is pinned, also where a cluster holds it. */
export class PinOverlay {
  readonly #options: PinOverlayOptions;
  #table: IncidentTable | null = null;
  #rows: Uint32Array = new Uint32Array(0);
  #keys: ReadonlySet<number> = new Set();
  /** What the map holds; to write the same again would have it drawn again for nothing. */
  #written: string | null = null;

  constructor(options: PinOverlayOptions) {
    this.#options = options;
  }

  /** The incidents that the map shows. */
  setRows(table: IncidentTable, rows: Uint32Array): void {
    this.#table = table;
    this.#rows = rows;
    this.#write();
  }

  /** Which incidents are pinned; keys of others than those shown are passed over. */
  setKeys(keys: ReadonlySet<number>): void {
    this.#keys = keys;
    this.#write();
  }

  /** Writes what is known into the map again, after it lost its graphics. */
  apply(): void {
    this.#written = null;
    this.#write();
  }

  #write(): void {
    const { map, isDrawable, onDrawn } = this.#options;
    if (!isDrawable()) return;
    const places = this.#table === null ? [] : pinnedPlaces(this.#table, this.#rows, this.#keys);
    const written = JSON.stringify(places);
    const source = map.getSource<GeoJSONSource>(pinsSource);
    if (source === undefined || written === this.#written) return;
    this.#written = written;
    void source.setData({
      type: 'FeatureCollection',
      features: places.map(([longitude, latitude]) => ({
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [longitude, latitude] },
        properties: {},
      })),
    });
    onDrawn(places.length);
  }
}
