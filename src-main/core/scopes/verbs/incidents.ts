import {
  failed,
  ok,
  type anchorVerbs,
  type healthVerbs,
  type incidentVerbs,
  type Language,
  type NearbyPlace,
  type placeVerbs,
  type Result,
} from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { message } from '../../base/messages/message.ts';
import { besideKm } from '../../base/places/placeMessages.ts';
import { nameOf, townLines, towns, type Nearby, type Town } from '../../base/places/towns.ts';
import { Yielding } from '../../base/yielding.ts';
import { onAccount, type VerbContext, type VerbHandlers } from './table.ts';

const noDeployment = ({ deploymentSwitch }: VerbContext): Result<never> =>
  failed(makeFailure({ code: 'deployment-unknown', at: deploymentSwitch.now() }));

export function incidentHandlers(
  context: VerbContext,
): VerbHandlers<typeof incidentVerbs & typeof anchorVerbs> {
  const { deploymentSwitch, store } = context;
  return {
    setIncidentQuery: (query) => {
      deploymentSwitch.current?.account?.incidents.setQuery(query);
      return ok(null);
    },
    refreshIncidents: onAccount(deploymentSwitch)(async ({ incidents, reading }) => {
      // A call right after the sign-in waits until reading has started.
      await reading;
      return incidents.refresh();
    }),
    readIncident: ({ key }) => {
      const detail = store.incidentDetail(key);
      if (detail) return ok(detail);
      const sentence = message('incident.unknown');
      return failed(makeFailure({ code: 'not-found', at: deploymentSwitch.now(), sentence, remedy: null }));
    },
    findAnchors: async ({ text }) => ok(await store.findAnchors(text)),
  };
}

export function placeHandlers({ store }: VerbContext): VerbHandlers<typeof placeVerbs> {
  return {
    readTownList: () => ok({ towns: townLines() }),
    readNearby: ({ keys, language }) => {
      const places = keys.flatMap((key) => {
        const location = store.incidentDetail(key)?.location;
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
        const location = store.incidentLocation(key);
        const town = location === null ? null : towns.nearest(location).town;
        if (town !== null) named.set(town.id, town);
        of.push(town?.id ?? -1);
      }
      const names = Array.from(named.values(), (town) => ({
        id: town.id,
        name: nameOf(town, language),
        english: town.name,
        country: town.country,
      }));
      return ok({ towns: names, of });
    },
  };
}

export const healthHandlers = (context: VerbContext): VerbHandlers<typeof healthVerbs> => ({
  checkHealth: () => context.deploymentSwitch.current?.checkHealth() ?? noDeployment(context),
});

const nearbyOf = (key: number, { town, km, from }: Nearby, language: Language): NearbyPlace => ({
  key,
  town: nameOf(town, language),
  country: town.country,
  metres: km * 1_000,
  from: km < besideKm ? null : from,
});
