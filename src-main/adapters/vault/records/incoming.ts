import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { IncomingFile } from '../../../core/vault/records.ts';
import { StorageError } from '../../../core/vault/storage.ts';
import { BlockFeed } from './blockFeed.ts';
import { fileKey, saltBytes } from './sealedFile.ts';
import type { SpoolThreads } from './spoolThreads.ts';

/**
 * A file that is being written into the spool: `<id>.partial` while it grows, `<id>.sealed` when it is complete and on
 * the disk. After a failure it is removed at once. `onEnd` is called when no more bytes will come.
 */
export async function receiveFile(options: {
  readonly folder: string;
  readonly id: string;
  readonly identity: string;
  /** The key from which the file's key is derived. */
  readonly files: Uint8Array;
  readonly threads: SpoolThreads;
  readonly onEnd: () => void;
}): Promise<IncomingFile> {
  const { folder, id, identity, files, threads, onEnd } = options;
  const [partial, complete] = [join(folder, `${id}.partial`), join(folder, `${id}.sealed`)];
  const salt = new Uint8Array(randomBytes(saltBytes));
  const key = fileKey(files, { identity, id, salt });
  const job = threads.nextJob();
  const [sealing, hashing] = [threads.sealing(), threads.hashing()];
  const memory = threads.takeMemory();
  const feed = new BlockFeed(
    (filled) => Promise.all([sealing.ask('seal', { job, filled }), hashing.ask('hash', { job, filled })]),
    memory,
  );
  let isOver = false;
  const end = async (): Promise<void> => {
    onEnd();
    if (isOver) return;
    isOver = true;
    await feed.idle();
    threads.giveBack(memory);
  };

  let isLeft = false;
  const giveUp = async (why: unknown): Promise<void> => {
    if (isLeft) return;
    feed.stop(why);
    await Promise.allSettled([sealing, hashing].map((thread) => thread.ask('giveUp', { job })));
    // Also when the thread that began the file is gone.
    await Promise.allSettled([partial, complete].map((path) => rm(path, { force: true })));
    await end();
  };
  /** After any failure nothing of the file stays. */
  const orNothing = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      await giveUp(error);
      throw error;
    }
  };

  await orNothing(async () => {
    const begun = sealing.ask('beginSealing', { job, memory, partial, complete, salt, key });
    // The thread has its own copy.
    key.fill(0);
    await Promise.all([begun, hashing.ask('beginHashing', { job, memory })]);
  });
  return {
    write: (bytes) => orNothing(() => feed.write(bytes)),
    finish: () =>
      orNothing(async () => {
        await feed.end();
        const facts = await hashing.ask('finishHashing', { job });
        await sealing.ask('finishSealing', { job });
        await end();
        return facts;
      }),
    leave: async () => {
      isLeft = true;
      feed.stop(new StorageError('broken', 'the file was left'));
      await Promise.allSettled([sealing.ask('leave', { job }), hashing.ask('giveUp', { job })]);
      await end();
    },
    discard: () => giveUp(new StorageError('broken', 'the file was discarded')),
  };
}
