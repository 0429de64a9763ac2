import { nameOf } from './errors.ts';
import type { BasePorts, Clock } from './ports.ts';

type ScopePorts = Pick<BasePorts, 'clock' | 'logger'>;

/**
 * A lifetime: of the application, of the connection to one deployment, or of one operator's open vault. What is made in
 * a scope ends with it, so that no part has to ask whether its owner still lives.
 *
 * A scope ends in two steps. First, at once and the latest first: timers are cancelled, `signal` is aborted, listeners
 * are removed, and pending writes take their content, because the store is emptied right after an account ends. Then
 * the deferred work runs, the latest first and one after another: each piece may still use what was made before it.
 */
export class Scope implements AsyncDisposable {
  readonly #ports: ScopePorts;
  readonly #controller = new AbortController();
  /** In the order in which they were added. */
  readonly #ends = new Set<() => void>();
  readonly #deferred = new Set<() => void | PromiseLike<void>>();
  readonly #timers = new Set<() => void>();
  #disposal: Promise<void> | null = null;
  /** The clock for everything in this scope. Its timers never run after the scope's end. */
  readonly clock: Clock;

  constructor(ports: ScopePorts) {
    const { clock } = ports;
    this.#ports = ports;
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

  /** Runs `end` in the moment when the scope ends, or at once if it has ended. `end` must not throw. */
  onEnd(end: () => void): void {
    if (this.isOver) this.#endOne(end);
    else this.#ends.add(end);
  }

  /** Runs `work` in the second step of the end. */
  defer(work: () => void | PromiseLike<void>): void {
    if (this.isOver) throw new Error('The scope is over');
    this.#deferred.add(work);
  }

  /** Starts `close` in the moment when the scope ends. The second step waits for it. */
  closing(close: () => Promise<unknown>): void {
    let closed: Promise<unknown> = Promise.resolve();
    this.onEnd(() => {
      closed = close();
      // The second step handles the rejection.
      closed.catch(() => undefined);
    });
    this.defer(async () => {
      await closed;
    });
  }

  /** A scope that ends with this one at the latest. */
  child(): Scope {
    const child = new Scope(this.#ports);
    const dispose = (): void => void child[Symbol.asyncDispose]();
    this.onEnd(dispose);
    if (this.isOver) return child;
    const disposed = (): Promise<void> => child[Symbol.asyncDispose]();
    this.defer(disposed);
    // A child that ends earlier removes itself here.
    child.defer(() => {
      this.#ends.delete(dispose);
      this.#deferred.delete(disposed);
    });
    return child;
  }

  /**
   * Ends the scope, once. Resolves when all work has ended. Never rejects: a failure is logged, and the rest still
   * runs.
   */
  [Symbol.asyncDispose](): Promise<void> {
    this.#disposal ??= this.#dispose();
    return this.#disposal;
  }

  #schedule(ms: number, run: () => void): () => void {
    if (this.isOver) return () => undefined;
    const cancel = this.#ports.clock.schedule(ms, () => {
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
    this.#ports.logger.error('disposal-broke', { error: nameOf(error) });
  }
}
