import type { Map as GlMap } from 'maplibre-gl';
import { mercatorY } from '../clusters/points.ts';

/** Parts of a turn of the world, and of its height in Web Mercator. Half as many in height: a difference has a sign. */
export const turnParts = 2 ** 32;
export const heightParts = 2 ** 31;

/**
 * A place in whole numbers, of which a graphics card takes differences without loss: floats of a whole world jump by
 * pixels when one looks near. That they wrap around at 32 bits is the antimeridian: a difference is the shorter way.
 */
export function writePlace(into: Uint32Array, at: number, longitude: number, latitude: number): void {
  // What is beyond a turn falls off: numbers of such an array are of 32 bits.
  into[at] = Math.floor((longitude / 360 + 0.5) * turnParts);
  into[at + 1] = Math.floor(mercatorY(latitude) * heightParts);
}

/** The camera of one frame, as places are drawn by it. */
export interface FrameView {
  /** The place that others are drawn relative to, near the middle of the map. */
  readonly eye: Uint32Array;
  /** From parts of the world away from `eye` to clip space. */
  readonly matrix: Float32Array;
  readonly zoom: number;
  /** Of the map in CSS pixels, and how many of the screen's are one of them. */
  readonly width: number;
  readonly height: number;
  readonly pixelRatio: number;
}

/** `worldMatrix`: from the world as a square of 1 by 1 to clip space, in double precision. */
export function frameView(
  map: Pick<GlMap, 'getCenter' | 'getZoom' | 'getContainer'>,
  worldMatrix: ArrayLike<number>,
  pixelsWide: number,
): FrameView {
  const { lng, lat } = map.getCenter();
  const eye = new Uint32Array(2);
  writePlace(eye, 0, lng, lat);
  const x = Math.floor(lng / 360 + 0.5) + (eye[0] ?? 0) / turnParts;
  const y = (eye[1] ?? 0) / heightParts;
  const matrix = Float32Array.from(worldMatrix);
  for (let row = 0; row < 4; row += 1)
    matrix[12 + row] =
      (worldMatrix[12 + row] ?? 0) + (worldMatrix[row] ?? 0) * x + (worldMatrix[4 + row] ?? 0) * y;
  const { clientWidth, clientHeight } = map.getContainer();
  const width = Math.max(1, clientWidth);
  return {
    eye,
    matrix,
    zoom: map.getZoom(),
    width,
    height: Math.max(1, clientHeight),
    pixelRatio: pixelsWide / width,
  };
}

/** Where a place lies on the map, in CSS pixels from its upper left corner. */
export function screenPlace(
  { eye, matrix, width, height }: FrameView,
  x: number,
  y: number,
): readonly [x: number, y: number] {
  const right = ((x - (eye[0] ?? 0)) | 0) / turnParts;
  const down = (y - (eye[1] ?? 0)) / heightParts;
  const clip = (row: number): number =>
    (matrix[row] ?? 0) * right + (matrix[4 + row] ?? 0) * down + (matrix[12 + row] ?? 0);
  const w = clip(3);
  return [((clip(0) / w + 1) / 2) * width, ((1 - clip(1) / w) / 2) * height];
}
