import { addProtocol, AttributionControl, Map as GlMap, removeProtocol } from 'maplibre-gl';
import { deepestZoom } from './clusters/index.ts';
import { mapFont } from './font.ts';
import { worldBounds } from './mapCamera.ts';
import { mapStyle } from './style.ts';
import type { IncidentMapOptions } from './types.ts';

/** Where the tiles of map packages lie under the page's address. */
export const tilesBase = (): string => new URL('tiles/', document.baseURI).href;

/**
 * MapLibre's map of the world as the console uses it: north up, without its own controls but the attribution.
 * `tiles` is the address of the marks' tiles.
 */
export function makeGlMap(options: IncidentMapOptions, tiles: string): GlMap {
  const scale = options.scale ?? 1;
  const [west, south, east, north] = worldBounds;
  const packages = tilesBase();
  const map = new GlMap({
    container: options.container,
    style: mapStyle({
      theme: options.theme,
      textScale: options.textScale,
      nameCountry: options.words.nameCountry,
      tiles,
      base: document.baseURI,
    }),
    bounds: [west, south, east, north],
    minZoom: -Math.ceil(Math.log2(scale)),
    pixelRatio: globalThis.devicePixelRatio * scale,
    maxZoom: deepestZoom,
    fadeDuration: 0,
    // Left out, the library asks the system.
    ...(options.reducedMotion && { reduceMotion: true }),
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    refreshExpiredTiles: false,
    attributionControl: false,
    // MapLibre's worker fetches tiles itself, and has to prove whose page it works for.
    transformRequest: (url) => (url.startsWith(packages) ? { url, headers: options.tileHeaders() } : { url }),
    localIdeographFontFamily: `"${mapFont}", sans-serif`,
    locale: { 'Map.Title': options.words.title },
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  // MapLibre calls its canvas a region, which would be a second region inside the page's own.
  map.getCanvas().setAttribute('role', 'application');
  map.addControl(
    new AttributionControl({ compact: false, customAttribution: 'GeoNames, Natural Earth' }),
    'bottom-right',
  );
  return map;
}

type TileOf = (zoom: number, x: number, y: number) => Promise<ArrayBuffer>;

/** The address under which one map, and no other, is given the tiles of its marks. */
export class MarksProtocol {
  readonly #name = `incidents-${crypto.randomUUID()}`;

  get tiles(): string {
    return `${this.#name}://{z}/{x}/{y}`;
  }

  /** To be called before MapLibre asks: in the task in which the map is made. */
  serve(tileOf: TileOf): void {
    addProtocol(this.#name, async ({ url }) => {
      const [zoom = 0, x = 0, y = 0] = url
        .slice(this.#name.length + 3)
        .split('/')
        .map(Number);
      return { data: await tileOf(zoom, x, y) };
    });
  }

  close(): void {
    removeProtocol(this.#name);
  }
}
