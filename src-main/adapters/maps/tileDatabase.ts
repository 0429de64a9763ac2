import { stat } from 'node:fs/promises';
import type { Clock, TileDatabase } from '../../core/base/ports.ts';
import type { Name, Reply, Request } from '../threads/messages.ts';
import { programUrl } from '../threads/program.ts';
import { RestartingWorker } from '../threads/restartingWorker.ts';
import type { TileMessages } from './messages.ts';

/** A damaged or very large file may take its time: its thread is given up after this. */
const replyWithinMs = 20_000;

/** The database could not be read: it is damaged, does what it must not, or takes too long. */
export class DatabaseUnreadable extends Error {
  override readonly name = 'DatabaseUnreadable';
  readonly code = 'MAP_DATABASE';
}

/**
 * Opens an MBTiles file in a separate thread. A thread that the system ends is started again, three
 * times in five minutes; one that a question broke or that took too long is not, since the file is to
 * blame: the console goes on without this map.
 *
 * Rejects with the system's error when there is no such file; questions reject with DatabaseUnreadable.
 */
export async function openTileDatabase({
  path,
  clock,
  program = programUrl('maps', 'tileWorker'),
}: {
  readonly path: string;
  readonly clock: Clock;
  readonly program?: URL;
}): Promise<TileDatabase> {
  await stat(path);
  const worker = new RestartingWorker<TileMessages>({
    program,
    name: 'map database',
    worker: {
      workerData: { path },
      resourceLimits: { maxOldGenerationSizeMb: 128 },
      // Nothing of this process's environment or standard input is a stranger's file's business.
      env: {},
      stdin: false,
    },
    clock,
    distrustAfterMs: replyWithinMs,
  });
  worker.start();
  const ask = async <K extends Name<TileMessages>>(
    name: K,
    request: Request<TileMessages, K>,
  ): Promise<Reply<TileMessages, K>> => {
    try {
      return await worker.ask(name, request);
    } catch (error) {
      throw new DatabaseUnreadable(error instanceof Error ? error.message : 'unknown');
    }
  };
  return {
    metadata: () => ask('metadata', null),
    zooms: () => ask('zooms', null),
    extent: (zoom) => ask('extent', zoom),
    sample: (zoom) => ask('sample', zoom),
    tile: (zoom, column, row) => ask('tile', { zoom, column, row }),
    close: () => worker.close(),
  };
}
