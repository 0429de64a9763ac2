import {
  ok,
  type Language,
  type NearbyPlace,
  type placeVerbs,
} from '../../../../src-preload/contract/index.ts';
import { besideKm } from '../../base/places/placeMessages.ts';
import { nameOf, townLines, townName, towns, type Nearby, type Town } from '../../base/places/towns.ts';
import { Yielding } from '../../base/yielding.ts';
import type { AppContext, VerbHandlers } from '../context.ts';

export const placeHandlers = ({ store }: Pick<AppContext, 'store'>): VerbHandlers<typeof placeVerbs> => ({
  readTownList: () => ok({ towns: townLines() }),
  readNearby: ({ keys, language }) => {
    const places = keys.flatMap((key) => {
      const location = store.incidents.detail(key)?.location;
      return location ? [nearbyOf(key, towns.nearest(location), language)] : [];
    });
    return ok({ places });
  },
  readTowns: async ({ keys, language }) => {
    const yielding = new Yielding();
    const named = new Map<number, Town>();
    const of: number[] = [];
    for (const key of keys) {
      if (yielding.over) await yielding.next();
      const location = store.incidents.location(key);
      const town = location === null ? null : towns.nearest(location).town;
      if (town !== null) named.set(town.id, town);
      of.push(town?.id ?? -1);
    }
    return ok({ towns: Array.from(named.values(), (town) => townName(town, language)), of });
  },
});

const nearbyOf = (key: number, { town, km, from }: Nearby, language: Language): NearbyPlace => ({
  key,
  town: nameOf(town, language),
  country: town.country,
  metres: km * 1_000,
  from: km < besideKm ? null : from,
});
