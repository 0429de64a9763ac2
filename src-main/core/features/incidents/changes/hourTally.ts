import type { SeverityClass } from '../../../../../src-preload/contract/index.ts';
import { rose } from '../severityOrder.ts';

/** The part of an incident that is counted: its severity, and whether it is open. */
export interface TalliedIncident {
  readonly severity: SeverityClass;
  readonly open: boolean;
}

export interface HourCounts {
  readonly came: number;
  readonly rose: number;
  readonly resolved: number;
  /** Minutes of the hour without a reading. */
  readonly unreadMinutes: number;
}

const minutesOfHour = 60;
/** Beyond this many incidents in one hour, changes are counted but can no longer be taken back. */
const mostRemembered = 10_000;

interface Minute {
  readonly minute: number;
  came: number;
  rose: number;
  resolved: number;
  unread: boolean;
}

/** What an incident counted for, and in which minute. */
interface Counted {
  readonly minute: number;
  /** Its severity before. */
  readonly from: SeverityClass;
}

/**
 * Counts the changes of incidents in the last 60 minutes, minute by minute. A minute is any whole number that never
 * falls, so that setting a clock does not matter. A change that is undone within the hour is taken back: an incident
 * that is resolved and opened again, or whose severity rises and falls to what it was, counts for nothing.
 */
export class HourTally {
  /** The oldest first, at most 60. Minutes without a change are missing. */
  readonly #minutes: Minute[] = [];
  readonly #rises = new Map<string, Counted>();
  readonly #ends = new Map<string, Counted>();

  /** The counts of the hour that ends with `minute`. */
  counts(minute: number): HourCounts {
    this.#expire(minute);
    const sum = (of: (one: Minute) => number): number =>
      this.#minutes.reduce((total, one) => total + of(one), 0);
    return {
      came: sum(({ came }) => came),
      rose: sum((one) => one.rose),
      resolved: sum(({ resolved }) => resolved),
      unreadMinutes: sum(({ unread }) => Number(unread)),
    };
  }

  /** Counts one change. `before` null: the incident is new. One that opens again counts as new. */
  take(
    id: string,
    before: TalliedIncident | null,
    { severity, open }: TalliedIncident,
    minute: number,
  ): void {
    if (before === null) {
      if (open) this.#at(minute).came += 1;
      return;
    }
    if (before.open && !open) {
      this.#at(minute).resolved += 1;
      remember(this.#ends, id, { minute, from: before.severity });
    }
    if (!before.open && open) this.#takeOpened(id, minute);
    if (open) this.#takeSeverity(id, before.severity, severity, minute);
  }

  /** There was no reading from the minute `from` until `to`. */
  markUnread(from: number, to: number): void {
    for (let minute = Math.max(from, to - minutesOfHour + 1); minute < to; minute += 1)
      this.#at(minute).unread = true;
  }

  #takeOpened(id: string, minute: number): void {
    const ended = this.#ends.get(id);
    this.#ends.delete(id);
    const at = ended && this.#known(ended.minute);
    if (at) at.resolved -= 1;
    else this.#at(minute).came += 1;
  }

  #takeSeverity(id: string, before: SeverityClass, after: SeverityClass, minute: number): void {
    const risen = this.#rises.get(id);
    const at = risen && this.#known(risen.minute);
    if (risen && at) {
      if (rose(risen.from, after)) return;
      at.rose -= 1;
      this.#rises.delete(id);
      return;
    }
    if (!rose(before, after)) return;
    this.#at(minute).rose += 1;
    remember(this.#rises, id, { minute, from: before });
  }

  #known(minute: number): Minute | undefined {
    return this.#minutes.find((one) => one.minute === minute);
  }

  #at(minute: number): Minute {
    const known = this.#known(minute);
    if (known) return known;
    const made = { minute, came: 0, rose: 0, resolved: 0, unread: false };
    const before = this.#minutes.findLastIndex((one) => one.minute < minute);
    this.#minutes.splice(before + 1, 0, made);
    return made;
  }

  #expire(minute: number): void {
    const first = minute - minutesOfHour + 1;
    while ((this.#minutes[0]?.minute ?? first) < first) this.#minutes.shift();
    for (const counted of [this.#rises, this.#ends])
      for (const [id, one] of counted) {
        if (one.minute >= first) break;
        counted.delete(id);
      }
  }
}

/** Inserts in the order of the minutes. */
function remember(counted: Map<string, Counted>, id: string, one: Counted): void {
  counted.delete(id);
  counted.set(id, one);
  const [oldest] = counted.keys();
  if (counted.size > mostRemembered && oldest !== undefined) counted.delete(oldest);
}
