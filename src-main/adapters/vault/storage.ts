import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../../core/base/errors.ts';
import type { Clock } from '../../core/base/ports.ts';
import { HeldKeys } from '../../core/vault/seal.ts';
import {
  StorageError,
  type CacheKeys,
  type CacheStore,
  type VaultStorage,
} from '../../core/vault/storage.ts';
import { createClock } from '../clock.ts';
import { replaceFile, syncFolder } from '../durableFiles.ts';
import { databaseThread, openDatabase, type DatabaseThread } from './databaseThread.ts';
import {
  anchorName,
  anchorsFolder,
  destroyFolder,
  folderBytes,
  readSmallFile,
  removeAnchors,
  replaceVaultFile,
} from './folder.ts';
import { storing } from './reason.ts';

const idRule = /^[0-9a-f]{32}$/;
/** Pages of 8 KiB: a cache larger than 16 GiB would fill the disk unnoticed. */
const defaultPages = 2 ** 21;

/**
 * The vaults of a data folder, each in a folder (mode 0700) below `vaults`, with its files (mode 0600) and its database
 * in a separate thread. `maximumPages` is the most pages of 8 KiB of a cache. A thread that dies is started again, with
 * the keys, which stay in memory until the cache closes; `onThreadLost` is called when it dies repeatedly.
 */
export function createVaultStorage(options: {
  readonly dataDir: string;
  /** The folder of the anchors, outside of the data folder. */
  readonly anchorsDir?: string;
  readonly maximumPages?: number;
  readonly clock?: Clock;
  readonly onThreadLost?: () => void;
}): VaultStorage {
  const root = join(options.dataDir, 'vaults');
  const { maximumPages = defaultPages, clock = createClock(), onThreadLost = () => undefined } = options;
  /** Started before its use, while the password is derived. */
  let spare: DatabaseThread | null = null;

  const folderOf = (id: string): string => {
    if (!idRule.test(id)) throw new StorageError('broken', 'not the name of a vault');
    return join(root, id);
  };
  const { anchorsDir = join(options.dataDir, anchorsFolder) } = options;
  const takeThread = (): DatabaseThread => {
    const thread = spare ?? databaseThread('vault cache', { clock, onLost: onThreadLost });
    spare = null;
    return thread;
  };

  return {
    prepare: () => {
      spare = takeThread();
      spare.start();
    },

    ids: () =>
      storing(async () => {
        const entries = await readdir(root, { withFileTypes: true }).catch(emptyIfMissing);
        return entries
          .filter((entry) => entry.isDirectory() && idRule.test(entry.name))
          .map(({ name }) => name);
      }),

    exists: (id) => storing(async () => (await readdir(folderOf(id)).catch(emptyIfMissing)).length > 0),
    read: (id, name) => storing(() => readSmallFile(join(folderOf(id), name))),
    write: (id, name, bytes) => storing(() => replaceVaultFile(join(folderOf(id), name), bytes)),

    ...turnsIn(anchorsDir),

    rename: (id, to) =>
      storing(async () => {
        await rename(folderOf(id), folderOf(to));
        await syncFolder(root);
      }),

    destroy: (id) =>
      storing(async () => {
        await destroyFolder(folderOf(id));
        await syncFolder(root);
        await removeAnchors(anchorsDir, id);
      }),

    bytes: (id) => storing(() => folderBytes(folderOf(id))),

    countClosed: (id) =>
      storing(async () => {
        const thread = takeThread();
        try {
          return await thread.ask('countClosed', folderOf(id));
        } finally {
          if (spare) await thread.close();
          else spare = thread;
        }
      }),

    openCache: ({ id, keys, now, fresh }) =>
      storing(async () => {
        const folder = folderOf(id);
        const thread = takeThread();
        const held = new HeldKeys(keys);
        try {
          const { lost } = await openDatabase(thread, 'openCache', (again) => ({
            folder,
            keys: held.keys,
            now: again ? clock.wallNow() : now,
            fresh: fresh && !again,
            again,
            maximumPages,
          }));
          return { store: createCacheStore(thread, held), lost };
        } catch (error) {
          held.forget();
          throw error;
        }
      }),

    close: () =>
      storing(async () => {
        await spare?.close();
        spare = null;
      }),
  };
}

/** The turns of the keys' last known changes, each in a file that the data folder does not have. */
function turnsIn(folder: string): Pick<VaultStorage, 'anchoredTurn' | 'anchorTurn'> {
  const path = (id: string, identity: string): string => join(folder, `${anchorName(id, identity)}.turn`);
  return {
    anchoredTurn: async (id, identity) => {
      const bytes = await readSmallFile(path(id, identity)).catch(() => null);
      const turn = Number(new TextDecoder().decode(bytes ?? undefined));
      return Number.isSafeInteger(turn) ? turn : 0;
    },
    anchorTurn: (id, identity, turn) => storing(() => replaceFile(path(id, identity), `${String(turn)}\n`)),
  };
}

const createCacheStore = (worker: DatabaseThread, held: HeldKeys<CacheKeys>): CacheStore => ({
  load: (take) => worker.ask('load', null, take),
  write: worker.asking('write'),
  document: worker.asking('document'),
  count: () => worker.ask('count', null),
  renew: async (keys) => void (await worker.ask('renewCache', held.replace(keys))),
  close: () => worker.close((thread) => thread.ask('close', null)).finally(() => held.forget()),
});

function emptyIfMissing(error: unknown): [] {
  if (isMissing(error)) return [];
  throw error;
}
