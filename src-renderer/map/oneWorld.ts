import type { Map as GlMap } from 'maplibre-gl';

/** MapLibre draws one turn on so many pixels at zoom 0. */
export const turnPixelsAtZero = 512;
/** MapLibre takes nothing below. */
const lowestZoom = -2;

/** The zoom at which one turn of the world is as wide as the map, in CSS pixels. */
export const fillingZoom = (mapWidth: number): number =>
  Math.max(lowestZoom, Math.log2(Math.max(1, mapWidth) / turnPixelsAtZero));

/**
 * Shows the world at most once. MapLibre fills a map that is wider than the world with more of it, and
 * whoever glances at a wall counts the marks of an ocean twice. Switching the copies off would cut the
 * Pacific in two; not zooming out further than one turn keeps every place single and any meridian in the middle.
 */
export class OneWorld {
  readonly #map: GlMap;

  constructor(map: GlMap) {
    this.#map = map;
    const hold = (): void => {
      this.#hold();
    };
    map.on('resize', hold);
    hold();
  }

  #hold(): void {
    const least = fillingZoom(this.#map.getContainer().clientWidth);
    // Not the operator's doing: what they chose stays what is remembered.
    if (this.#map.getZoom() < least) this.#map.jumpTo({ zoom: least }, { own: true });
    this.#map.setMinZoom(least);
  }
}
