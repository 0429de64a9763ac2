import { LngLat, type Map as GlMap, type TransformConstrainFunction } from 'maplibre-gl';
import { latitudeOf, mercatorY } from './clusters/points.ts';

/** MapLibre draws one turn on so many pixels at zoom 0. */
export const turnPixelsAtZero = 512;
/** MapLibre takes nothing below. */
const lowestZoom = -2;

/** The zoom at which one turn of the world is as wide as the map, in CSS pixels. */
export const fillingZoom = (mapWidth: number): number =>
  Math.max(lowestZoom, Math.log2(Math.max(1, mapWidth) / turnPixelsAtZero));

/** How far the map may be moved beyond the poles, in CSS pixels: what lies there comes clear of the controls. */
const poleRoom = 96;

/**
 * Between which places, in pixels from the north, the middle of a map so high may lie, where the world is `turn` pixels
 * high: a map that is lower than the world ends a little beyond its poles, on a higher one the world is seen whole.
 */
export function centreLimits(turn: number, height: number): readonly [least: number, most: number] {
  const half = height / 2;
  return [
    Math.max(0, Math.min(half, turn - half) - poleRoom),
    Math.min(turn, Math.max(half, turn - half) + poleRoom),
  ];
}

/**
 * Where a map may look: within its zooms, and about as far as the poles. MapLibre itself keeps the world at least as
 * high as the map, which on a narrow map leaves no zoom at which all longitudes are seen.
 */
export function lookLimits(
  map: Pick<GlMap, 'getMinZoom' | 'getMaxZoom' | 'getContainer'>,
): TransformConstrainFunction {
  return (centre, zoom) => {
    const held = Math.min(map.getMaxZoom(), Math.max(map.getMinZoom(), zoom));
    const turn = turnPixelsAtZero * 2 ** held;
    const y = mercatorY(centre.lat) * turn;
    const [first, last] = centreLimits(turn, map.getContainer().clientHeight);
    const lat = y < first || y > last ? latitudeOf(Math.min(last, Math.max(first, y)) / turn) : centre.lat;
    return { center: new LngLat(centre.lng, lat), zoom: held };
  };
}

/**
 * Shows the world at most once. MapLibre fills a map that is wider than the world with more of it, and
 * a glance at a wall counts the marks of an ocean twice. Switching the copies off would cut the
 * Pacific in two; not zooming out further than one turn keeps every place single and any meridian in the middle.
 */
export class OneWorld {
  readonly #map: GlMap;

  constructor(map: GlMap) {
    this.#map = map;
    map.setTransformConstrain(lookLimits(map));
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
