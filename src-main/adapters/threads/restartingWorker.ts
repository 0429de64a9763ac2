import type { WorkerOptions } from 'node:worker_threads';
import type { ChildProgram, Clock } from '../../core/base/ports.ts';
import { StorageError } from '../../core/vault/storage.ts';
import { threadOf } from './childPrograms.ts';
import {
  takersOf,
  type Asker,
  type FromThread,
  type MessageTable,
  type Name,
  type Reply,
  type Request,
  type Take,
  type ToThread,
} from './messages.ts';
import { Restarts } from './restarts.ts';

/** The text of the error when a program was ended since a reply took longer than `distrustAfterMs`. */
export const tookTooLong = 'it took too long';

/** How long `close` waits for the system to end a thread. */
const goneWithinMs = 2_000;

export interface WorkerSettings {
  readonly program: URL;
  /** The thread's name in the system's tools. */
  readonly name: string;
  readonly worker?: Omit<WorkerOptions, 'name'>;
  /** Starts the program in a process instead of a thread. */
  readonly fork?: () => ChildProgram;
  readonly clock: Pick<Clock, 'elapsed' | 'schedule'>;
  /** Called whenever a start is refused. */
  readonly onLost?: () => void;
  /**
   * For a program whose input may be harmful: when it breaks, or when a reply takes longer than this many milliseconds,
   * it is not started again. A thread inside one call of SQLite cannot be ended, so such a program needs `fork`.
   */
  readonly distrustAfterMs?: number;
}

/** A thread of this process, or a process that stands in its place. */
interface Thread {
  readonly program: ChildProgram;
  /** Resolves when the system has ended it: then everything that it had open is closed. */
  readonly gone: Promise<void>;
  /** `interrupted` when it died, `broken` when it was ended. */
  ended: StorageError | null;
}

interface Asked {
  readonly name: string;
  readonly request: unknown;
  readonly resolve: (reply: never) => void;
  readonly reject: (error: Error) => void;
  /** Whether it belongs to one thread only, and fails with it. */
  readonly isBound: boolean;
  /** Makes the taker of the pieces of one try. */
  readonly takerOf: () => Take;
  /** The thread that has it; null while it waits for a thread. */
  at: { readonly thread: Thread; readonly take: Take; readonly stopTimer: () => void } | null;
  /** The error of its taker. */
  stopped: Error | null;
}

/**
 * The client of a thread that answers the messages of a table in their order. It keeps the process alive only while a
 * message waits for its reply. Everything rejects with a `StorageError`.
 *
 * A thread that dies (out of memory, by a fault of the runtime, by the system) is started again three times in five
 * minutes, each time after a longer wait. After that, messages reject with `interrupted`, until the five minutes are
 * over.
 */
export class RestartingWorker<T extends MessageTable<T>> implements Asker<T> {
  readonly #settings: WorkerSettings;
  readonly #restarts: Restarts;
  /** Brings a restarted thread to the state of the one before. */
  #open: (thread: Asker<T>) => Promise<unknown> = () => Promise.resolve();
  #thread: Thread | null = null;
  #reviving: Promise<void> | null = null;
  /** By number, which is the order of the requests. */
  readonly #asked = new Map<number, Asked>();
  #numbers = 0;
  #over: StorageError | null = null;
  #closing: Promise<void> | null = null;

  constructor(settings: WorkerSettings) {
    this.#settings = settings;
    this.#restarts = new Restarts(settings.clock, () => settings.onLost?.());
  }

  /** Starts the thread before its first use. */
  start(): void {
    this.#thread ??= this.#begin();
  }

  /**
   * Sends `first` to the thread, and `again` to each later one, before all waiting messages. A rejection of `again`
   * fails that thread. If a live thread answers `again` with `interrupted`, the state is lost, and no further thread is
   * started.
   */
  async open<R>(
    first: (thread: Asker<T>) => Promise<R>,
    again: (thread: Asker<T>) => Promise<unknown>,
  ): Promise<R> {
    const reply = await first(this.living());
    this.#open = again;
    return reply;
  }

