import type { Clock } from '../../core/base/ports.ts';
import { programUrl } from '../threads/program.ts';
import { RestartingWorker } from '../threads/restartingWorker.ts';
import type { DatabaseMessages } from './messages.ts';

export type DatabaseThread = RestartingWorker<DatabaseMessages>;

/** A thread for one database of a vault. `onLost` is called when it dies repeatedly. */
export const databaseThread = (
  name: 'vault cache' | 'vault outbox' | 'self-test',
  { clock, onLost }: { readonly clock: Clock; readonly onLost?: () => void },
): DatabaseThread =>
  new RestartingWorker({
    program: programUrl('vault', 'databaseWorker'),
    name,
    clock,
    ...(onLost ? { onLost } : {}),
  });

/**
 * Opens a database in its thread, and sends `again` to each later thread. Ends the thread when the database cannot be
 * opened.
 */
export async function openDatabase<K extends 'openCache' | 'openOutbox'>(
  thread: DatabaseThread,
  kind: K,
  opening: (again: boolean) => DatabaseMessages[K]['request'],
): Promise<DatabaseMessages[K]['reply']> {
  try {
    return await thread.open(
      (first) => first.ask(kind, opening(false)),
      (next) => next.ask(kind, opening(true)),
    );
  } catch (error) {
    await thread.close();
    throw error;
  }
}
