import type { Clock } from '../../../base/ports.ts';

/** How much may come at once after a pause, milliseconds of the rate. */
const burstMs = 500;

/**
 * Bounds how fast bytes come that no operator waits for: a link of a field station is shared with uploads and with what
 * is looked at. `rate` is bytes a second.
 */
export class Pace {
  readonly #clock: Clock;
  readonly #rate: number;
  /** When the bytes that were let through so far are paid for. */
  #paidAt = Number.NEGATIVE_INFINITY;

  constructor(options: { readonly clock: Clock; readonly rate: number }) {
    this.#clock = options.clock;
    this.#rate = options.rate;
  }

  /** Waits until `bytes` more may come. */
  async wait(bytes: number, signal: AbortSignal): Promise<void> {
    const now = this.#clock.elapsed();
    this.#paidAt = Math.max(this.#paidAt, now - burstMs) + (bytes * 1_000) / this.#rate;
    const ms = this.#paidAt - now;
    if (ms <= 0 || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const over = (): void => {
        cancel();
        signal.removeEventListener('abort', over);
        resolve();
      };
      const cancel = this.#clock.schedule(ms, over);
      signal.addEventListener('abort', over);
    });
  }
}
