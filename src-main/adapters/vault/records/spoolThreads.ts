import type { Clock } from '../../../core/base/ports.ts';
import type { CidHasher } from '../../../core/vault/records.ts';
import { StorageError } from '../../../core/vault/storage.ts';
import type { Asker } from '../../threads/messages.ts';
import { programUrl } from '../../threads/program.ts';
import { RestartingWorker } from '../../threads/restartingWorker.ts';
import { BlockFeed, newMemory } from './blockFeed.ts';
import type { SpoolMessages } from './messages.ts';

/** Usually no more files come at once. */
const mostSpare = 3;

/**
 * The two threads for all files of the spool, started with the first file: any number of files share two cores. A dead
 * thread is started again for the next file without a wait, because the page is already sending it. The files of the
 * dead thread fail, and nothing of them stays.
 */
export class SpoolThreads {
  readonly #sealing: RestartingWorker<SpoolMessages>;
  readonly #hashing: RestartingWorker<SpoolMessages>;
  /**
   * Memory of earlier files, to be reused. Shared memory is freed only when every thread has run its garbage
   * collection: thousands of small files took a gigabyte.
   */
  readonly #spare: SharedArrayBuffer[] = [];
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

  takeMemory(): SharedArrayBuffer {
    return this.#spare.pop() ?? newMemory();
  }

  /** Call it only when neither thread nor a write uses the memory. Clears the file's bytes from it. */
  giveBack(memory: SharedArrayBuffer): void {
    if (this.#spare.length >= mostSpare) return;
    new Uint8Array(memory).fill(0);
    this.#spare.push(memory);
  }

  /** @throws StorageError when it dies repeatedly */
  sealing(): Asker<SpoolMessages> {
    return this.#sealing.living();
  }

  /** @throws StorageError when it dies repeatedly */
  hashing(): Asker<SpoolMessages> {
    return this.#hashing.living();
  }

  async close(): Promise<void> {
    await Promise.all([this.#sealing.close(), this.#hashing.close()]);
  }
}

/** Hashes a file that is not stored. An error rejects with a `StorageError` at the next call. */
export function createHasher(threads: SpoolThreads): CidHasher {
  const job = threads.nextJob();
  const thread = threads.hashing();
  const feed = new BlockFeed((filled) => thread.ask('hash', { job, filled }), threads.takeMemory());
  let isOver = false;
  const end = async (): Promise<void> => {
    if (isOver) return;
    isOver = true;
    await feed.idle();
    threads.giveBack(feed.memory);
  };
  thread.ask('beginHashing', { job, memory: feed.memory }).catch((error: unknown) => feed.stop(error));
  return {
    write: (bytes) => feed.write(bytes),
    finish: async () => {
      await feed.end();
      const facts = await thread.ask('finishHashing', { job });
      await end();
      return facts;
    },
    abandon: async () => {
      feed.stop(new StorageError('broken', 'the hashing was given up'));
      await thread.ask('giveUp', { job }).catch(() => undefined);
      await end();
    },
  };
}
