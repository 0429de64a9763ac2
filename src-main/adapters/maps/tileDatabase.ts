import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { textOf } from '../../core/base/errors.ts';
import type { Clock, ForkProgram, TileDatabase } from '../../core/base/ports.ts';
import type { Name, Reply, Request } from '../threads/messages.ts';
import { programUrl } from '../threads/program.ts';
import { RestartingWorker, tookTooLong } from '../threads/restartingWorker.ts';
import type { TileMessages } from './messages.ts';

/** A damaged or very large file may be slow: after this time its process is killed. */
const replyWithinMs = 20_000;

/** The database could not be read: it is damaged, tries something forbidden, or (MAP_ENDLESS) took too long. */
export class DatabaseUnreadable extends Error {
  override readonly name = 'DatabaseUnreadable';
  readonly code: 'MAP_DATABASE' | 'MAP_ENDLESS';

  constructor(code: DatabaseUnreadable['code'], detail: string) {
    super(detail);
    this.code = code;
  }
}

/**
 * Opens an MBTiles file in a separate process. A process that the system ended is restarted, three times in five minutes.
 * A process that a query broke, or that took too long, is not restarted, since the file is the cause: the console
 * continues without this map.
 *
 * Rejects with the system's error when there is no such file; queries reject with DatabaseUnreadable.
 */
export async function openTileDatabase({
  path,
  clock,
  fork,
  isIncoming = false,
  program = programUrl('maps', 'tileWorker'),
}: {
  readonly path: string;
  readonly clock: Clock;
  readonly fork: ForkProgram;
  /** Whether it is inspected only, all of which has the time of one query. */
  readonly isIncoming?: boolean;
  readonly program?: URL;
}): Promise<TileDatabase> {
  await stat(path);
  const worker = new RestartingWorker<TileMessages>({
    program,
    name: 'map database',
    fork: () => fork(fileURLToPath(program), [path]),
    clock,
    distrustAfterMs: replyWithinMs,
  });
  worker.start();
  const stopTimer = isIncoming ? clock.schedule(replyWithinMs, () => void worker.close()) : () => undefined;
  const ask = async <K extends Name<TileMessages>>(
    name: K,
    request: Request<TileMessages, K>,
  ): Promise<Reply<TileMessages, K>> => {
    try {
      return await worker.ask(name, request);
    } catch (error) {
      const text = textOf(error);
      throw new DatabaseUnreadable(text === tookTooLong ? 'MAP_ENDLESS' : 'MAP_DATABASE', text);
    }
  };
  return {
    metadata: () => ask('metadata', null),
    zooms: () => ask('zooms', null),
    extent: (zoom) => ask('extent', zoom),
    sample: (zoom) => ask('sample', zoom),
    tile: (zoom, column, row) => ask('tile', { zoom, column, row }),
    close: () => {
      stopTimer();
      return worker.close();
    },
  };
}
