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
/** A tile may cost so much processor time: the search of the largest file without an index takes a tenth of it. */
const freeMs = 250;
/** What the loss of a process costs: as long as the start of the next one, and more. */
const lossMs = 1_000;

/**
 * The database could not be read: it is damaged or tries something forbidden, one tile is damaged (MAP_TILE), or it took
 * too long (MAP_ENDLESS).
 */
export class DatabaseUnreadable extends Error {
  override readonly name = 'DatabaseUnreadable';
  readonly code: 'MAP_DATABASE' | 'MAP_ENDLESS' | 'MAP_TILE';

  constructor(code: DatabaseUnreadable['code'], detail: string) {
    super(detail);
    this.code = code;
  }
}

/** The processor time that the slow tiles of one package may still cost, whenever it is opened; milliseconds. */
export interface ReadingBudget {
  leftMs: number;
}

/** As much as one answer: a package that answers each tile within its time must not keep a core busy for ever. */
export const readingBudget = (): ReadingBudget => ({ leftMs: replyWithinMs });

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
  budget = readingBudget(),
  isIncoming = false,
  program = programUrl('maps', 'tileWorker'),
}: {
  readonly path: string;
  readonly clock: Clock;
  readonly fork: ForkProgram;
  readonly budget?: ReadingBudget;
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
    // An answer that takes the rest of the budget is the last one.
    get distrustAfterMs() {
      return Math.min(replyWithinMs, budget.leftMs);
    },
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
    tile: async (zoom, column, row) => {
      if (budget.leftMs <= 0) throw new DatabaseUnreadable('MAP_ENDLESS', tookTooLong);
      const answer = await ask('tile', { zoom, column, row }).catch((error: unknown) => {
        budget.leftMs -= lossMs;
        throw error;
      });
      budget.leftMs -= Math.max(0, answer.costMs - freeMs);
      if (answer.failure !== null) throw new DatabaseUnreadable('MAP_TILE', answer.failure);
      return answer.tile;
    },
    close: () => {
      stopTimer();
      return worker.close();
    },
  };
}
