import type { Failure } from '../../../../../src-preload/contract/index.ts';
import { ReadFailures, type ReadMode } from '../../../base/readFailures.ts';
import type { SyncAccount } from './syncAccount.ts';

type BackoffAccount = Pick<SyncAccount, 'clock' | 'logger' | 'random' | 'serverNow' | 'deployment'>;

/** The effect of failures on reading: how long it waits, and whether only an operator or a new token continues it. */
export class SyncBackoff {
  readonly #account: BackoffAccount;
  readonly failures: ReadFailures;
  #pausedUntil = 0;

  constructor(account: BackoffAccount) {
    this.#account = account;
    this.failures = new ReadFailures(account);
  }

  /** `Clock.elapsed()` before which only an operator's own read is sent. */
  get pausedUntil(): number {
    return this.#pausedUntil;
  }

  succeeded({ interactive, recheck }: ReadMode): void {
    if (recheck) this.failures.granted();
    // This read began before another one failed, so it says nothing about the time after.
    if (!interactive && this.#account.clock.elapsed() < this.#pausedUntil) return;
    this.#pausedUntil = 0;
    this.failures.succeeded();
  }

  failed(failure: Failure): void {
    const { clock, logger, deployment } = this.#account;
    const { incidentsMs: intervalMs } = deployment.pollIntervals;
    const failures = this.failures;
    // Reads that fail together count as one failure: they have the same cause.
    if (clock.elapsed() >= this.#pausedUntil) failures.count();
    if (failure.code !== 'cancelled') {
      const { code, requestId } = failure;
      logger.warn('incidents-not-read', { code, requestId, failures: failures.inRow });
      failures.note(failure);
    }
    this.#pausedUntil = Math.max(this.#pausedUntil, clock.elapsed() + failures.pauseMs(failure, intervalMs));
  }

  /** Reading probably works again: continues at `elapsed`, but not before the time that the service asked for (429). */
  resume(elapsed: number): void {
    const { clock, serverNow } = this.#account;
    this.failures.restart();
    const { latest } = this.failures;
    if (this.#pausedUntil === 0) return;
    const asked = latest?.code === 'too-many-requests' ? latest.retryAt : null;
    const askedMs = (asked ?? 0) - serverNow();
    this.#pausedUntil = Math.max(elapsed, Math.min(this.#pausedUntil, clock.elapsed() + askedMs));
  }
}
