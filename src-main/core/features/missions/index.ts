import { ok, type Failure, type missionVerbs } from '../../../../src-preload/contract/index.ts';
import { message } from '../../base/messages/message.ts';
import { signingOf, type AccountContext, type VerbHandlers } from '../context.ts';
import { Missions } from './missions.ts';

export type { Missions } from './missions.ts';
export { missionsAtStart } from './missionsState.ts';

export function openMissions(account: AccountContext) {
  const { on } = account;
  const missions = new Missions(account, () => blockedBy(account));
  on('wake', () => missions.wake());
  on('token', () => missions.tokenChanged());
  on('online', () => missions.connectionReturned());
  on('review', () => missions.review());
  const verbs: VerbHandlers<typeof missionVerbs> = {
    refreshMissions: () => missions.refresh(),
    lookUpMission: ({ missionId }) => missions.lookUp(missionId),
    decideMission: (request) => missions.decide(request),
    checkDecision: ({ missionId }) => missions.check(missionId),
    readAudit: ({ from, count }) => ok(missions.readAudit(from, count)),
    exportAudit: () => missions.exportAudit(),
  };
  return Object.assign(missions, { verbs });
}

/** Why no decision can be sent now: it needs the service and a live session. Null when one can. */
function blockedBy(account: AccountContext): Failure | null {
  const { session, connection, deployment, fail } = account;
  const { session: state } = session.snapshot();
  if (state.state === 'rejected' || state.state === 'tokens-refused') return state.failure;
  const remedy = message('mission.needsConnectionRemedy');
  const isLive = state.state !== 'waiting' && signingOf(account) === 'live';
  if (!isLive) return fail({ code: 'session-waiting', sentence: message('mission.needsSession'), remedy });
  // When no other request goes to the Coordination API, only a decision can find out that it answers again.
  const asked = deployment.missions.pendingPath !== null || deployment.eventsPath !== null;
  const offline =
    connection('infrastructure').state === 'offline' ||
    (asked && connection('coordination').state === 'offline');
  return offline ? fail({ code: 'unreachable', sentence: message('mission.needsConnection'), remedy }) : null;
}
