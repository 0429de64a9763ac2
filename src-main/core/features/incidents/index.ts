import {
  ok,
  type anchorVerbs,
  type changeVerbs,
  type incidentVerbs,
} from '../../../../src-preload/contract/index.ts';
import { message } from '../../base/messages/message.ts';
import type { AccountContext, VerbHandlers } from '../context.ts';
import { LastHourCounter } from './changes/lastHour.ts';
import { UnseenChanges } from './changes/unseenChanges.ts';
import { IncidentSync } from './sync/incidentSync.ts';

export { lastHourAtStart } from './changes/lastHour.ts';
export { changesAtStart } from './changes/unseenChanges.ts';
export type { IncidentSync } from './sync/incidentSync.ts';
export { comparedTo, levelOf, reaches, rose, worstOf } from './severityOrder.ts';
export { incidentsAtStart, isFirstReadingDone, syncAtStart } from './sync/syncState.ts';
export { isRefusal } from './sync/listReader.ts';
export { probeUnit } from './sync/unitProbe.ts';

/**
 * Opens the list of incidents. It hears the account's events at once: it reads before the stored data are loaded.
 * `begun` resolves when they are loaded and reading has begun.
 */
export function openIncidents(account: AccountContext, begun: () => Promise<unknown>) {
  const { on, scope, store, refuse } = account;
  const incidents = new IncidentSync(account);
  on('wake', () => incidents.wake(), 'at-once');
  on('token', () => incidents.tokenChanged(), 'at-once');
  on('tick', () => incidents.review(), 'at-once');
  on('online', (api) => api === 'infrastructure' && incidents.connectionReturned(), 'at-once');
  const verbs: VerbHandlers<typeof incidentVerbs & typeof anchorVerbs> = {
    setIncidentQuery: (query) => {
      incidents.setQuery(query);
      return ok(null);
    },
    refreshIncidents: async () => {
      await begun();
      return scope.isOver ? refuse({ code: 'signed-out' }) : incidents.refresh();
    },
    readIncident: ({ key }) => {
      const detail = store.incidents.detail(key);
      if (detail) return ok(detail);
      return refuse({ code: 'not-found', sentence: message('incident.unknown'), remedy: null });
    },
    findAnchors: async ({ text }) => ok(await store.findAnchors(text)),
  };
  return Object.assign(incidents, { verbs });
}

/** Opens what changed since the operator looked, and the count of the last hour. */
export function openChanges(account: AccountContext) {
  const changes = new UnseenChanges(account);
  new LastHourCounter(account, account.deployment.pollIntervals.incidentsMs);
  const verbs: VerbHandlers<typeof changeVerbs> = {
    seeChanges: ({ incidentId }) => ok(changes.see(incidentId)),
    seeAllChanges: ({ last }) => {
      changes.seeAll(last);
      return ok(null);
    },
  };
  return Object.assign(changes, { verbs });
}
