import type { IsOpen } from '../../../../src-preload/contract/index.ts';
import type { ConsoleStore } from '../../state/consoleStore.ts';
import type { AlarmList, ListedAlarm } from './alarmList.ts';
import { isPresent } from './alarmOrder.ts';
import { sentences } from './sentences.ts';

export interface IncidentEndsOptions {
  readonly store: Pick<ConsoleStore, 'incidents'>;
  readonly alarmList: () => AlarmList;
  readonly isOpen: IsOpen;
}

/**
 * Follows the incidents of alarms. An alarm whose incidents are all closed drops to the lowest level, and gets its
 * level back when one of them opens. An incident that is no longer known was not seen to close, and counts as open.
 */
export class IncidentEnds {
  readonly #options: IncidentEndsOptions;
  /** One open incident of each alarm: while that stays open, a change needs no look at the others. */
  readonly #witnesses = new Map<string, string>();

  constructor(options: IncidentEndsOptions) {
    this.#options = options;
  }

  /**
   * Looks at the incidents as they are now, at the server time `now`.
   *
   * @returns whether an alarm changed.
   */
  review(now: number): boolean {
    const alarmList = this.#options.alarmList();
    let changed = false;
    for (const booked of alarmList.contents.active) {
      const { alarm, members } = booked;
      if (members.length < alarm.count || alarm.severity === null) continue;
      const over = !this.#hasOpen(booked);
      if (over !== isPresent(alarm)) continue;
      changed = true;
      if (over) alarmList.recover(alarm.id, sentences.closed(alarm.count, this.#typeOf(members), now), now);
      else alarmList.relapse(alarm.id);
    }
    const ids = new Set(alarmList.active.map(({ id }) => id));
    for (const id of this.#witnesses.keys()) if (!ids.has(id)) this.#witnesses.delete(id);
    return changed;
  }

  #hasOpen({ alarm: { id }, members }: ListedAlarm): boolean {
    const witness = this.#witnesses.get(id);
    if (witness !== undefined && this.#isOpen(witness)) return true;
    const open = members.find((member) => this.#isOpen(member));
    if (open === undefined) this.#witnesses.delete(id);
    else this.#witnesses.set(id, open);
    return open !== undefined;
  }

  #isOpen(id: string): boolean {
    const record = this.#options.store.incidents.recordOf(id);
    return record === undefined || this.#options.isOpen(record.status);
  }

  #typeOf([id = '']: readonly string[]): string {
    return this.#options.store.incidents.recordOf(id)?.incidentType ?? '';
  }
}
