import type { Corner } from '../ring.ts';
import { writePlace } from './fixedPlace.ts';

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
  /** Where it was, the oldest first, without where it is; another array once it has changed. */
  readonly trail: readonly Corner[];
}

/** The drones of a frame, the lowest first: the silent ones, the others, the chosen one. */
export interface ShownDrones {
  readonly spots: readonly DroneSpot[];
  /** Two numbers a drone (fixedPlace.ts). */
  readonly places: Uint32Array;
}

const order = ({ chosen, silent }: DroneSpot): number => Number(chosen) - Number(silent);

export function shownDrones(given: readonly DroneSpot[]): ShownDrones {
  const spots = given.toSorted((a, b) => order(a) - order(b));
  const places = new Uint32Array(2 * spots.length);
  for (const [at, { longitude, latitude }] of spots.entries())
    writePlace(places, 2 * at, longitude, latitude);
  return { spots, places };
}

/** Whether both are drawn alike. */
export const areSame = (some: readonly DroneSpot[], others: readonly DroneSpot[]): boolean =>
  some.length === others.length &&
  some.every((a, at) => {
    const b = others[at];
    return (
      b !== undefined &&
      a.id === b.id &&
      a.longitude === b.longitude &&
      a.latitude === b.latitude &&
      a.heading === b.heading &&
      a.silent === b.silent &&
      a.chosen === b.chosen &&
      a.trail === b.trail
    );
  });
