import { failed, ok, type Failure, type Result } from '../../../src-preload/contract/index.ts';
import { withJitter } from '../base/backoff.ts';
import type { Moments } from '../base/failure.ts';
import { Poller } from '../base/poller.ts';
import type { BasePorts } from '../base/ports.ts';
import { ReadFailures, type ReadCall, type ReadMode } from '../base/readFailures.ts';
import type { Scope } from '../base/scope.ts';
import { Timer } from '../base/timer.ts';

/** What a poller needs of the account. After the end of `scope` nothing is read; the end waits for the running read. */
type PollerAccount = Pick<BasePorts, 'random' | 'logger'> & Moments & { readonly scope: Scope };

export interface ListPollerOptions {
  /** The usual time between two reads now, milliseconds. */
  readonly intervalMs: () => number;
  /** The list's name in the log. */
  readonly name: string;
  /** Whether reads that no operator waits for are left out now. */
  readonly isPaused?: () => boolean;
  /** Reads the whole list and takes its result; null when that succeeded. */
  readonly read: (call: ReadCall) => Promise<Failure | null>;
  /** `reading` or `failure` changed. */
  readonly onChange: () => void;
}

const background: ReadMode = { interactive: false, recheck: false };
const requestMs = 1_000;
/** A read takes at most this share of the interval, so that a long list is not read without a pause. */
const mostShare = 9;

/**
 * Reads one list repeatedly: with jitter, less often after failures, and not at all after a refused scope (interface:
 * 403) until there is another token or an operator asks. One read at a time.
 */
export class ListPoller {
  readonly #account: PollerAccount;
  readonly #options: ListPollerOptions;
  readonly #poller: Poller<ReadMode, Result<null>>;
  readonly #requested: Timer;
  #following: { readonly asked: ReadMode; readonly read: Promise<Result<null>> } | null = null;
  readonly #failures: ReadFailures;
  #tokens = 0;
  #lastMs = 0;
  #endedAt = Number.NEGATIVE_INFINITY;

  constructor(account: PollerAccount, options: ListPollerOptions) {
    this.#account = account;
    this.#options = options;
    this.#failures = new ReadFailures(account);
    const { clock } = account.scope;
    this.#poller = new Poller({
      clock,
      byItself: background,
      run: (asked) =>
        asked === background && options.isPaused?.() === true
          ? Promise.resolve(failed(this.#cancelled()))
          : this.#run(asked),
      after: () => this.#after(),
    });
    this.#requested = new Timer(clock, () => void this.readAnew(background));
    account.scope.defer(async () => {
      await this.#poller.present;
      await this.#following?.read;
    });
  }

  get reading(): boolean {
    return this.#poller.present !== null;
  }

  /** Why the last read failed; null when it did not. */
  get failure(): Failure | null {
    return this.#failures.latest;
  }

  /** How long the last read took, milliseconds. */
  get lastMs(): number {
    return this.#lastMs;
  }

  /** The usual interval. A list that takes long to read makes it longer. */
  get intervalMs(): number {
    return Math.max(this.#options.intervalMs(), mostShare * this.#lastMs);
  }

  start(): void {
    void this.#begin(background);
  }

  /**
   * A read that starts after this call, because a running one may show the time before the change that the caller wants
   * to see. Callers waiting for the same read share it.
   */
  async readAnew(asked: ReadMode): Promise<Result<null>> {
    if (this.#failures.refused && !asked.recheck) return failed(this.failure ?? this.#cancelled());
    const { present } = this.#poller;
    if (present === null) return this.#begin(asked);
    if (this.#following !== null && (this.#following.asked.recheck || !asked.recheck)) {
      return this.#following.read;
    }
    const before = this.#following?.read ?? present;
    const read = before.then(() => this.#begin(asked));
    const following = { asked, read };
    this.#following = following;
    void read.then(() => {
      if (this.#following === following) this.#following = null;
    });
    return read;
  }

  /**
   * An event concerns the list: reads it within 2 s, once for any number of events, and less often if the list is long.
   */
  requestRead(): void {
    if (this.#requested.isSet || this.#failures.refused || this.failure !== null) return;
    const { scope, random } = this.#account;
    const rested = this.#endedAt + (mostShare + 1) * this.#lastMs - scope.clock.elapsed();
    this.#requested.set(Math.max(withJitter(requestMs, random), rested));
  }

  /** Another token may have the scope. */
  tokenChanged(): void {
    this.#tokens += 1;
    if (!this.#failures.refused) return;
    this.#succeeded();
    void this.#begin({ ...background, recheck: true });
    this.#options.onChange();
  }

  /** The connection probably works again. */
  connectionReturned(): void {
    if (this.failure === null || this.#failures.refused || this.reading) return;
    // A time that the service asked for still holds.
    if ((this.failure.retryAt ?? 0) > this.#account.serverNow()) return;
    void this.#begin(background);
  }

  wake(): void {
    if (!this.#failures.refused && !this.reading) void this.#begin(background);
  }

  #begin(asked: ReadMode): Promise<Result<null>> {
    if (this.#account.scope.isOver) return Promise.resolve(failed(this.#cancelled()));
    return this.#poller.now(asked);
  }

  async #run(asked: ReadMode): Promise<Result<null>> {
    const { scope } = this.#account;
    const { clock } = scope;
    const began = clock.elapsed();
    const tokens = this.#tokens;
    // In the next turn, when `reading` is set.
    queueMicrotask(this.#options.onChange);
    const failure = await this.#read(asked);
    this.#lastMs = clock.elapsed() - began;
    this.#endedAt = clock.elapsed();
    if (scope.isOver) return failed(failure ?? this.#cancelled());
    if (failure === null) this.#succeeded();
    else this.#failed(failure, tokens === this.#tokens);
    return failure === null ? ok(null) : failed(failure);
  }

  async #read(asked: ReadMode): Promise<Failure | null> {
    const { scope, logger } = this.#account;
    const { read, name } = this.#options;
    try {
      return await read({ ...asked, signal: scope.signal });
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      logger.error('list-reading-broke', { list: name, detail });
      return this.#account.fail({ code: 'internal' });
    }
  }

  #succeeded(): void {
    this.#failures.granted();
    this.#failures.succeeded();
  }

  #failed(failure: Failure, sameToken: boolean): void {
    const { name } = this.#options;
    const { code, requestId } = failure;
    this.#failures.count();
    this.#failures.note(failure, sameToken);
    this.#account.logger.warn('list-not-read', {
      list: name,
      code,
      requestId,
      failures: this.#failures.inRow,
    });
  }

  /** After a read. Returns when the next one comes. */
  #after(): number | null {
    const { scope, random } = this.#account;
    if (scope.isOver) return null;
    this.#options.onChange();
    if (this.#failures.refused) return null;
    const { intervalMs, failure } = this;
    return failure === null ? withJitter(intervalMs, random) : this.#failures.pauseMs(failure, intervalMs);
  }

  #cancelled(): Failure {
    return this.#account.fail({ code: 'cancelled' });
  }
}
