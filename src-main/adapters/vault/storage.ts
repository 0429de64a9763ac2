import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { StorageError, type CacheStore, type VaultStorage } from '../../core/vault/storage.ts';
import { isMissing } from '../documents.ts';
import { CacheThread } from './cacheThread.ts';
import { destroyFolder, folderBytes, readSmallFile, replaceFile, syncFolder } from './folder.ts';
import { storageErrorOf } from './reason.ts';

const idRule = /^[0-9a-f]{32}$/;
/** Of 8 KiB: a cache larger than 16 GiB would fill a disk unseen. */
const defaultPages = 2 ** 21;

/**
 * The vaults of a data folder, each in a folder of its own (mode 0700) below `vaults`, with its files
 * (mode 0600) and its database in a thread of its own. `maximumPages` is the most pages of 8 KiB that
 * a cache may grow to.
 */
export function createVaultStorage(options: {
  readonly dataDir: string;
  readonly maximumPages?: number;
}): VaultStorage {
  const root = join(options.dataDir, 'vaults');
  const maximumPages = options.maximumPages ?? defaultPages;
  /** Started ahead of its use, while the password is derived. */
  let spare: CacheThread | null = null;

  const folderOf = (id: string): string => {
    if (!idRule.test(id)) throw new StorageError('broken', 'not the name of a vault');
    return join(root, id);
  };
  const takeThread = (): CacheThread => {
    const thread = spare ?? new CacheThread();
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
      }),

    bytes: (id) => attempt(() => folderBytes(folderOf(id))),

    countClosed: (id) =>
      attempt(async () => {
        const thread = takeThread();
        const count = await thread.ask({ kind: 'count-closed', folder: folderOf(id) });
        if (spare) await thread.end();
        else spare = thread;
        return count;
      }),

    openCache: ({ id, keys, now, fresh }) =>
      attempt(async () => {
        const thread = takeThread();
        try {
          const folder = folderOf(id);
          const { lost } = await thread.ask({ kind: 'open', folder, keys, now, fresh, maximumPages });
          return { store: createCacheStore(thread), lost };
        } catch (error) {
          await thread.end();
          throw error;
        }
      }),

    close: () =>
      attempt(async () => {
        await spare?.end();
        spare = null;
      }),
  };
}

function createCacheStore(thread: CacheThread): CacheStore {
  return {
    load: (take) => thread.ask({ kind: 'load' }, { take }),
    write: async (change) => {
      const { buffer } = change.upserts.entries;
      const transfer = buffer instanceof ArrayBuffer ? [buffer] : [];
      await thread.ask({ kind: 'write', change }, { transfer });
    },
    document: (name) => thread.ask({ kind: 'document', name }),
    count: () => thread.ask({ kind: 'count' }),
    close: async () => {
      try {
        await thread.ask({ kind: 'close' });
      } finally {
        await thread.end();
      }
    },
  };
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
