import type { ConsoleStore } from '../../state/consoleStore.ts';
import type { LocalAccount } from '../context.ts';
import type { AlarmList } from './alarmList.ts';
import type { AlarmMaker } from './alarmMaker.ts';
import { isPresent } from './alarmOrder.ts';
import { NewsTally } from './newsTally.ts';
import { sentences } from './sentences.ts';

/**
 * Follows the incidents of alarms. An alarm counts its active incidents. When all are closed it drops to the lowest
 * level, and gets its level back when one of them opens. An incident that is no longer known was not seen to close, and
 * counts as active. An alarm about more than 10,000 incidents does not know all of them, and keeps its sentence.
 */
export class IncidentEnds {
  readonly #store: ConsoleStore;
  readonly #alarmList: () => AlarmList;
  readonly #maker: AlarmMaker;

  constructor({ store }: LocalAccount, alarmList: () => AlarmList, maker: AlarmMaker) {
    this.#store = store;
    this.#alarmList = alarmList;
    this.#maker = maker;
  }

  /**
   * Looks at the incidents as they are now, at the server time `now`; `changed` are the ids that changed, null for all.
   *
   * @returns whether an alarm changed.
   */
  review(now: number, changed: readonly string[] | null): boolean {
    const alarmList = this.#alarmList();
    const ids = changed === null ? null : new Set(changed);
    let any = false;
    for (const { alarm, members } of alarmList.contents.active) {
      if (members.length < alarm.count || alarm.severity === null) continue;
      if (ids !== null && !members.some((id) => ids.has(id))) continue;
      const tally = this.#active(members);
      if (tally.count > 0) any = this.#recount(alarm.id, tally) || any;
      else if (isPresent(alarm)) {
        any = true;
        alarmList.recover(alarm.id, sentences.closed(alarm.count, this.#typeOf(members), now), now);
      }
    }
    return any;
  }

  #recount(id: string, tally: NewsTally): boolean {
    const alarmList = this.#alarmList();
    const back = alarmList.relapse(id);
    const alarm = alarmList.active.find((one) => one.id === id);
    const recounted = alarm && this.#maker.recounted(alarm, tally);
    if (!recounted) return back;
    const { sentence, severity, level } = alarm;
    if (JSON.stringify(recounted) === JSON.stringify({ sentence, severity, level })) return back;
    alarmList.update(id, recounted);
    return true;
  }

  #active(members: readonly string[]): NewsTally {
    const store = this.#store;
    const tally = new NewsTally(store.scale);
    for (const id of members) {
      const record = store.incidents.recordOf(id);
      if (record === undefined) tally.addUnknown();
      else if (store.isOpen(record.status)) tally.add({ kind: 'incident', record, before: null });
    }
    return tally;
  }

  #typeOf([id = '']: readonly string[]): string {
    return this.#store.incidents.recordOf(id)?.incidentType ?? '';
  }
}
