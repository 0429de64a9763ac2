import type { Alarm, AlarmKind } from '../../../../src-preload/contract/index.ts';
import type { Clock } from '../../base/ports.ts';
import type { ServerTime } from '../../base/serverTime.ts';

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

/** When an alarm whose cause has passed clears itself, server time; null while that has not. */
export function settledAt({ kind, recoveredAt }: Alarm): number | null {
  const stays = settleMs[kind];
  return recoveredAt === null || stays === null ? null : recoveredAt + stays;
}

export interface DueAlarmsOptions {
  readonly clock: Clock;
  readonly serverTime: Pick<ServerTime, 'serverNow'>;
  /** The alarms that are not acknowledged. */
  readonly active: () => readonly Alarm[];
  /** When something is to happen to an alarm, server time; null for never. */
  readonly dueAt: (alarm: Alarm) => number | null;
  /** It is time for these. They must not be due any more afterwards. */
  readonly onDue: (ids: readonly string[]) => void;
}

/** Lets something happen to each alarm at its time. */
export class DueAlarms {
  readonly #options: DueAlarmsOptions;
  #cancel: (() => void) | null = null;

  constructor(options: DueAlarmsOptions) {
    this.#options = options;
  }

  /** The alarms changed. Calls `onDue` at once for what is due. */
  review(): void {
    const { clock, active, dueAt, serverTime, onDue } = this.#options;
    this.#cancel?.();
    this.#cancel = null;
    const now = serverTime.serverNow();
    const left = active().flatMap((alarm) => {
      const at = dueAt(alarm);
      return at === null ? [] : [{ id: alarm.id, left: at - now }];
    });
    const due = left.filter((one) => one.left <= 0).map(({ id }) => id);
    if (due.length > 0) {
      // What follows from it is reviewed again.
      onDue(due);
    } else if (left.length > 0) {
      const next = Math.min(...left.map((one) => one.left));
      this.#cancel = clock.schedule(next, () => {
        this.review();
      });
    }
  }
}
