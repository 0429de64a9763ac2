import type { SyncAccount } from './syncAccount.ts';

const minuteMs = 60_000;

/**
 * Limits the requests of any minute. The requests of a whole minute may be sent at once, so that a small service is
 * read in seconds. After that each request waits until an earlier one is a minute old.
 */
export class RequestBudget {
  readonly #clock: SyncAccount['clock'];
  readonly #perMinute: number;
  /** Requests a minute that only the newest window may use, because an operator waits for it. */
  readonly #reserve: number;
  readonly #needed: () => number;
  /** Times of the last requests, the oldest first. */
  readonly #sent: number[] = [];

  /** `needed`: the most requests a minute that are needed now. Only urgent ones may be more. */
  constructor({ clock, deployment }: Pick<SyncAccount, 'clock' | 'deployment'>, needed: () => number) {
    const { pollIntervals, sync } = deployment;
    this.#clock = clock;
    this.#perMinute = sync.requestsPerMinute;
    const reserve = Math.ceil(minuteMs / pollIntervals.incidentsMs) + 2;
    this.#reserve = Math.min(reserve, Math.floor(this.#perMinute / 2));
    this.#needed = needed;
  }

  get perMinute(): number {
    return this.#perMinute;
  }

  get lastMinute(): number {
    this.#forget();
    return this.#sent.length;
  }

  /** Takes one request; false when it must wait. Only `urgent` ones may use the reserve. */
  take(urgent: boolean): boolean {
    if (this.waitMs(urgent) > 0) return false;
    this.#sent.push(this.#clock.elapsed());
    return true;
  }

  /** How long a request must wait, milliseconds. */
  waitMs(urgent: boolean): number {
    this.#forget();
    const allowed = urgent
      ? this.#perMinute
      : Math.min(this.#perMinute - this.#reserve, Math.ceil(this.#needed()));
    const blocking = this.#sent[this.#sent.length - allowed];
    if (blocking === undefined) return 0;
    return Math.max(1, blocking + minuteMs - this.#clock.elapsed());
  }

  #forget(): void {
    const before = this.#clock.elapsed() - minuteMs;
    while (this.#sent[0] !== undefined && this.#sent[0] <= before) this.#sent.shift();
  }
}
