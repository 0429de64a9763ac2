import { ok, type droneVerbs } from '../../../../src-preload/contract/index.ts';
import { message } from '../../base/messages/message.ts';
import type { AccountContext, VerbHandlers } from '../context.ts';
import type { Evidence } from '../evidence/index.ts';
import { Drones, type DroneSources } from './drones.ts';

export { Drones, dronesAtStart } from './drones.ts';
export type { DroneSilence } from './silence.ts';
export { readPosition, type PositionRule } from './positionReader.ts';

/** Opens the drones. `versions`: of the accounts before. `heard`: what the event stream brought. */
export function openDrones(
  account: AccountContext,
  evidence: Evidence,
  alarms: { takeDrones: DroneSources['onSilence'] },
  versions: DroneSources['versions'],
  heard: DroneSources['heard'],
) {
  const drones = new Drones(account, {
    versions,
    heard,
    knowsIncident: (id) => account.store.incidents.has(id),
    evidenceNaming: (id) => evidence.naming(id),
    onSilence: (silence, why) => {
      alarms.takeDrones(silence, why);
    },
  });
  const verbs: VerbHandlers<typeof droneVerbs> = {
    readDrones: ({ since }) => ok(drones.read(since)),
    readDrone: async ({ id }) => {
      const detail = await drones.detail(id);
      if (detail !== null) return ok(detail);
      return account.refuse({ code: 'not-found', sentence: message('drone.gone'), remedy: null });
    },
  };
  return Object.assign(drones, { verbs });
}
