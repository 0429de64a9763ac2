/** The thread of one database of a vault, the only one that reads and writes it and seals its rows. */
import { StorageError } from '../../core/vault/storage.ts';
import { answerMessages } from '../threads/answering.ts';
import { CacheDatabase, countClosedCache } from './cacheDatabase.ts';
import type { DatabaseMessages } from './messages.ts';
import { RecordDatabase } from './recordDatabase.ts';

let cache: CacheDatabase | null = null;
let outbox: RecordDatabase | null = null;

function close(): null {
  cache?.close();
  outbox?.close();
  cache = outbox = null;
  return null;
}

function opened<T>(database: T | null): T {
  if (!database) throw new StorageError('broken', 'no such database is open');
  return database;
}

answerMessages<DatabaseMessages>(
  {
    openCache: (opening) => {
      close();
      cache = new CacheDatabase(opening);
      return { lost: cache.lost };
    },
    openOutbox: (opening) => {
      close();
      outbox = new RecordDatabase(opening);
      return { lost: outbox.lost, rollback: outbox.rollback };
    },
    renewCache: (keys) => {
      opened(cache).renew(keys);
      return null;
    },
    renewOutbox: (keys) => {
      opened(outbox).renew(keys);
      return null;
    },
    countClosed: countClosedCache,
    load: async (_, give) => {
      const batches = opened(cache).load();
      for (;;) {
        const step = batches.next();
        if (step.done) return step.value;
        await give(step.value);
      }
    },
    write: (change) => opened(cache).write([change]),
    document: (name) => opened(cache).document(name),
    count: () => opened(cache).count(),
    rows: (table) => opened(outbox).rows(table),
    writeRows: (rows) => opened(outbox).write(rows),
    close,
  },
  // Waiting messages are written together, with one wait for the disk.
  {
    write: (changes) => opened(cache).write(changes),
    writeRows: (lists) => opened(outbox).write(lists.flat()),
  },
);
