import type { Clock, Logger } from './ports.ts';

export interface ScopeOptions {
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * A lifetime: of the application, of the connection to one deployment, of one operator's open vault. What is made in
 * it ends with it, so that nothing inside asks whether it is still open.
 *
 * It ends in two steps. At once, the latest first: timers are cancelled, `signal` is aborted, listeners leave, and what
 * is still to be written is taken, since the store is emptied right after an account ends. Then what was deferred
 * is done, the latest first and one after another: each may still use what was made before it.
 */
export class Scope implements AsyncDisposable {
  readonly #options: ScopeOptions;
  readonly #controller = new AbortController();
  /** In the order of making. */
  readonly #ends = new Set<() => void>();
  readonly #deferred = new Set<() => void | PromiseLike<void>>();
  readonly #timers = new Set<() => void>();
  #disposal: Promise<void> | null = null;
  /** The clock for what is made in it: its timers are the scope's, and never run after the end. */
  readonly clock: Clock;

  constructor(options: ScopeOptions) {
    const { clock } = options;
    this.#options = options;
    this.clock = {
      wallNow: () => clock.wallNow(),
      elapsed: () => clock.elapsed(),
      schedule: (ms, run) => this.#schedule(ms, run),
    };
  }

  /** Aborted when the scope ends. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isOver(): boolean {
    return this.#controller.signal.aborted;
  }

  /** Runs `end` at the moment the scope ends; at once where it has ended. It must not throw. */
  onEnd(end: () => void): void {
    if (this.isOver) this.#endOne(end);
    else this.#ends.add(end);
  }

  /** Does `work` as a part of the disposal. */
  defer(work: () => void | PromiseLike<void>): void {
    if (this.isOver) throw new Error('The scope is over');
    this.#deferred.add(work);
  }

  /** Begins `close` at the moment the scope ends, and waits for it as a part of the disposal. */
  closing(close: () => Promise<unknown>): void {
    let closed: Promise<unknown> = Promise.resolve();
    this.onEnd(() => {
      closed = close();
      // Heard in its turn.
      closed.catch(() => undefined);
    });
    this.defer(async () => {
      await closed;
    });
  }

  /** A scope that ends at the latest with this one. */
  child(): Scope {
    const child = new Scope(this.#options);
    const dispose = (): void => void child[Symbol.asyncDispose]();
    this.onEnd(dispose);
    if (this.isOver) return child;
    const disposed = (): Promise<void> => child[Symbol.asyncDispose]();
    this.defer(disposed);
    // A child that ended before leaves nothing behind here.
    child.defer(() => {
      this.#ends.delete(dispose);
      this.#deferred.delete(disposed);
    });
    return child;
  }

  /** Ends it, once; settles when all of it is done. Never rejects: what fails is logged, and the rest goes on. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#disposal ??= this.#dispose();
    return this.#disposal;
  }

  #schedule(ms: number, run: () => void): () => void {
    if (this.isOver) return () => undefined;
    const cancel = this.#options.clock.schedule(ms, () => {
      this.#timers.delete(cancel);
      run();
    });
    this.#timers.add(cancel);
    return () => {
      this.#timers.delete(cancel);
      cancel();
    };
  }

  async #dispose(): Promise<void> {
    this.#controller.abort();
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
    for (const end of [...this.#ends].reverse()) this.#endOne(end);
    for (const work of [...this.#deferred].reverse()) {
      try {
        await work();
      } catch (error) {
        this.#broke(error);
      }
    }
  }

  #endOne(end: () => void): void {
    try {
      end();
    } catch (error) {
      this.#broke(error);
    }
  }

  #broke(error: unknown): void {
    this.#options.logger.error('disposal-broke', { error: error instanceof Error ? error.name : 'unknown' });
  }
}
