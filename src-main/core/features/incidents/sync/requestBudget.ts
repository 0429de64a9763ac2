import type { Clock } from '../../../base/ports.ts';

const minuteMs = 60_000;

export interface RequestBudgetOptions {
  readonly clock: Clock;
  readonly perMinute: number;
  /** How many requests a minute are kept for what an operator waits for: the newest window. */
  readonly reserve: number;
}

/**
 * Bounds the requests of any minute. A minute's worth may leave at once, so that a small service is
 * read in seconds; after that each request waits until one of them is a minute old.
 */
export class RequestBudget {
  readonly #clock: Clock;
  readonly #perMinute: number;
  readonly #reserve: number;
  /** Times of the last requests, oldest first from `#first` on. */
  #sent: number[] = [];
  #first = 0;

  constructor({ clock, perMinute, reserve }: RequestBudgetOptions) {
    this.#clock = clock;
    this.#perMinute = perMinute;
    this.#reserve = Math.min(reserve, Math.floor(perMinute / 2));
  }

  get perMinute(): number {
    return this.#perMinute;
  }

  get lastMinute(): number {
    this.#forget();
    return this.#sent.length - this.#first;
  }

  /** Takes one request; false when it must wait. The reserve is for `urgent` ones only. */
  take(urgent: boolean): boolean {
    if (this.waitMs(urgent) > 0) return false;
    this.#sent.push(this.#clock.elapsed());
    return true;
  }

  /** How long a request must wait, milliseconds. */
  waitMs(urgent: boolean): number {
    this.#forget();
    const allowed = urgent ? this.#perMinute : this.#perMinute - this.#reserve;
    const blocking = this.#sent[this.#sent.length - allowed];
    if (this.#sent.length - this.#first < allowed || blocking === undefined) return 0;
    return Math.max(1, blocking + minuteMs - this.#clock.elapsed());
  }

  #forget(): void {
    const before = this.#clock.elapsed() - minuteMs;
    while (this.#first < this.#sent.length && (this.#sent[this.#first] ?? 0) <= before) this.#first += 1;
    if (this.#first < 1000) return;
    this.#sent = this.#sent.slice(this.#first);
    this.#first = 0;
  }
}
