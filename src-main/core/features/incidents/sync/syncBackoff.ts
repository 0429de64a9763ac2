import type { Failure } from '../../../../../src-preload/contract/index.ts';
import { pauseAfterFailures } from '../../../base/backoff.ts';
import type { Clock, Logger, Random } from '../../../base/ports.ts';
import type { ServerTime } from '../../../base/serverTime.ts';

export interface SyncBackoffOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly serverTime: Pick<ServerTime, 'serverNow'>;
  readonly intervalMs: number;
}

/** How a read was made: for an operator who waits, or past a scope that was missing. */
export interface ReadMode {
  readonly interactive: boolean;
  readonly recheck: boolean;
}

/** What failures make of the reading: how long it waits, and whether it has to wait for somebody. */
export class SyncBackoff {
  readonly #options: SyncBackoffOptions;
  #failures = 0;
  #pausedUntil = 0;
  #failure: Failure | null = null;
  #refused = false;

  constructor(options: SyncBackoffOptions) {
    this.#options = options;
  }

  /** Why the last read failed; null when it did not. */
  get failure(): Failure | null {
    return this.#failure;
  }

  /** A scope is missing (interface: Authentication): only an operator's own read is sent. */
  get refused(): boolean {
    return this.#refused;
  }

  /** `Clock.elapsed()` before which only an operator's own read is sent. */
  get pausedUntil(): number {
    return this.#pausedUntil;
  }

  succeeded({ interactive, recheck }: ReadMode): void {
    if (recheck) this.#refused = false;
    // A read that was under way when another failed says nothing about what came after.
    if (!interactive && this.#options.clock.elapsed() < this.#pausedUntil) return;
    this.#failures = this.#pausedUntil = 0;
    this.#failure = null;
  }

  failed(failure: Failure): void {
    const { clock, random, logger, serverTime, intervalMs } = this.#options;
    // Reads that fail together are one failure: they met the same trouble.
    if (clock.elapsed() >= this.#pausedUntil) this.#failures += 1;
    if (failure.code !== 'cancelled') {
      const { code, requestId } = failure;
      logger.warn('incidents-not-read', { code, requestId, failures: this.#failures });
      this.#failure = failure;
      this.#refused ||= code === 'not-granted';
    }
    const retryAfterMs = failure.retryAt === null ? null : failure.retryAt - serverTime.serverNow();
    const pause = pauseAfterFailures({ intervalMs, failures: this.#failures, retryAfterMs, random });
    this.#pausedUntil = Math.max(this.#pausedUntil, clock.elapsed() + pause);
  }

  /** There is reason to believe that it works again: at `elapsed`. */
  resume(elapsed: number): void {
    this.#failures = 0;
    if (this.#pausedUntil > 0) this.#pausedUntil = elapsed;
  }

  /** The scope may be there now. */
  clear(): void {
    this.#refused = false;
  }
}
