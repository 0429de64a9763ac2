import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { Clock, TileDatabase } from '../../core/ports.ts';
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

/**
 * Opens an MBTiles file in a thread of its own.
 *
 * Rejects with the system's error when there is no such file; questions reject with DatabaseUnreadable.
 */
export async function openTileDatabase(options: {
  readonly path: string;
  readonly clock: Clock;
  readonly worker: URL;
}): Promise<TileDatabase> {
  await stat(options.path);
  const thread = new Worker(options.worker, {
    workerData: { path: options.path },
    resourceLimits: { maxOldGenerationSizeMb: 128 },
    // Nothing of this process's environment or standard input is a stranger's file's business.
    env: {},
    stdin: false,
  });
  const asked = new Map<number, Asked>();
  let lastId = 0;
  let over: DatabaseUnreadable | null = null;

  const end = (reason: string): void => {
    over ??= new DatabaseUnreadable(reason);
    void thread.terminate();
    for (const { reject, stop } of asked.values()) {
      stop();
      reject(over);
    }
    asked.clear();
  };
  thread.on('message', ({ id, failed, value }: DatabaseReply) => {
    const waiting = asked.get(id);
    if (!waiting) return;
    asked.delete(id);
    waiting.stop();
    if (failed) waiting.reject(new DatabaseUnreadable(String(value)));
    else waiting.resolve(value);
  });
  thread.on('error', (error) => {
    end(error instanceof Error ? error.message : 'unknown');
  });
  thread.on('exit', () => {
    end('The thread has ended.');
  });
  // An idle map must not keep the console from ending.
  thread.unref();

  const ask = <T>(question: Question): Promise<T> =>
    new Promise((resolve, reject) => {
      if (over) {
        reject(over);
        return;
      }
      lastId += 1;
      const stop = options.clock.schedule(answerWithinMs, () => {
        end('The database took too long.');
      });
      asked.set(lastId, { resolve: resolve as (value: unknown) => void, reject, stop });
      thread.postMessage({ id: lastId, question });
    });

  return {
    metadata: () => ask({ ask: 'metadata' }),
    zooms: () => ask({ ask: 'zooms' }),
    extent: (zoom) => ask({ ask: 'extent', zoom }),
    sample: (zoom) => ask({ ask: 'sample', zoom }),
    tile: (zoom, column, row) => ask({ ask: 'tile', zoom, column, row }),
    close: async () => {
      end('The database was closed.');
      await thread.terminate();
    },
  };
}
