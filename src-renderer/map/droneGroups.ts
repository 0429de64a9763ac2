import { mercatorY, wrapped } from './clusters/points.ts';
import { turnPixelsAtZero } from './oneWorld.ts';
import type { Corner } from './ring.ts';

/** A drone as the map draws it. */
export interface DroneSpot {
  readonly id: string;
  readonly longitude: number;
  readonly latitude: number;
  /** Degrees clockwise from north; null where it is not known. */
  readonly heading: number | null;
  /** Nothing was heard of it for a while. */
  readonly silent: boolean;
  readonly chosen: boolean;
  /** Where it was, the oldest first, without where it is. */
  readonly trail: readonly Corner[];
}

/** From here on each drone has its mark and its name; farther away those of one place are one. */
export const nearZoom = 10;
/** Drones so near to each other are in one place, CSS pixels. */
const placePx = 56;

/** Drones that are drawn as one: each alone where the map is near. */
export function droneGroups(spots: readonly DroneSpot[], zoom: number): readonly (readonly DroneSpot[])[] {
  if (zoom >= nearZoom) return spots.map((spot) => [spot]);
  const turn = turnPixelsAtZero * 2 ** zoom;
  const groups: { readonly x: number; readonly y: number; readonly spots: DroneSpot[] }[] = [];
  for (const spot of spots) {
    const [x, y] = [wrapped(spot.longitude / 360 + 0.5), mercatorY(spot.latitude)];
    const near = groups.find((group) => {
      const right = wrapped(group.x - x + 0.5) - 0.5;
      return Math.hypot(right, group.y - y) * turn < placePx;
    });
    if (near === undefined) groups.push({ x, y, spots: [spot] });
    else near.spots.push(spot);
  }
  return groups.map((group) => group.spots);
}
