import { isInMemoryOnly, type Alarm, type alarmVerbs } from '../../../../src-preload/contract/index.ts';
import { given } from '../../base/json.ts';
import type { AccountContext, ShiftLine, VerbHandlers } from '../context.ts';
import { Alarms } from './alarms.ts';

export { alarmsAtStart, sirenAtStart } from './alarmsState.ts';
export { watchForForgetting } from './forgetting.ts';

export function openAlarms(account: AccountContext): Alarms {
  const log = (kind: ShiftLine['kind'], alarm: Alarm): void => {
    if (isInMemoryOnly(alarm)) return;
    const { sentence, note, incidentIds, count } = alarm;
    const incidentId = count === 1 ? (incidentIds[0] ?? null) : null;
    account.emit('shift-line', { kind, subject: note, alarm: sentence, incidentId });
  };
  const alarms = new Alarms({
    ...account,
    onAcknowledged: (alarm) => {
      log('alarm-acknowledged', alarm);
    },
    onUndone: (alarm) => {
      log('acknowledgement-undone', alarm);
    },
    onLeft: (heard) => {
      account.emit('alarms-ended', heard);
    },
  });
  account.on('wake', () => alarms.wake());
  return alarms;
}

export const alarmHandlers = (alarms: Alarms): VerbHandlers<typeof alarmVerbs> => ({
  acknowledgeAlarm: ({ id, note }) => alarms.acknowledge(id, note),
  acknowledgeAlarms: ({ ids }) =>
    ids === undefined ? alarms.acknowledgeAll() : alarms.acknowledgeThese(ids),
  undoAcknowledgement: () => alarms.undo(),
  snoozeAlarm: ({ id, minutes }) => alarms.snooze(id, minutes),
  readAlarmIncidents: ({ id }) => alarms.incidentsOf(id),
  muteAlarms: ({ minutes }) => alarms.mute(minutes),
  setAlarms: (change) => alarms.set(given(change)),
});
