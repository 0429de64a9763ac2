import type { Language } from '../../../../src-preload/contract/index.ts';
import { message, type Message } from '../messages/message.ts';
import { nameOf, type Nearby } from './towns.ts';

/** Nearer than this to a town's middle, a direction says nothing, kilometres. */
export const besideKm = 3;

/** `12 km NW of Vienna, AT`, or `near Vienna, AT`: where something is, as seen from the nearest town. */
export function messageOfPlace({ town, km, from }: Nearby, language: Language = 'en'): Message {
  const name = nameOf(town, language);
  const named = town.country === '' ? name : `${name}, ${town.country}`;
  return km < besideKm
    ? message('place.near', { town: named })
    : message(`place.away.${from}`, { km: Math.round(km), town: named });
}
