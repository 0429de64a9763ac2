import { failed, ok, type Failure, type Result } from '../../../src-preload/contract/index.ts';
import { pauseAfterFailures, withJitter } from '../base/backoff.ts';
import { makeFailure } from '../base/failure.ts';
import type { Logger, Random } from '../base/ports.ts';
import type { Scope } from '../base/scope.ts';
import type { ServerTime } from '../base/serverTime.ts';

/** How one read is made: for an operator who waits, or past a scope that was missing. */
export interface PollMode {
  readonly interactive: boolean;
  readonly recheck: boolean;
  readonly signal: AbortSignal;
}

export interface ListPollerOptions {
  /** Nothing is read after its end, which waits for the read under way. */
  readonly scope: Scope;
  readonly random: Random;
  readonly logger: Logger;
  readonly serverTime: Pick<ServerTime, 'serverNow'>;
  readonly intervalMs: number;
  /** What is read, for the log. */
  readonly name: string;
  /** Reads the list to its end and takes in what came; null when it succeeded. */
  readonly read: (mode: PollMode) => Promise<Failure | null>;
  /** `reading` or `failure` changed. */
  readonly onChange: () => void;
}

interface Asked {
  readonly interactive: boolean;
  readonly recheck: boolean;
}

const background: Asked = { interactive: false, recheck: false };
const pokeMs = 1_000;
/** A read takes at most this part of the time between two, so that a long list is not read without end. */
const mostShare = 9;

/**
 * Reads one list again and again: with jitter, slower after failures, and not at all once a scope was
 * refused (interface: 403) until there is another token or an operator asks. One read at a time.
 */
export class ListPoller {
  readonly #options: ListPollerOptions;
  #present: Promise<Result<null>> | null = null;
  #following: { readonly asked: Asked; readonly read: Promise<Result<null>> } | null = null;
  #cancelNext: (() => void) | null = null;
  #cancelPoke: (() => void) | null = null;
  #failure: Failure | null = null;
  #failures = 0;
  #refused = false;
  #tokens = 0;
  #lastMs = 0;
  #endedAt = Number.NEGATIVE_INFINITY;

  constructor(options: ListPollerOptions) {
    this.#options = options;
    options.scope.defer(async () => {
      await this.#present;
      await this.#following?.read;
    });
  }

  get reading(): boolean {
    return this.#present !== null;
  }

  /** Why the last read failed; null when it did not. */
  get failure(): Failure | null {
    return this.#failure;
  }

  /** The usual time between two reads, which a list that takes long to read makes longer. */
  get intervalMs(): number {
    return Math.max(this.#options.intervalMs, mostShare * this.#lastMs);
  }

  start(): void {
    void this.#begin(background);
  }

  /**
   * A read that begins after this call, since an answer to an earlier question may be of a time before
   * what the caller wants to know about. Calls that wait for the same read share it.
   */
  async readAnew(asked: Asked): Promise<Result<null>> {
    if (this.#refused && !asked.recheck) return failed(this.#failure ?? this.#cancelled());
    if (this.#present === null) return this.#begin(asked);
    if (this.#following !== null && (this.#following.asked.recheck || !asked.recheck)) {
      return this.#following.read;
    }
    const before = this.#following?.read ?? this.#present;
    const read = before.then(() => this.#begin(asked));
    const following = { asked, read };
    this.#following = following;
    void read.then(() => {
      if (this.#following === following) this.#following = null;
    });
    return read;
  }

  /** Something concerns the list: reads it within 2 s, however many say so, and less often if it is long. */
  hint(): void {
    if (this.#cancelPoke !== null || this.#refused || this.#failures > 0) return;
    const { scope, random } = this.#options;
    const rested = this.#endedAt + (mostShare + 1) * this.#lastMs - scope.clock.elapsed();
    const ms = Math.max(withJitter(pokeMs, random), rested);
    this.#cancelPoke = scope.clock.schedule(ms, () => {
      this.#cancelPoke = null;
      void this.readAnew(background);
    });
  }

  /** Another token may have the scope. */
  tokenChanged(): void {
    this.#tokens += 1;
    if (!this.#refused) return;
    this.#refused = false;
    this.#failure = null;
    this.#failures = 0;
    void this.#begin({ ...background, recheck: true });
    this.#options.onChange();
  }

  /** There is reason to believe that reading works again. */
  connectionReturned(): void {
    if (this.#failure === null || this.#refused || this.#present !== null) return;
    // A time that the service itself has named is kept.
    if ((this.#failure.retryAt ?? 0) > this.#options.serverTime.serverNow()) return;
    void this.#begin(background);
  }

  wake(): void {
    if (!this.#refused && this.#present === null) void this.#begin(background);
  }

  #begin(asked: Asked): Promise<Result<null>> {
    if (this.#options.scope.isOver) return Promise.resolve(failed(this.#cancelled()));
    this.#present ??= this.#run(asked).finally(() => {
      this.#present = null;
      if (!this.#options.scope.isOver) this.#options.onChange();
    });
    return this.#present;
  }

  async #run(asked: Asked): Promise<Result<null>> {
    const { scope, onChange } = this.#options;
    const { clock } = scope;
    this.#cancelNext?.();
    this.#cancelNext = null;
    const began = clock.elapsed();
    const tokens = this.#tokens;
    // Told in the next turn: `reading` holds once this call has come back.
    queueMicrotask(onChange);
    const failure = await this.#read(asked);
    this.#lastMs = clock.elapsed() - began;
    this.#endedAt = clock.elapsed();
    if (scope.isOver) return failed(failure ?? this.#cancelled());
    if (failure === null) this.#succeeded();
    else this.#failed(failure, tokens === this.#tokens);
    this.#schedule();
    return failure === null ? ok(null) : failed(failure);
  }

  async #read(asked: Asked): Promise<Failure | null> {
    const { scope, read, logger, name, serverTime } = this.#options;
    try {
      return await read({ ...asked, signal: scope.signal });
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      logger.error('list-reading-broke', { list: name, detail });
      return makeFailure({ code: 'internal', at: serverTime.serverNow() });
    }
  }

  #succeeded(): void {
    this.#failure = null;
    this.#failures = 0;
    this.#refused = false;
  }

  /** `sameToken`: a refusal that an older token met says nothing about the present one. */
  #failed(failure: Failure, sameToken: boolean): void {
    const { logger, name } = this.#options;
    const { code, requestId } = failure;
    this.#failures += 1;
    this.#failure = failure;
    this.#refused ||= code === 'not-granted' && sameToken;
    logger.warn('list-not-read', { list: name, code, requestId, failures: this.#failures });
  }

  #schedule(): void {
    if (this.#refused) return;
    const { scope, random, serverTime } = this.#options;
    const { intervalMs } = this;
    const retryAt = this.#failure?.retryAt ?? null;
    const ms =
      this.#failures === 0
        ? withJitter(intervalMs, random)
        : pauseAfterFailures({
            intervalMs,
            failures: this.#failures,
            retryAfterMs: retryAt === null ? null : retryAt - serverTime.serverNow(),
            random,
          });
    this.#cancelNext = scope.clock.schedule(ms, () => {
      this.#cancelNext = null;
      void this.#begin(background);
    });
  }

  #cancelled(): Failure {
    return makeFailure({ code: 'cancelled', at: this.#options.serverTime.serverNow() });
  }
}
