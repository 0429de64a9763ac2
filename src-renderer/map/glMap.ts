import { AttributionControl, Map as GlMap } from 'maplibre-gl';
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
    // Left out, the library asks the system by itself.
    ...(options.reducedMotion && { reduceMotion: true }),
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    refreshExpiredTiles: false,
    attributionControl: false,
    // MapLibre's worker fetches tiles by itself, and has to prove whose page it works for.
    transformRequest: (url) => (url.startsWith(packages) ? { url, headers: options.tileHeaders() } : { url }),
    localIdeographFontFamily: `"${mapFont}", sans-serif`,
    locale: { 'Map.Title': options.words.title },
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  // MapLibre calls its canvas a region, which would be a second region inside the page's own.
  map.getCanvas().setAttribute('role', 'application');
  map.addControl(
    // eslint-disable-next-line words/literal-text -- a name.
    new AttributionControl({ compact: false, customAttribution: 'Natural Earth' }),
    'bottom-right',
  );
  return map;
}
