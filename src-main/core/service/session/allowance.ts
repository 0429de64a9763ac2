/**
 * Allows so many logins at once, and one more after each `refillMs`: limits the logins that a service can cause by its
 * answers. Times are `Clock.elapsed()`, which counts sleep.
 */
export class Allowance {
  readonly #most: number;
  readonly #refillMs: number;
  #left: number;
  /** When the last one was added; unused while none has been taken. */
  #filledAt = 0;

  constructor({ most, refillMs }: { readonly most: number; readonly refillMs: number }) {
    this.#most = most;
    this.#refillMs = refillMs;
    this.#left = most;
  }

  /** Takes one; false when none is left. */
  take(now: number): boolean {
    this.#fill(now);
    if (this.#left === 0) return false;
    if (this.#left === this.#most) this.#filledAt = now;
    this.#left -= 1;
    return true;
  }

  /** Milliseconds until one is left; 0 when one is. */
  waitMs(now: number): number {
    this.#fill(now);
    return this.#left > 0 ? 0 : this.#filledAt + this.#refillMs - now;
  }

  #fill(now: number): void {
    const added = Math.floor((now - this.#filledAt) / this.#refillMs);
    if (this.#left === this.#most || added === 0) return;
    this.#left = Math.min(this.#most, this.#left + added);
    this.#filledAt += added * this.#refillMs;
  }
}
