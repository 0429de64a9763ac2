import type { Clock } from '../../../core/base/ports.ts';
import type { CidHasher } from '../../../core/vault/records.ts';
import { StorageError } from '../../../core/vault/storage.ts';
import type { Asker } from '../../threads/messages.ts';
import { programUrl } from '../../threads/program.ts';
import { RestartingWorker } from '../../threads/restartingWorker.ts';
import { BlockFeed } from './blockFeed.ts';
import type { SpoolMessages } from './messages.ts';

/**
 * The two threads that all files of the spool pass through, begun when the first one comes: however
 * many come at once, they share two cores. One that died is begun again for the next file, without a wait: a file that
 * has come cannot be kept waiting. What it had of its files is gone, so those fail, and nothing of them stays.
 */
export class SpoolThreads {
  readonly #sealing: RestartingWorker<SpoolMessages>;
  readonly #hashing: RestartingWorker<SpoolMessages>;
  #jobs = 0;

  constructor({ clock, onThreadLost }: { readonly clock: Clock; readonly onThreadLost: () => void }) {
    const begin = (): RestartingWorker<SpoolMessages> => {
      const program = programUrl('vault/records', 'spoolWorker');
      return new RestartingWorker({ program, name: 'spool', clock, onLost: onThreadLost });
    };
    this.#sealing = begin();
    this.#hashing = begin();
  }

  /** A number for a file, the same in both threads. */
  nextJob(): number {
    return (this.#jobs += 1);
  }

  /** @throws StorageError when it keeps dying */
  sealing(): Asker<SpoolMessages> {
    return this.#sealing.living();
  }

  /** @throws StorageError when it keeps dying */
  hashing(): Asker<SpoolMessages> {
    return this.#hashing.living();
  }

  async close(): Promise<void> {
    await Promise.all([this.#sealing.close(), this.#hashing.close()]);
  }
}

/** Hashes a file that is not kept. What fails rejects with a `StorageError` at the next call. */
export function createHasher(threads: SpoolThreads): CidHasher {
  const job = threads.nextJob();
  const thread = threads.hashing();
  const feed = new BlockFeed((filled) => thread.ask('hash', { job, filled }));
  thread.ask('beginHashing', { job, memory: feed.memory }).catch((error: unknown) => feed.stop(error));
  return {
    write: (bytes) => feed.write(bytes),
    finish: async () => {
      await feed.end();
      return thread.ask('finishHashing', { job });
    },
    abandon: async () => {
      feed.stop(new StorageError('broken', 'the hashing was given up'));
      await thread.ask('giveUp', { job }).catch(() => undefined);
    },
  };
}
