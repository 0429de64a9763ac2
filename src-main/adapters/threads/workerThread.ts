import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import type { Clock } from '../../core/base/ports.ts';
import { StorageError } from '../../core/vault/storage.ts';
import type { FromThread, MessageTable, Name, Reply, Request, ToThread } from './messages.ts';

/**
 * Where the program of a thread lies: in its folder of the sources, `folder/name`; in the built console beside
 * the entries, which may be one folder up from the chunk that this file became part of.
 *
 * @throws StorageError `unsupported` when it is missing
 */
export function programUrl(folder: string, name: string): URL {
  const candidates = [`../${folder}/${name}.ts`, `${name}.js`, `../${name}.js`];
  const urls = candidates.map((path) => new URL(path, import.meta.url));
  const url = urls.find((candidate) => existsSync(fileURLToPath(candidate)));
  if (!url) throw new StorageError('unsupported', `the program ${name} is missing`);
  return url;
}

/** Takes a piece that comes before the reply. A second one may be handed over while the first is taken. */
export type Take = (piece: Uint8Array) => void | Promise<void>;

interface Waiting {
  readonly resolve: (reply: never) => void;
  readonly reject: (error: Error) => void;
  readonly take: Take | undefined;
  /** What `take` failed with. */
  stopped: Error | null;
  /** Ends the wait for the deadline. */
  readonly stopTimer: () => void;
}

export interface WorkerThreadOptions {
  readonly program: URL;
  /** The thread's name, as the system's tools show it. */
  readonly name: string;
  readonly worker?: Omit<WorkerOptions, 'name'>;
  /**
   * For a program whose input may be made to harm it: the thread is over for good when it throws, or when a reply
   * takes longer than this many milliseconds, and does not count as one that died.
   */
  readonly distrust?: { readonly replyWithinMs: number; readonly clock: Pick<Clock, 'schedule'> };
}

/**
 * One thread that answers the messages of a table, in the order they were asked. It keeps the process alive only
 * while it is asked something. Everything rejects with a `StorageError`: `interrupted` when the thread died.
 */
export class WorkerThread<T extends MessageTable<T>> {
  /** Settles when the system is done with it: what it had open is closed then. */
  readonly gone: Promise<void>;
  readonly #options: WorkerThreadOptions;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #asked = 0;
  #ended: StorageError | null = null;

  constructor(options: WorkerThreadOptions) {
    this.#options = options;
    const { program, name, worker, distrust } = options;
    this.#worker = new Worker(program, { ...worker, name });
    this.#worker.unref();
    this.gone = new Promise((resolve) => this.#worker.once('exit', () => resolve()));
    this.#worker.on('message', (message: FromThread) => this.#hear(message));
    this.#worker.on('error', (error: Error) => this.#end(distrust ? 'broken' : 'interrupted', error.message));
    this.#worker.on('exit', () => this.#end('interrupted', `the thread ${name} ended`));
  }

  /** Whether it ended though its owner did not end it. */
  get died(): boolean {
    return this.#ended?.reason === 'interrupted';
  }

  ask<K extends Name<T>>(name: K, request: Request<T, K>, take?: Take): Promise<Reply<T, K>> {
    return new Promise((resolve, reject) => {
      if (this.#ended) {
        reject(this.#ended);
        return;
      }
      const id = (this.#asked += 1);
      const stopTimer = this.#startTimer();
      this.#waiting.set(id, { resolve, reject, take, stopped: null, stopTimer });
      this.#worker.ref();
      this.#post({ id, name, request });
    });
  }

  /** Ends it whatever it is doing. */
  async end(): Promise<void> {
    this.#end('broken', 'it was closed');
    await this.#worker.terminate();
  }

  #startTimer(): () => void {
    const { distrust } = this.#options;
    if (!distrust) return () => undefined;
    return distrust.clock.schedule(distrust.replyWithinMs, () => this.#end('broken', 'it took too long'));
  }

  #post(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  #hear(message: FromThread): void {
    const waiting = this.#waiting.get(message.id);
    if (!waiting) return;
    if ('piece' in message) {
      void this.#take(message.id, waiting, message.piece);
      return;
    }
    waiting.stopTimer();
    this.#waiting.delete(message.id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if (waiting.stopped) waiting.reject(waiting.stopped);
    else if ('reason' in message) waiting.reject(new StorageError(message.reason, message.detail));
    else waiting.resolve(message.reply as never);
  }

  async #take(id: number, waiting: Waiting, piece: Uint8Array): Promise<void> {
    try {
      await waiting.take?.(piece);
    } catch (error) {
      waiting.stopped ??= error instanceof Error ? error : new Error(String(error));
    }
    if (!this.#ended) this.#post({ id, taken: waiting.stopped ? 'stop' : 'more' });
  }

  #end(reason: 'interrupted' | 'broken', why: string): void {
    this.#ended ??= new StorageError(reason, why);
    if (!this.died) void this.#worker.terminate();
    for (const { reject, stopTimer } of this.#waiting.values()) {
      stopTimer();
      reject(this.#ended);
    }
    this.#waiting.clear();
  }
}
