import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../core/base/ports.ts';
import {
  StorageError,
  type CacheKeys,
  type CacheLoss,
  type CacheStore,
  type VaultStorage,
} from '../../core/vault/storage.ts';
import { createClock } from '../clock.ts';
import { isMissing, syncFolder } from '../durableFiles.ts';
import { RestartingWorker } from '../threads/restartingWorker.ts';
import { Restarts } from '../threads/restarts.ts';
import { CacheThread } from './cacheThread.ts';
import {
  anchorsFolder,
  destroyFolder,
  folderBytes,
  readSmallFile,
  removeAnchors,
  replaceFile,
} from './folder.ts';
import type { CacheQuestion } from './messages.ts';
import { storageErrorOf } from './reason.ts';

const idRule = /^[0-9a-f]{32}$/;
/** Of 8 KiB: a cache larger than 16 GiB would fill a disk unseen. */
const defaultPages = 2 ** 21;

/**
 * The vaults of a data folder, each in a folder of its own (mode 0700) below `vaults`, with its files
 * (mode 0600) and its database in a thread of its own. `maximumPages` is the most pages of 8 KiB that
 * a cache may grow to. A thread that dies is started anew, with the keys that are held until the cache
 * is closed; `onThreadLost` is called when it keeps dying.
 */
export function createVaultStorage(options: {
  readonly dataDir: string;
  /** Where what is known of each vault lies outside of it. */
  readonly anchorsDir?: string;
  readonly maximumPages?: number;
  readonly clock?: Clock;
  readonly onThreadLost?: () => void;
}): VaultStorage {
  const root = join(options.dataDir, 'vaults');
  const { maximumPages = defaultPages, clock = createClock(), onThreadLost = () => undefined } = options;
  /** Started ahead of its use, while the password is derived. */
  let spare: CacheThread | null = null;

  const folderOf = (id: string): string => {
    if (!idRule.test(id)) throw new StorageError('broken', 'not the name of a vault');
    return join(root, id);
  };
  const takeThread = (): CacheThread => {
    const thread = spare && !spare.died ? spare : new CacheThread();
    spare = null;
    return thread;
  };

  return {
    prepare: () => void (spare ??= new CacheThread()),

    ids: () =>
      attempt(async () => {
        const entries = await readdir(root, { withFileTypes: true }).catch(emptyIfMissing);
        return entries
          .filter((entry) => entry.isDirectory() && idRule.test(entry.name))
          .map(({ name }) => name);
      }),

    exists: (id) => attempt(async () => (await readdir(folderOf(id)).catch(emptyIfMissing)).length > 0),
    read: (id, name) => attempt(() => readSmallFile(join(folderOf(id), name))),
    write: (id, name, bytes) => attempt(() => replaceFile(folderOf(id), name, bytes)),

    rename: (id, to) =>
      attempt(async () => {
        await rename(folderOf(id), folderOf(to));
        await syncFolder(root);
      }),

    destroy: (id) =>
      attempt(async () => {
        await destroyFolder(folderOf(id));
        await syncFolder(root);
        const former = join(options.dataDir, anchorsFolder);
        for (const anchors of new Set([former, options.anchorsDir ?? former]))
          await removeAnchors(anchors, id);
      }),

    bytes: (id) => attempt(() => folderBytes(folderOf(id))),

    countClosed: (id) =>
      attempt(async () => {
        const thread = takeThread();
        try {
          return await thread.ask({ kind: 'count-closed', folder: folderOf(id) });
        } finally {
          if (spare || thread.died) await thread.end();
          else spare = thread;
        }
      }),

    openCache: ({ id, keys, now, fresh }) =>
      attempt(async () => {
        const question = { kind: 'open', folder: folderOf(id), maximumPages } as const;
        const thread = takeThread();
        const lost = await openWith(thread, { ...question, keys, now, fresh, again: false });
        const held = copyOf(keys);
        const restarts = new Restarts(clock, onThreadLost);
        const begin = async (): Promise<CacheThread> => {
          const next = new CacheThread();
          const now = clock.wallNow();
          try {
            await openWith(next, { ...question, keys: held, now, fresh: false, again: true });
            return next;
          } catch (error) {
            if (isGone(error) && !next.died) restarts.giveUp();
            throw error;
          }
        };
        const lasting = new RestartingWorker({ thread, begin, restarts, clock });
        return { store: createCacheStore(lasting, () => forget(held)), lost };
      }),

    close: () =>
      attempt(async () => {
        await spare?.end();
        spare = null;
      }),
  };
}

/** Why there is a new database in place of the one that was expected; a thread that can't open it is ended. */
async function openWith(
  thread: CacheThread,
  question: Extract<CacheQuestion, { kind: 'open' }>,
): Promise<CacheLoss | null> {
  try {
    return (await thread.ask(question)).lost;
  } catch (error) {
    await thread.end();
    throw error;
  }
}

function createCacheStore(lasting: RestartingWorker<CacheThread>, onClose: () => void): CacheStore {
  return {
    load: (take) => {
      // A second reading, after a thread that died, hands over what the first did not get to.
      let taken = 0;
      let taking: Promise<void> = Promise.resolve();
      return lasting.run((thread) => {
        let come = 0;
        return thread.ask(
          { kind: 'load' },
          {
            take: async (json) => {
              come += 1;
              if (come <= taken) return;
              taken = come;
              taking = taking.then(() => take(json));
              await taking;
            },
          },
        );
      });
    },
    write: async (change) => {
      await lasting.run((thread) => thread.ask({ kind: 'write', change }));
    },
    document: (name) => lasting.run((thread) => thread.ask({ kind: 'document', name })),
    count: () => lasting.run((thread) => thread.ask({ kind: 'count' })),
    close: async () => {
      try {
        await lasting.close((thread) => thread.ask({ kind: 'close' }));
      } finally {
        onClose();
      }
    },
  };
}

/** Whether the database is not there any more as it was left. */
const isGone = (error: unknown): boolean => error instanceof StorageError && error.reason === 'interrupted';

const copyOf = (keys: CacheKeys): CacheKeys => ({
  identity: keys.identity,
  records: Uint8Array.from(keys.records),
  lookup: Uint8Array.from(keys.lookup),
  documents: Uint8Array.from(keys.documents),
});

function forget({ records, lookup, documents }: CacheKeys): void {
  for (const key of [records, lookup, documents]) key.fill(0);
}

function emptyIfMissing(error: unknown): [] {
  if (isMissing(error)) return [];
  throw error;
}

async function attempt<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storageErrorOf(error);
  }
}
