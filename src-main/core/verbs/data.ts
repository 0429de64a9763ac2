import {
  failed,
  ok,
  type Language,
  type NearbyPlace,
  type Result,
} from '../../../src-preload/contract/index.ts';
import { makeFailure } from '../domain/failure.ts';
import { besideKm } from '../places/placeWords.ts';
import { nameOf, towns, type Nearby } from '../places/towns.ts';
import { say } from '../words/say.ts';
import type { VerbContext, VerbTable } from './table.ts';

type DataVerb =
  'setIncidentQuery' | 'refreshIncidents' | 'readIncident' | 'readNearby' | 'findAnchors' | 'checkHealth';

/** Incidents and health. */
export function dataVerbs({ desk, store }: VerbContext): Pick<VerbTable, DataVerb> {
  const noStation = (): Result<never> => failed(makeFailure({ code: 'deployment-unknown', at: desk.now() }));
  return {
    setIncidentQuery: (query) => {
      desk.station?.setQuery(query);
      return ok(null);
    },
    refreshIncidents: () => desk.station?.refreshIncidents() ?? noStation(),
    readIncident: ({ key }) => {
      const detail = store.incidentDetail(key);
      if (detail) return ok(detail);
      const sentence = say('incident.unknown');
      return failed(makeFailure({ code: 'not-found', at: desk.now(), sentence, remedy: null }));
    },
    readNearby: ({ keys, language }) => {
      const places = keys.flatMap((key) => {
        const location = store.incidentDetail(key)?.location;
        return location ? [nearbyOf(key, towns.nearest(location), language)] : [];
      });
      return ok({ places });
    },
    findAnchors: async ({ text }) => ok(await store.findAnchors(text)),
    checkHealth: () => desk.station?.checkHealth() ?? noStation(),
  };
}

const nearbyOf = (key: number, { town, km, from }: Nearby, language: Language): NearbyPlace => ({
  key,
  town: nameOf(town, language),
  country: town.country,
  metres: km * 1_000,
  from: km < besideKm ? null : from,
});
