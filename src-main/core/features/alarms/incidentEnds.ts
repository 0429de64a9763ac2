import type { IsOpen, SeverityScale } from '../../../../src-preload/contract/index.ts';
import type { ConsoleStore } from '../../state/consoleStore.ts';
import type { AlarmList } from './alarmList.ts';
import type { AlarmMaker } from './alarmMaker.ts';
import { isPresent } from './alarmOrder.ts';
import { NewsTally } from './newsTally.ts';
import { sentences } from './sentences.ts';

export interface IncidentEndsOptions {
  readonly store: Pick<ConsoleStore, 'incidents'>;
  readonly alarmList: () => AlarmList;
  readonly isOpen: IsOpen;
  readonly scale: () => SeverityScale;
  readonly maker: Pick<AlarmMaker, 'recounted'>;
}

/**
 * Follows the incidents of alarms. An alarm counts its active incidents. When all are closed it drops to the lowest
 * level, and gets its level back when one of them opens. An incident that is no longer known was not seen to close, and
 * counts as active. An alarm about more than 10,000 incidents does not know all of them, and keeps its sentence.
 */
export class IncidentEnds {
  readonly #options: IncidentEndsOptions;

  constructor(options: IncidentEndsOptions) {
    this.#options = options;
  }

  /**
   * Looks at the incidents as they are now, at the server time `now`; `changed` are the ids that changed, null for all.
   *
   * @returns whether an alarm changed.
   */
  review(now: number, changed: readonly string[] | null): boolean {
    const alarmList = this.#options.alarmList();
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
    const alarmList = this.#options.alarmList();
    const back = alarmList.relapse(id);
    const alarm = alarmList.active.find((one) => one.id === id);
    const recounted = alarm && this.#options.maker.recounted(alarm, tally);
    if (!recounted) return back;
    const { sentence, severity, level } = alarm;
    if (JSON.stringify(recounted) === JSON.stringify({ sentence, severity, level })) return back;
    alarmList.update(id, recounted);
    return true;
  }

  #active(members: readonly string[]): NewsTally {
    const { store, isOpen, scale } = this.#options;
    const tally = new NewsTally(scale());
    for (const id of members) {
      const record = store.incidents.recordOf(id);
      if (record === undefined) tally.addUnknown();
      else if (isOpen(record.status)) tally.add({ kind: 'incident', record, before: null });
    }
    return tally;
  }

  #typeOf([id = '']: readonly string[]): string {
    return this.#options.store.incidents.recordOf(id)?.incidentType ?? '';
  }
}
