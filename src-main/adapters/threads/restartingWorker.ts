import type { Clock } from '../../core/base/ports.ts';
import { StorageError } from '../../core/vault/storage.ts';
import type { Restarts } from './restarts.ts';

/** A thread as its owner sees it. */
export interface TerminableWorker {
  /** Whether it ended though nobody ended it. */
  readonly died: boolean;
  /** Settles when the system is done with it: what it had open is closed then. */
  readonly gone: Promise<void>;
  end(): Promise<void>;
}

/**
 * A thread that is started anew when it dies: out of memory, by a fault of the runtime, by the system.
 * What was asked of it and not answered is asked again, so only questions belong here that may be
 * answered twice. When there were too many deaths they reject with the reason `interrupted`.
 */
export class RestartingWorker<T extends TerminableWorker> {
  readonly #begin: () => Promise<T>;
  readonly #restarts: Restarts;
  readonly #clock: Pick<Clock, 'schedule'>;
  #thread: T;
  #reviving: Promise<T> | null = null;
  #closed = false;

  constructor(options: {
    readonly thread: T;
    /** Starts one in the same state; whatever it rejects with fails the calls that wait. */
    readonly begin: () => Promise<T>;
    readonly restarts: Restarts;
    readonly clock: Pick<Clock, 'schedule'>;
  }) {
    this.#thread = options.thread;
    this.#begin = options.begin;
    this.#restarts = options.restarts;
    this.#clock = options.clock;
  }

  /** Asks at once where the thread lives, so that questions keep their order. */
  async run<R>(work: (thread: T) => Promise<R>): Promise<R> {
    for (;;) {
      const thread = this.#thread.died ? await this.#revive() : this.#thread;
      try {
        return await work(thread);
      } catch (error) {
        if (!thread.died || this.#closed) throw error;
      }
    }
  }

  /** Asks a last thing of a thread that lives, and ends it whatever it is doing. */
  async close(last: (thread: T) => Promise<unknown>): Promise<void> {
    this.#closed = true;
    await this.#reviving?.catch(() => undefined);
    try {
      // One that died has nothing open, and nothing that was not written is left in it.
      if (!this.#thread.died) await last(this.#thread);
    } finally {
      await this.#thread.end();
    }
  }

  #revive(): Promise<T> {
    return (this.#reviving ??= this.#startAnew().finally(() => {
      this.#reviving = null;
    }));
  }

  async #startAnew(): Promise<T> {
    let failure = new StorageError('interrupted', 'the thread keeps dying');
    for (;;) {
      this.#check();
      // Two connections at once would find the file locked.
      await this.#thread.gone;
      const waitMs = this.#restarts.next();
      if (waitMs === null) throw failure;
      if (waitMs > 0) await new Promise<void>((resolve) => this.#clock.schedule(waitMs, resolve));
      this.#check();
      try {
        this.#thread = await this.#begin();
        return this.#thread;
      } catch (error) {
        if (!(error instanceof StorageError) || error.reason !== 'interrupted') throw error;
        failure = error;
      }
    }
  }

  #check(): void {
    if (this.#closed) throw new StorageError('broken', 'it was closed');
  }
}
