import { ok, type droneVerbs } from '../../../../src-preload/contract/index.ts';
import { message } from '../../base/messages/message.ts';
import type { AccountContext, VerbHandlers } from '../context.ts';
import type { Evidence } from '../evidence/index.ts';
import { Drones, type DroneSources } from './drones.ts';

export { Drones, dronesAtStart } from './drones.ts';
export type { DroneSilence } from './silence.ts';
export { readPosition, type PositionRule } from './positionReader.ts';

export const openDrones = (
  account: AccountContext,
  {
    evidence,
    alarms,
    ...sources
  }: Pick<DroneSources, 'heard' | 'versions'> & {
    readonly evidence: Evidence;
    readonly alarms: { takeDrones: DroneSources['onSilence'] };
  },
): Drones =>
  new Drones(account, {
    ...sources,
    knowsIncident: (id) => account.store.incidents.has(id),
    evidenceNaming: (id) => evidence.naming(id),
    onSilence: (silence, why) => {
      alarms.takeDrones(silence, why);
    },
  });

export const droneHandlers = (
  { refuse }: AccountContext,
  drones: Drones,
): VerbHandlers<typeof droneVerbs> => ({
  readDrones: ({ since }) => ok(drones.read(since)),
  readDrone: async ({ id }) => {
    const detail = await drones.detail(id);
    if (detail !== null) return ok(detail);
    return refuse({ code: 'not-found', sentence: message('drone.gone'), remedy: null });
  },
});
