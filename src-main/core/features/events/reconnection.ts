import { doubled } from '../../base/backoff.ts';
import type { Random } from '../../base/ports.ts';

const leastMs = 1_000;
const mostMs = 60_000;
/** A stream that lasted this long worked: the next failure is the first of its kind. */
const livedMs = 30_000;

/**
 * How long to wait before the next connection: full jitter under a bound that doubles from what the
 * service asks for (1 s when it does not ask), never less than that and never over a minute. Without
 * jitter all consoles of a field would come back in step when the service restarts.
 */
export class Reconnection {
  readonly #random: Random;
  #retryMs = leastMs;
  #failures = 0;

  constructor({ random }: { readonly random: Random }) {
    this.#random = random;
  }

  /** The service's `retry:`, milliseconds; believed between a second and a minute. */
  asked(ms: number): void {
    this.#retryMs = Math.min(Math.max(ms, leastMs), mostMs);
  }

  /** A connection is over; `openMs` is how long it was open, 0 for one that never was. */
  over(openMs: number): number {
    if (openMs >= livedMs) this.#failures = 0;
    this.#failures += 1;
    const bound = doubled(this.#retryMs, this.#failures, mostMs);
    return Math.round(this.#retryMs + (bound - this.#retryMs) * this.#random.fraction());
  }

  /** There is reason to believe that it works again: within two seconds, not all at once. */
  soon(): number {
    return Math.round(leastMs * (1 + this.#random.fraction()));
  }
}
