import { signingOf, type AccountContext } from '../context.ts';
import type { Drones } from '../drones/index.ts';
import type { Evidence } from '../evidence/index.ts';
import type { IncidentSync } from '../incidents/index.ts';
import type { Missions } from '../missions/index.ts';
import { LiveEvents } from './liveEvents.ts';

export { eventsAtStart } from './eventBoard.ts';

/** Opens the event stream. It hastens what these features read anyway. */
export function openEvents(
  account: AccountContext,
  {
    incidents,
    missions,
    evidence,
    drones,
  }: {
    readonly incidents: IncidentSync;
    readonly missions: Missions;
    readonly evidence: Evidence;
    readonly drones: Drones;
  },
): LiveEvents {
  const { store, on } = account;
  const events = new LiveEvents(account, {
    session: () => signingOf(account),
    knowsIncident: (id) => store.incidents.has(id),
    takePosition: (event) => drones.take(event),
    onIncident: (id) => {
      incidents.requestRead(id);
    },
    onMission: (missionId, event) => {
      missions.noteEvent(missionId, event);
    },
    onEvidence: () => {
      evidence.requestRead();
    },
  });
  on('wake', () => events.wake());
  on('online', () => events.connectionReturned());
  on('review', () => events.review());
  return events;
}
