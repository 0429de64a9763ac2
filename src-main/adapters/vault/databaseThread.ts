import type { Clock } from '../../core/base/ports.ts';
import { RestartingWorker } from '../threads/restartingWorker.ts';
import { programUrl, WorkerThread } from '../threads/workerThread.ts';
import type { CacheOpening, DatabaseMessages, OutboxOpening } from './messages.ts';

export type DatabaseThread = WorkerThread<DatabaseMessages>;

export const startDatabaseThread = (name: 'vault cache' | 'vault outbox' | 'self-test'): DatabaseThread =>
  new WorkerThread({ program: programUrl('vault', 'databaseWorker'), name });

/**
 * Opens a database of a vault in a thread that is started again when it dies, with the keys that are held until it is
 * closed. Ends the thread when it cannot be opened.
 */
export async function openDatabase<K extends 'openCache' | 'openOutbox'>(options: {
  readonly kind: K;
  readonly opening: DatabaseMessages[K]['request'];
  /** What is other when it is opened once more. */
  readonly again: () => Partial<CacheOpening & OutboxOpening>;
  /** One that was started before its use. */
  readonly thread?: DatabaseThread;
  readonly clock: Clock;
  readonly onThreadLost: () => void;
}): Promise<{
  readonly worker: RestartingWorker<DatabaseMessages>;
  readonly found: DatabaseMessages[K]['reply'];
}> {
  const { kind, opening, again, clock, onThreadLost } = options;
  const start = (): DatabaseThread =>
    startDatabaseThread(kind === 'openCache' ? 'vault cache' : 'vault outbox');
  const { thread = start() } = options;
  try {
    const found = await thread.ask(kind, opening);
    const open = (next: DatabaseThread): Promise<unknown> => {
      const now = clock.wallNow();
      return next.ask(kind, { ...opening, ...again(), now, fresh: false, again: true });
    };
    return { worker: new RestartingWorker({ thread, start, open, clock, onLost: onThreadLost }), found };
  } catch (error) {
    await thread.end();
    throw error;
  }
}
