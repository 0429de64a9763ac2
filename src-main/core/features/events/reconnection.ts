import { doubled } from '../../base/backoff.ts';
import type { Random } from '../../base/ports.ts';

const leastMs = 1_000;
const mostMs = 60_000;
/** A stream that was open for this long worked: the next failure counts as the first. */
const livedMs = 30_000;

/**
 * The wait before the next connection: full jitter below a bound that doubles from the time that the service asks for
 * (1 s without one), at least that time and at most a minute. Without jitter all consoles would reconnect at the same
 * moment when the service restarts.
 */
export class Reconnection {
  readonly #random: Random;
  #retryMs = leastMs;
  #failures = 0;

  constructor({ random }: { readonly random: Random }) {
    this.#random = random;
  }

  /** The service's `retry:`, milliseconds, limited to between a second and a minute. */
  asked(ms: number): void {
    this.#retryMs = Math.min(Math.max(ms, leastMs), mostMs);
  }

  /** A connection ended. `openMs` is how long it was open, 0 if it never was. Returns the wait, milliseconds. */
  over(openMs: number): number {
    if (openMs >= livedMs) this.#failures = 0;
    this.#failures += 1;
    const bound = doubled(this.#retryMs, this.#failures, mostMs);
    return Math.round(this.#retryMs + (bound - this.#retryMs) * this.#random.fraction());
  }

  /** The connection probably works again: a wait within two seconds, at random. */
  soon(): number {
    return Math.round(leastMs * (1 + this.#random.fraction()));
  }
}