  /**
   * After the thread's death, messages without a reply are sent again, so use this only for messages that may run
   * twice. Pieces that were taken are not delivered again.
   */
  ask<K extends Name<T>>(name: K, request: Request<T, K>, take?: Take): Promise<Reply<T, K>> {
    return this.#put(null, { name, request, take });
  }

  /** `ask` for the messages of one name. */
  asking<K extends Name<T>>(name: K): (request: Request<T, K>) => Promise<Reply<T, K>> {
    return (request) => this.#put(null, { name, request, take: undefined });
  }

  /**
   * The present thread, for work of many messages that one thread must answer. Started without a wait if there is none.
   * Its messages fail with `interrupted` when it dies.
   *
   * @throws StorageError `interrupted` when it dies repeatedly
   */
  living(): Asker<T> {
    this.#check();
    if (this.#thread?.ended) {
      if (this.#restarts.next() === null) throw keepsDying();
      this.#thread = null;
    }
    return this.#askerOf((this.#thread ??= this.#begin()));
  }

  /** Sends a last message to a live thread, and then ends it, whatever it is doing. */
  close(last?: (thread: Asker<T>) => Promise<unknown>): Promise<void> {
    return (this.#closing ??= this.#close(last));
  }

  async #close(last?: (thread: Asker<T>) => Promise<unknown>): Promise<void> {
    try {
      this.#restarts.endWait();
      await this.#reviving;
      // A dead thread has nothing open, and no unwritten data.
      if (this.#thread && !this.#thread.ended && !this.#over) await last?.(this.#askerOf(this.#thread));
    } finally {
      this.#over ??= closed();
      if (this.#thread) {
        this.#end(this.#thread, this.#over);
        await this.#goneWithin(this.#thread);
      }
    }
  }

  /** The system may not end what waits for a broken disk. */
  async #goneWithin({ gone }: Thread): Promise<void> {
    let cancel = (): void => undefined;
    const late = new Promise<void>((resolve) => {
      cancel = this.#settings.clock.schedule(goneWithinMs, resolve);
    });
    await Promise.race([gone, late]);
    cancel();
  }

  #check(): void {
    if (this.#over) throw this.#over;
    if (this.#closing) throw closed();
  }

  #askerOf(thread: Thread): Asker<T> {
    return { ask: (name, request, take) => this.#put(thread, { name, request, take }) };
  }

  #put<K extends Name<T>>(
    bound: Thread | null,
    { name, request, take }: { name: K; request: Request<T, K>; take: Take | undefined },
  ): Promise<Reply<T, K>> {
    return new Promise((resolve, reject) => {
      if (bound?.ended) throw bound.ended;
      if (!bound) this.#check();
      const thread = bound ?? (this.#thread ??= this.#begin());
      const takers = take ? takersOf(take) : () => () => undefined;
      const isBound = bound !== null;
      const asked: Asked = {
        name,
        request,
        resolve,
        reject,
        isBound,
        takerOf: takers,
        at: null,
        stopped: null,
      };
      const id = (this.#numbers += 1);
      this.#asked.set(id, asked);
      if (thread.ended) this.#revive(thread);
      else if (isBound || !this.#reviving) this.#post(thread, id, asked);
    });
  }

  #begin(): Thread {
    const { program: file, name, worker: options, fork, distrustAfterMs } = this.#settings;
    const program = fork ? fork() : threadOf(file, { ...options, name });
    const isTrusted = distrustAfterMs === undefined;
    const thread: Thread = {
      program,
      gone: new Promise((resolve) => {
        program.onGone((how) => {
          const reason = isTrusted || how === 'killed' ? 'interrupted' : 'broken';
          this.#end(thread, new StorageError(reason, `the thread ${name} ended`));
          resolve();
        });
      }),
      ended: null,
    };
    program.onMessage((message) => this.#hear(thread, message as FromThread));
    // A listener to messages references it.
    program.hold(false);
    return thread;
  }

  #post(thread: Thread, id: number, asked: Asked): void {
    const { distrustAfterMs, clock } = this.#settings;
    const tooLong = (): void => this.#end(thread, new StorageError('broken', tookTooLong));
    const stopTimer =
      distrustAfterMs === undefined ? () => undefined : clock.schedule(distrustAfterMs, tooLong);
    asked.at = { thread, take: asked.takerOf(), stopTimer };
    thread.program.hold(true);
    const { name, request } = asked;
    thread.program.post({ id, name, request } satisfies ToThread);
  }

  #hear(thread: Thread, message: FromThread): void {
    const asked = this.#asked.get(message.id);
    if (asked?.at?.thread !== thread) return;
    const { take, stopTimer } = asked.at;
    if ('piece' in message) {
      void this.#take(message.id, asked, { thread, take, piece: message.piece });
      return;
    }
    stopTimer();
    this.#asked.delete(message.id);
    if (this.#asked.size === 0) thread.program.hold(false);
    if (asked.stopped) asked.reject(asked.stopped);
    else if ('reason' in message) asked.reject(new StorageError(message.reason, message.detail));
    else asked.resolve(message.reply as never);
  }

  async #take(
    id: number,
    asked: Asked,
    { thread, take, piece }: { readonly thread: Thread; readonly take: Take; readonly piece: Uint8Array },
  ): Promise<void> {
    try {
      await take(piece);
    } catch (error) {
      asked.stopped ??= error instanceof Error ? error : new Error(String(error));
    }
    const taken = asked.stopped ? 'stop' : 'more';
    if (!thread.ended) thread.program.post({ id, taken } satisfies ToThread);
  }

  /** Messages of the thread fail with it, or wait for the next one. */
  #end(thread: Thread, why: StorageError): void {
    if (thread.ended) return;
    thread.ended = why;
    if (why.reason === 'broken') {
      this.#over ??= why;
      thread.program.kill();
    }
    let isWaiting = false;
    for (const [id, asked] of this.#asked) {
      if (asked.at?.thread === thread) {
        asked.at.stopTimer();
        asked.at = null;
        if (asked.isBound || this.#over || this.#closing) this.#reject(id, asked, why);
      }
      isWaiting ||= this.#asked.has(id);
    }
    if (isWaiting && thread === this.#thread) this.#revive(thread);
  }

  #reject(id: number, asked: Asked, why: unknown): void {
    this.#asked.delete(id);
    asked.reject(why instanceof Error ? why : new Error(String(why)));
  }

  #revive(dead: Thread): void {
    this.#reviving ??= this.#startAgain(dead)
      .then(
        (thread) => {
          this.#thread = thread;
          return (id: number, asked: Asked) => this.#post(thread, id, asked);
        },
        (error: unknown) => (id: number, asked: Asked) => this.#reject(id, asked, error),
      )
      .then((settle) => {
        this.#reviving = null;
        for (const [id, asked] of [...this.#asked]) if (!asked.at) settle(id, asked);
      });
  }

  async #startAgain(dead: Thread): Promise<Thread> {
    let failure = keepsDying();
    // Two connections at once would find the database locked.
    await dead.gone;
    for (;;) {
      this.#check();
      const waitMs = this.#restarts.next();
      if (waitMs === null) throw failure;
      await this.#restarts.wait(waitMs);
      this.#check();
      const next = this.#begin();
      try {
        await this.#open(this.#askerOf(next));
        return next;
      } catch (error) {
        const isInterrupted = error instanceof StorageError && error.reason === 'interrupted';
        // The reply came from a live thread.
        if (isInterrupted && !next.ended) this.#restarts.giveUp();
        next.program.kill();
        await next.gone;
        if (!isInterrupted) throw error;
        failure = error;
      }
    }
  }
}

const closed = (): StorageError => new StorageError('broken', 'it was closed');
const keepsDying = (): StorageError => new StorageError('interrupted', 'the thread keeps dying');
