import { Worker } from 'node:worker_threads';
import { StorageError } from '../../../core/vault/storage.ts';
import { programUrl } from '../../threads/program.ts';
import type { TerminableWorker } from '../../threads/restartingWorker.ts';
import type { FromThread, ToThread } from './messages.ts';

interface Waiting {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A thread that answers questions, each with the answer that `Answers` has for its kind. It keeps the
 * process alive only while something is asked of it.
 */
export class Thread<Question extends { readonly kind: keyof Answers }, Answers> implements TerminableWorker {
  readonly gone: Promise<void>;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #asked = 0;
  #ended: StorageError | null = null;

  constructor(program: 'recordWorker' | 'spoolWorker') {
    this.#worker = new Worker(programUrl('vault/records', program), { name: program });
    this.#worker.unref();
    this.gone = new Promise((resolve) => this.#worker.once('exit', () => resolve()));
    this.#worker.on('message', (message: FromThread) => this.#hear(message));
    this.#worker.on('error', (error: Error) => this.#end('interrupted', error.message));
    this.#worker.on('exit', () => this.#end('interrupted', 'the thread ended'));
  }

  get died(): boolean {
    return this.#ended?.reason === 'interrupted';
  }

  /** Rejects with a `StorageError`. */
  ask<Q extends Question>(question: Q): Promise<Answers[Q['kind']]> {
    return new Promise((resolve, reject) => {
      if (this.#ended) {
        reject(this.#ended);
        return;
      }
      const id = (this.#asked += 1);
      this.#waiting.set(id, { resolve, reject });
      this.#worker.ref();
      this.#worker.postMessage({ id, question } satisfies ToThread<Question>);
    });
  }

  /** Ends it whatever it is doing. */
  async end(): Promise<void> {
    this.#end('broken', 'it was closed');
    await this.#worker.terminate();
  }

  #hear(message: FromThread): void {
    const waiting = this.#waiting.get(message.id);
    if (!waiting) return;
    this.#waiting.delete(message.id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if ('reason' in message) waiting.reject(new StorageError(message.reason, message.detail));
    else waiting.resolve(message.answer as never);
  }

  #end(reason: 'interrupted' | 'broken', why: string): void {
    this.#ended ??= new StorageError(reason, why);
    for (const { reject } of this.#waiting.values()) reject(this.#ended);
    this.#waiting.clear();
  }
}
