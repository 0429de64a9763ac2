import type { alarmVerbs } from '../../../../src-preload/contract/index.ts';
import { given } from '../../base/json.ts';
import type { AccountContext, VerbHandlers } from '../context.ts';
import { Alarms } from './alarms.ts';

export { alarmsAtStart, sirenAtStart } from './alarmsState.ts';
export { watchForForgetting } from './forgetting.ts';

export function openAlarms(account: AccountContext) {
  const alarms = new Alarms(account);
  account.on('wake', () => alarms.wake());
  const verbs: VerbHandlers<typeof alarmVerbs> = {
    acknowledgeAlarm: ({ id, note }) => alarms.acknowledge([id], note),
    acknowledgeAlarms: ({ ids }) => (ids === undefined ? alarms.acknowledgeAll() : alarms.acknowledge(ids)),
    undoAcknowledgement: () => alarms.undo(),
    snoozeAlarm: ({ id, minutes }) => alarms.snooze(id, minutes),
    readAlarmIncidents: ({ id }) => alarms.incidentsOf(id),
    muteAlarms: ({ minutes }) => alarms.mute(minutes),
    setAlarms: (change) => alarms.set(given(change)),
  };
  return Object.assign(alarms, { verbs });
}
