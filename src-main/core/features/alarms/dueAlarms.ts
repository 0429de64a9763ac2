import type { Alarm, AlarmKind, AlarmSettings } from '../../../../src-preload/contract/index.ts';
import { Timer } from '../../base/timer.ts';
import type { LocalAccount } from '../context.ts';
import { calls } from './alarmOrder.ts';

const minuteMs = 60_000;

/**
 * How long an alarm stays after its cause ended, milliseconds. An integration that goes down again within this time has
 * the same alarm, which does not sound again. Null for an API, whose recovery has another rule (serviceOutages.ts).
 */
const settleMs: Readonly<Record<AlarmKind, number | null>> = {
  incident: minuteMs,
  escalation: minuteMs,
  summary: minuteMs,
  integration: 5 * minuteMs,
  session: minuteMs,
  upload: minuteMs,
  record: minuteMs,
  connection: null,
  drone: minuteMs,
};

/** When an alarm whose cause has ended clears itself, server time; null while the cause lasts. */
export function settledAt({ kind, recoveredAt }: Alarm): number | null {
  const stays = settleMs[kind];
  return recoveredAt === null || stays === null ? null : recoveredAt + stays;
}

/**
 * When an alarm without an acknowledgement becomes an emergency, server time; null for never, as for a silent drone.
 */
export const escalatesAt = (
  alarm: Alarm,
  { escalateAfterMs }: Pick<AlarmSettings, 'escalateAfterMs'>,
): number | null =>
  escalateAfterMs === null || alarm.kind === 'drone' || alarm.escalatedAt !== null || !calls(alarm)
    ? null
    : alarm.at + escalateAfterMs;

/** Calls `onDue` for each alarm at its time. */
export class DueAlarms {
  readonly #account: LocalAccount;
  readonly #active: () => readonly Alarm[];
  readonly #dueAt: (alarm: Alarm) => number | null;
  readonly #onDue: (ids: readonly string[]) => void;
  readonly #timer: Timer;

  /**
   * `active`: the alarms that are not acknowledged. `dueAt`: when the time of one comes, server time; null for never.
   * After `onDue` it must give another answer for these alarms.
   */
  constructor(
    account: LocalAccount,
    active: () => readonly Alarm[],
    dueAt: (alarm: Alarm) => number | null,
    onDue: (ids: readonly string[]) => void,
  ) {
    this.#account = account;
    this.#active = active;
    this.#dueAt = dueAt;
    this.#onDue = onDue;
    this.#timer = new Timer(account.clock, () => this.review());
  }

  /** The alarms changed. Calls `onDue` at once for those that are due. */
  review(): void {
    this.#timer.stop();
    const now = this.#account.serverNow();
    const left = this.#active().flatMap((alarm) => {
      const at = this.#dueAt(alarm);
      return at === null ? [] : [{ id: alarm.id, left: at - now }];
    });
    const due = left.filter((one) => one.left <= 0).map(({ id }) => id);
    if (due.length > 0) {
      // `onDue` changes the alarms, and that calls `review` again.
      this.#onDue(due);
    } else if (left.length > 0) {
      this.#timer.set(Math.min(...left.map((one) => one.left)));
    }
  }
}
