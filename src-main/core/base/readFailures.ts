import type { Failure } from '../../../src-preload/contract/index.ts';
import { pauseAfterFailures } from './backoff.ts';
import type { Moments } from './failure.ts';
import type { BasePorts } from './ports.ts';

/** The kind of a read: for a waiting operator, or despite a missing scope. */
export interface ReadMode {
  readonly interactive: boolean;
  readonly recheck: boolean;
}

/** One read. `signal` ends it. */
export interface ReadCall extends ReadMode {
  readonly signal: AbortSignal;
}

/**
 * What failed reads of a list mean for the next ones: longer pauses after each failure in a row, and after a missing
 * scope (interface: 403) none until there is another token or an operator asks.
 */
export class ReadFailures {
  readonly #context: Pick<BasePorts, 'random'> & Pick<Moments, 'serverNow'>;
  #latest: Failure | null = null;
  #inRow = 0;
  #refused = false;

  constructor(context: Pick<BasePorts, 'random'> & Pick<Moments, 'serverNow'>) {
    this.#context = context;
  }

  /** Why the last read failed; null when it did not. */
  get latest(): Failure | null {
    return this.#latest;
  }

  get inRow(): number {
    return this.#inRow;
  }

  /** A scope is missing: only an operator's own read is sent. */
  get refused(): boolean {
    return this.#refused;
  }

  /** One more failure in a row. */
  count(): void {
    this.#inRow += 1;
  }

  /** `sameToken` false: the refusal met an older token, and says nothing about the present one. */
  note(failure: Failure, sameToken = true): void {
    this.#latest = failure;
    this.#refused ||= failure.code === 'not-granted' && sameToken;
  }

  succeeded(): void {
    this.#latest = null;
    this.#inRow = 0;
  }

  /** The connection has probably returned: the next failure counts as the first. */
  restart(): void {
    this.#inRow = 0;
  }

  /** The token may have the scope now. */
  granted(): void {
    this.#refused = false;
  }

  /** Milliseconds to the next read after `failure`, where reads are usually `intervalMs` apart. */
  pauseMs({ retryAt }: Pick<Failure, 'retryAt'>, intervalMs: number): number {
    const { random, serverNow } = this.#context;
    const retryAfterMs = retryAt === null ? null : retryAt - serverNow();
    return pauseAfterFailures({ intervalMs, failures: this.#inRow, retryAfterMs, random });
  }
}
