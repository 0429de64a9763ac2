import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { Clock, TileDatabase } from '../../core/base/ports.ts';
import { RestartingWorker, type TerminableWorker } from '../threads/restartingWorker.ts';
import { Restarts } from '../threads/restarts.ts';
import type { DatabaseReply, Question } from './questions.ts';

/** A damaged or very large file may take its time: its thread is given up after this. */
const answerWithinMs = 20_000;

/** The database could not be read: it is damaged, does what it must not, or takes too long. */
export class DatabaseUnreadable extends Error {
  override readonly name = 'DatabaseUnreadable';
  readonly code = 'MAP_DATABASE';
}

interface Asked {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly stop: () => void;
}

/** One thread that reads the file; over when it ended, whoever ended it. */
class DatabaseThread implements TerminableWorker {
  readonly gone: Promise<void>;
  readonly #thread: Worker;
  readonly #clock: Clock;
  readonly #asked = new Map<number, Asked>();
  #lastId = 0;
  #over: DatabaseUnreadable | null = null;
  #died = false;

  constructor({ path, clock, worker }: TileDatabaseOptions) {
    this.#clock = clock;
    this.#thread = new Worker(worker, {
      name: 'map database',
      workerData: { path },
      resourceLimits: { maxOldGenerationSizeMb: 128 },
      // Nothing of this process's environment or standard input is a stranger's file's business.
      env: {},
      stdin: false,
    });
    this.gone = new Promise((resolve) => this.#thread.once('exit', () => resolve()));
    this.#thread.on('message', (reply: DatabaseReply) => this.#hear(reply));
    this.#thread.on('error', (error) => {
      // A file that cannot be opened throws there too: the next thread would fare no better.
      this.#end(error instanceof Error ? error.message : 'unknown');
    });
    this.#thread.on('exit', () => {
      this.#died ||= this.#over === null;
      this.#end('The thread has ended.');
    });
    // An idle map must not keep the console from ending.
    this.#thread.unref();
  }

  get died(): boolean {
    return this.#died;
  }

  ask<T>(question: Question): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#over) {
        reject(this.#over);
        return;
      }
      const id = (this.#lastId += 1);
      const stop = this.#clock.schedule(answerWithinMs, () => this.#end('The database took too long.'));
      this.#asked.set(id, { resolve: resolve as (value: unknown) => void, reject, stop });
      this.#thread.postMessage({ id, question });
    });
  }

  async end(): Promise<void> {
    this.#end('The database was closed.');
    await this.#thread.terminate();
  }

  #hear({ id, failed, value }: DatabaseReply): void {
    const waiting = this.#asked.get(id);
    if (!waiting) return;
    this.#asked.delete(id);
    waiting.stop();
    if (failed) waiting.reject(new DatabaseUnreadable(String(value)));
    else waiting.resolve(value);
  }

  #end(reason: string): void {
    this.#over ??= new DatabaseUnreadable(reason);
    void this.#thread.terminate();
    for (const { reject, stop } of this.#asked.values()) {
      stop();
      reject(this.#over);
    }
    this.#asked.clear();
  }
}

export interface TileDatabaseOptions {
  readonly path: string;
  readonly clock: Clock;
  readonly worker: URL;
}

/**
 * Opens an MBTiles file in a thread of its own. A thread that the system ends is started anew, three
 * times in five minutes; one that a question broke or that took too long is not, since the file is to
 * blame: the console goes on without this map.
 *
 * Rejects with the system's error when there is no such file; questions reject with DatabaseUnreadable.
 */
export async function openTileDatabase(options: TileDatabaseOptions): Promise<TileDatabase> {
  await stat(options.path);
  const begin = (): DatabaseThread => new DatabaseThread(options);
  const lasting = new RestartingWorker({
    thread: begin(),
    begin: () => Promise.resolve(begin()),
    restarts: new Restarts(options.clock, () => undefined),
    clock: options.clock,
  });
  const ask = async <T>(question: Question): Promise<T> => {
    try {
      return await lasting.run((thread) => thread.ask<T>(question));
    } catch (error) {
      if (error instanceof DatabaseUnreadable) throw error;
      throw new DatabaseUnreadable(error instanceof Error ? error.message : 'unknown');
    }
  };
  return {
    metadata: () => ask({ ask: 'metadata' }),
    zooms: () => ask({ ask: 'zooms' }),
    extent: (zoom) => ask({ ask: 'extent', zoom }),
    sample: (zoom) => ask({ ask: 'sample', zoom }),
    tile: (zoom, column, row) => ask({ ask: 'tile', zoom, column, row }),
    close: () => lasting.close(() => Promise.resolve()),
  };
}
