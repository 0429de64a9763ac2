import { say, type Said } from '../words/say.ts';
import type { Nearby } from './towns.ts';

/** Nearer than this to a town's middle, a direction says nothing, kilometres. */
const besideKm = 3;

/** `12 km NW of Vienna, AT`, or `near Vienna, AT`: where something is, as seen from the nearest town. */
export function placeSaid({ town, km, from }: Nearby): Said {
  const name = town.country === '' ? town.name : `${town.name}, ${town.country}`;
  return km < besideKm
    ? say('place.near', { town: name })
    : say(`place.away.${from}`, { km: Math.round(km), town: name });
}
