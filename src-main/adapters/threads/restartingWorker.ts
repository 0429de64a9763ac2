import type { Clock } from '../../core/base/ports.ts';
import { SerialQueue } from '../../core/base/queues.ts';
import { StorageError } from '../../core/vault/storage.ts';
import type { MessageTable, Name, Reply, Request } from './messages.ts';
import type { Take, WorkerThread } from './workerThread.ts';

const windowMs = 5 * 60_000;
/** The wait before the first, the second and the third start within the window. */
const waitsMs = [0, 1_000, 5_000] as const;

/**
 * A thread that is started again when it dies: out of memory, by a fault of the runtime, by the system. It is
 * started three times in five minutes, each time after a longer wait; then what is asked rejects with the reason
 * `interrupted`, until the window has passed.
 */
export class RestartingWorker<T extends MessageTable<T>> {
  readonly #start: () => WorkerThread<T>;
  readonly #open: (thread: WorkerThread<T>) => Promise<unknown>;
  readonly #clock: Pick<Clock, 'elapsed' | 'schedule'>;
  readonly #onLost: () => void;
  #thread: WorkerThread<T> | null;
  #reviving: Promise<WorkerThread<T>> | null = null;
  #closed = false;
  /** Ends the wait before a start. */
  #endWait = (): void => undefined;
  /** When it was started again, within the window. */
  #starts: number[] = [];
  #givenUp = false;

  constructor(options: {
    /** One that is in use already; without it the first is started when something is asked. */
    readonly thread?: WorkerThread<T>;
    readonly start: () => WorkerThread<T>;
    /**
     * Brings one that was started again to the state of the one before; whatever it rejects with fails what waits.
     * With `interrupted` from a thread that lives, that state is gone: none is started any more.
     */
    readonly open?: (thread: WorkerThread<T>) => Promise<unknown>;
    readonly clock: Pick<Clock, 'elapsed' | 'schedule'>;
    /** Called whenever a start is refused. */
    readonly onLost?: () => void;
  }) {
    this.#thread = options.thread ?? null;
    this.#start = options.start;
    this.#open = options.open ?? (() => Promise.resolve());
    this.#clock = options.clock;
    this.#onLost = options.onLost ?? (() => undefined);
  }

  /**
   * Asks at once where the thread lives, so that messages keep their order. What was not answered when it died is
   * asked again, so only what may be answered twice belongs here; pieces that were taken are not handed over again.
   */
  async ask<K extends Name<T>>(name: K, request: Request<T, K>, take?: Take): Promise<Reply<T, K>> {
    const takeRest = take ? takerOf(take) : () => undefined;
    for (;;) {
      const thread = this.#thread?.died ? await this.#revive(this.#thread) : this.living();
      try {
        return await thread.ask(name, request, takeRest());
      } catch (error) {
        if (!thread.died || this.#closed) throw error;
      }
    }
  }

  /**
   * The thread itself, for work of many messages that one thread must answer, started without a wait where there is
   * none: what it is asked fails when it dies.
   *
   * @throws StorageError `interrupted` when it keeps dying
   */
  living(): WorkerThread<T> {
    this.#check();
    if (this.#thread && !this.#thread.died) return this.#thread;
    if (this.#thread && this.#nextWait() === null) throw keepsDying();
    return (this.#thread = this.#start());
  }

  /** Asks a last thing of a thread that lives, and ends it whatever it is doing. */
  async close(last?: (thread: WorkerThread<T>) => Promise<unknown>): Promise<void> {
    this.#closed = true;
    this.#endWait();
    await this.#reviving?.catch(() => undefined);
    const thread = this.#thread;
    try {
      // One that died has nothing open, and nothing that was not written is left in it.
      if (thread && !thread.died) await last?.(thread);
    } finally {
      await thread?.end();
    }
  }

  #revive(dead: WorkerThread<T>): Promise<WorkerThread<T>> {
    return (this.#reviving ??= this.#startAgain(dead).finally(() => {
      this.#reviving = null;
    }));
  }

  async #startAgain(dead: WorkerThread<T>): Promise<WorkerThread<T>> {
    let failure = keepsDying();
    // Two connections at once would find a database locked.
    await dead.gone;
    for (;;) {
      this.#check();
      const waitMs = this.#nextWait();
      if (waitMs === null) throw failure;
      if (waitMs > 0) await this.#wait(waitMs);
      this.#check();
      const next = this.#start();
      try {
        await this.#open(next);
        this.#thread = next;
        return next;
      } catch (error) {
        const isInterrupted = error instanceof StorageError && error.reason === 'interrupted';
        const isStateGone = isInterrupted && !next.died;
        if (isStateGone) this.#giveUp();
        await next.end();
        if (!isInterrupted) throw error;
        failure = error;
      }
    }
  }

  async #wait(ms: number): Promise<void> {
    let cancel = (): void => undefined;
    await new Promise<void>((resolve) => {
      this.#endWait = resolve;
      cancel = this.#clock.schedule(ms, resolve);
    });
    cancel();
  }

  /** Counts a start. Milliseconds to wait before it, or null when it must not be. */
  #nextWait(): number | null {
    const now = this.#clock.elapsed();
    this.#starts = this.#starts.filter((at) => now - at < windowMs);
    const waitMs = this.#givenUp ? undefined : waitsMs[this.#starts.length];
    if (waitMs === undefined) {
      this.#onLost();
      return null;
    }
    this.#starts.push(now + waitMs);
    return waitMs;
  }

  #giveUp(): void {
    this.#givenUp = true;
    this.#onLost();
  }

  #check(): void {
    if (this.#closed) throw new StorageError('broken', 'it was closed');
  }
}

const keepsDying = (): StorageError => new StorageError('interrupted', 'the thread keeps dying');

/**
 * Gives the taker of each try. Pieces are taken one after the other, though the thread that gave one may have died
 * meanwhile; a try begins with those that were taken before it, which are passed over; after one that failed none is
 * taken.
 */
function takerOf(take: Take): () => Take {
  const order = new SerialQueue();
  let taken = 0;
  let failure: { readonly error: unknown } | null = null;
  const takeInTurn = async (piece: Uint8Array | null): Promise<void> => {
    if (failure) throw failure.error;
    try {
      if (piece) await take(piece);
    } catch (error) {
      failure = { error };
      throw error;
    }
  };
  return () => {
    let come = 0;
    return (piece) => {
      come += 1;
      const isTaken = come <= taken;
      taken = Math.max(taken, come);
      return order.run(() => takeInTurn(isTaken ? null : piece));
    };
  };
}
