import type { Alarm, AlarmKind } from '../../../src-preload/contract/index.ts';
import type { StationTime } from '../domain/stationTime.ts';
import type { Clock } from '../ports.ts';

const minuteMs = 60_000;

/**
 * How long an alarm stays once what it tells of has passed, milliseconds. An integration that goes down again
 * within it is the same alarm, which does not sound again; null for an API, whose outage tells itself when it is over.
 */
const settleMs: Readonly<Record<AlarmKind, number | null>> = {
  incident: minuteMs,
  escalation: minuteMs,
  summary: minuteMs,
  integration: 5 * minuteMs,
  session: minuteMs,
  upload: minuteMs,
  connection: null,
};

export interface SettlingOptions {
  readonly clock: Clock;
  readonly stationTime: Pick<StationTime, 'stationNow'>;
  /** The alarms that are not acknowledged. */
  readonly active: () => readonly Alarm[];
  /** Each has told for long enough that its cause has passed. */
  readonly onOver: (ids: readonly string[]) => void;
}

/** Clears alarms by themselves some time after their cause has passed. */
export class Settling {
  readonly #options: SettlingOptions;
  #cancel: (() => void) | null = null;

  constructor(options: SettlingOptions) {
    this.#options = options;
  }

  /** The alarms changed. Calls `onOver` at once for what is due. */
  review(): void {
    const { active, stationTime, onOver } = this.#options;
    this.stop();
    const now = stationTime.stationNow();
    const due = active().flatMap(({ id, kind, recoveredAt }) => {
      const stays = settleMs[kind];
      return recoveredAt === null || stays === null ? [] : [{ id, left: recoveredAt + stays - now }];
    });
    const over = due.filter(({ left }) => left <= 0).map(({ id }) => id);
    if (over.length > 0) {
      // What follows from it is reviewed again.
      onOver(over);
      return;
    }
    const next = Math.min(...due.map(({ left }) => left));
    if (due.length > 0) this.#cancel = this.#options.clock.schedule(next, () => this.review());
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }
}
