import { stat } from 'node:fs/promises';
import { textOf } from '../../core/base/errors.ts';
import type { Clock, TileDatabase } from '../../core/base/ports.ts';
import type { Name, Reply, Request } from '../threads/messages.ts';
import { programUrl } from '../threads/program.ts';
import { RestartingWorker } from '../threads/restartingWorker.ts';
import type { TileMessages } from './messages.ts';

/** A damaged or very large file may be slow: after this time its thread is ended. */
const replyWithinMs = 20_000;

/** The database could not be read: it is damaged, tries something forbidden, or takes too long. */
export class DatabaseUnreadable extends Error {
  override readonly name = 'DatabaseUnreadable';
  readonly code = 'MAP_DATABASE';
}

/**
 * Opens an MBTiles file in a separate thread. A thread that the system ended is restarted, three times in five minutes.
 * A thread that a query broke, or that took too long, is not restarted, since the file is the cause: the console
 * continues without this map.
 *
 * Rejects with the system's error when there is no such file; queries reject with DatabaseUnreadable.
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
      // An untrusted file must not reach this process's environment or standard input.
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
      throw new DatabaseUnreadable(textOf(error));
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
