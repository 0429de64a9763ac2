import type { Failure } from '../../../../src-preload/contract/index.ts';

/** Answers that come with the failure of a login are no return of the link. */
const leastPauseMs = 2_000;

/**
 * Whether an answer to another request brings the next login forward: when the link was lost, and once
 * between two tries of the login's backoff. Where only the login hangs, everything else that is
 * answered would otherwise have it sent again and again. Times are `Clock.elapsed()`.
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
    // The first lost connection may be all that is seen of a short break; later ones are the login's own.
    if (code === 'unreachable' && this.#failedAt === 0) this.#isLost = true;
    this.#failedAt = now;
  }

  /** The backoff's own time came. */
  tried(): void {
    this.#isHurried = false;
  }

  succeeded(): void {
    this.#isLost = this.#isHurried = false;
    this.#failedAt = 0;
  }

  /** The service answered a request; `waitsFor` is why the session waits for a login, null when it does not. */
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
