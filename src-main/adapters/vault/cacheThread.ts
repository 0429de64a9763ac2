import { Worker } from 'node:worker_threads';
import { StorageError } from '../../core/vault/storage.ts';
import { programUrl } from '../threads/program.ts';
import type { TerminableWorker } from '../threads/restartingWorker.ts';
import type { CacheAnswers, CacheQuestion, FromWorker, ToWorker } from './messages.ts';

interface Waiting {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
  readonly take: ((json: Uint8Array) => void | Promise<void>) | null;
  stopped: Error | null;
  /** Batches are taken one after the other, though the next one is here already. */
  taking: Promise<void>;
}

/** The thread of one cache. It keeps the process alive only while something is asked of it. */
export class CacheThread implements TerminableWorker {
  readonly gone: Promise<void>;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #asked = 0;
  #ended: StorageError | null = null;

  constructor() {
    this.#worker = new Worker(programUrl('vault', 'cacheWorker'), { name: 'vault cache' });
    this.#worker.unref();
    this.gone = new Promise((resolve) => this.#worker.once('exit', () => resolve()));
    this.#worker.on('message', (message: FromWorker) => this.#hear(message));
    this.#worker.on('error', (error: Error) => this.#end('interrupted', error.message));
    this.#worker.on('exit', () => this.#end('interrupted', 'the thread of the cache ended'));
  }

  get died(): boolean {
    return this.#ended?.reason === 'interrupted';
  }

  ask<Q extends CacheQuestion>(
    question: Q,
    options: { readonly take?: (json: Uint8Array) => void | Promise<void> } = {},
  ): Promise<CacheAnswers[Q['kind']]> {
    return new Promise((resolve, reject) => {
      if (this.#ended) {
        reject(this.#ended);
        return;
      }
      const id = (this.#asked += 1);
      this.#waiting.set(id, {
        resolve,
        reject,
        take: options.take ?? null,
        stopped: null,
        taking: Promise.resolve(),
      });
      this.#worker.ref();
      this.#post({ id, question });
    });
  }

  /** Ends the thread whatever it is doing. */
  async end(): Promise<void> {
    this.#end('broken', 'the cache was closed');
    await this.#worker.terminate();
  }

  #post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  #hear(message: FromWorker): void {
    const waiting = this.#waiting.get(message.id);
    if (!waiting) return;
    if ('batch' in message) {
      const { id, batch } = message;
      waiting.taking = waiting.taking.then(() => this.#take(id, waiting, batch));
      return;
    }
    this.#waiting.delete(message.id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if (waiting.stopped) waiting.reject(waiting.stopped);
    else if ('reason' in message) waiting.reject(new StorageError(message.reason, message.detail));
    else waiting.resolve(message.answer as never);
  }

  async #take(id: number, waiting: Waiting, batch: Uint8Array): Promise<void> {
    try {
      if (!waiting.stopped) await waiting.take?.(batch);
    } catch (error) {
      waiting.stopped = error instanceof Error ? error : new Error(String(error));
    }
    if (!this.#ended) this.#post({ id, taken: waiting.stopped ? 'stop' : 'more' });
  }

  #end(reason: 'interrupted' | 'broken', why: string): void {
    this.#ended ??= new StorageError(reason, why);
    for (const { reject } of this.#waiting.values()) reject(this.#ended);
    this.#waiting.clear();
  }
}
