import { failed, ok, type Result } from '../../../src-preload/contract/index.ts';
import { makeFailure } from '../domain/failure.ts';
import { say } from '../words/say.ts';
import type { VerbContext, VerbTable } from './table.ts';

type DataVerb = 'setIncidentQuery' | 'refreshIncidents' | 'readIncident' | 'findAnchors' | 'checkHealth';

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
    findAnchors: async ({ text }) => ok(await store.findAnchors(text)),
    checkHealth: () => desk.station?.checkHealth() ?? noStation(),
  };
}
