import type { Failure } from '../../../../src-preload/contract/index.ts';

/** Answers that arrive with a login's failure do not show that the connection is back. */
const leastPauseMs = 2_000;

/**
 * Whether an answer to another request brings the next login forward: after the connection was lost, and once between
 * two tries of the login's backoff. Otherwise, when only the login hangs, every other answer would cause another login.
 * Times are `Clock.elapsed()`.
 */
export class LinkReturn {
  #isLost = false;
  #isHurried = false;
  #failedAt = 0;

  /** A request other than a login did not reach the service. */
  lost(): void {
    this.#isLost = true;
  }

  /** A login had no usable answer. */
  failed({ code }: Failure, now: number): void {
    // The first lost connection may be the only sign of a short break. Later ones are the login's own.
    if (code === 'unreachable' && this.#failedAt === 0) this.#isLost = true;
    this.#failedAt = now;
  }

  /** The time of the backoff came. */
  tried(): void {
    this.#isHurried = false;
  }

  succeeded(): void {
    this.#isLost = this.#isHurried = false;
    this.#failedAt = 0;
  }

  /** The service answered a request. `waitsFor` is why the session waits for a login; null when it does not. */
  returned(waitsFor: Failure | null, now: number): boolean {
    if (waitsFor === null) {
      this.#isLost = false;
      return false;
    }
    if (!this.#isLost || this.#isHurried || now - this.#failedAt < leastPauseMs) return false;
    const { code, retryAt } = waitsFor;
    if (retryAt !== null || (code !== 'unreachable' && code !== 'timed-out')) return false;
    this.#isLost = false;
    this.#isHurried = true;
    return true;
  }
}
