import type { Clock } from '../../../core/base/ports.ts';
import type { CidHasher } from '../../../core/vault/records.ts';
import { StorageError } from '../../../core/vault/storage.ts';
import { Restarts } from '../../threads/restarts.ts';
import { BlockFeed } from './blockFeed.ts';
import type { SpoolAnswers, SpoolQuestion } from './messages.ts';
import { Thread } from './thread.ts';

type SpoolThread = Thread<SpoolQuestion, SpoolAnswers>;

/**
 * The two threads that all files of the spool pass through, begun when the first one comes: however
 * many come at once, they share two cores. One that died is begun anew for the next file: what it had
 * of its files is gone, so those fail, and nothing of them stays.
 */
export class SpoolThreads {
  #sealing: SpoolThread | null = null;
  #hashing: SpoolThread | null = null;
  readonly #restarts: Readonly<Record<'sealing' | 'hashing', Restarts>>;
  #jobs = 0;
  #closed = false;

  constructor(options: { readonly clock: Clock; readonly onThreadLost: () => void }) {
    const restarts = (): Restarts => new Restarts(options.clock, options.onThreadLost);
    this.#restarts = { sealing: restarts(), hashing: restarts() };
  }

  /** A number for a file, the same in both threads. */
  nextJob(): number {
    return (this.#jobs += 1);
  }

  sealing(): SpoolThread {
    return (this.#sealing = this.#usable(this.#sealing, 'sealing'));
  }

  hashing(): SpoolThread {
    return (this.#hashing = this.#usable(this.#hashing, 'hashing'));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([this.#sealing?.end(), this.#hashing?.end()]);
  }

  /** Without the wait before a start: a file that has come cannot be kept waiting, and the next one is one's own doing. */
  #usable(thread: SpoolThread | null, name: 'sealing' | 'hashing'): SpoolThread {
    if (this.#closed) throw new StorageError('broken', 'the spool was closed');
    if (thread && !thread.died) return thread;
    if (thread && this.#restarts[name].next() === null) {
      throw new StorageError('interrupted', `the thread for ${name} keeps dying`);
    }
    return new Thread('spoolWorker');
  }
}

/** Hashes a file that is not kept. What fails rejects with a `StorageError` at the next call. */
export function createHasher(threads: SpoolThreads): CidHasher {
  const job = threads.nextJob();
  const thread = threads.hashing();
  const feed = new BlockFeed((filled) => thread.ask({ kind: 'hash', job, filled }));
  thread.ask({ kind: 'begin-hashing', job, memory: feed.memory }).catch((error: unknown) => feed.stop(error));
  return {
    write: (bytes) => feed.write(bytes),
    finish: async () => {
      await feed.end();
      return thread.ask({ kind: 'finish-hashing', job });
    },
    abandon: async () => {
      feed.stop(new StorageError('broken', 'the hashing was given up'));
      await thread.ask({ kind: 'give-up', job }).catch(() => undefined);
    },
  };
}
