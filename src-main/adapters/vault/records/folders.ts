import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../core/base/ports.ts';
import { KeyedQueue } from '../../../core/base/queues.ts';
import type { RecordFolders, RecordKeys, RecordStore, VaultRecords } from '../../../core/vault/records.ts';
import { boundTo, copyKeys, forgetKeys } from '../../../core/vault/seal.ts';
import { StorageError } from '../../../core/vault/storage.ts';
import { createClock } from '../../clock.ts';
import { databaseThread, openDatabase, type DatabaseThread } from '../databaseThread.ts';
import { makeFolder } from '../../durableFiles.ts';
import { anchorName, anchorsFolder } from '../folder.ts';
import type { DatabaseMessages } from '../messages.ts';
import { storing } from '../reason.ts';
import { Anchor, type SealedPlace } from './anchor.ts';
import { readSealedText, writeSealedText } from './sealedTexts.ts';
import { FolderSpool } from './spool.ts';
import { createHasher, SpoolThreads } from './spoolThreads.ts';

const vaultRule = /^[0-9a-f]{32}$/;
const headFile = 'actions.head';
/** Of 8 KiB: a database larger than 2 GiB would fill a disk unseen. */
const defaultPages = 2 ** 18;

/**
 * The actions of a data folder's vaults: `outbox.sqlite`, `actions.head` and `spool` in the folder of
 * each, and in `temporary` those that nothing is kept of. What a dead process left in there is removed
 * soon after this is made. What is known of each vault outside of it lies in `anchorsDir`, which should not be copied
 * and put back with the data folder. `maximumPages` is the most pages of 8 KiB that a database may grow to. A
 * thread that dies is started again; `onThreadLost` is called when it keeps dying.
 */
export function createRecordFolders(options: {
  readonly dataDir: string;
  readonly anchorsDir?: string;
  readonly maximumPages?: number;
  readonly clock?: Clock;
  readonly onThreadLost?: () => void;
}): RecordFolders {
  const {
    dataDir,
    anchorsDir = join(dataDir, anchorsFolder),
    maximumPages = defaultPages,
    clock = createClock(),
    onThreadLost = () => undefined,
  } = options;
  const temporary = join(dataDir, 'temporary');
  const threads = new SpoolThreads({ clock, onThreadLost });
  const opened = new Set<VaultRecords>();
  let closed = false;
  let swept: Promise<void> | null = null;
  const sweep = (): Promise<void> => (swept ??= removeAll(temporary));
  // Not at once: the caller may find that another process has the data folder, and close this.
  const soon = setImmediate(() => void sweep());
  soon.unref();

  async function openIn(place: {
    readonly folder: string;
    readonly anchor: FileName;
    readonly former: FileName | null;
    readonly keys: RecordKeys;
    readonly now: number;
    readonly fresh: boolean;
    readonly onClose: () => Promise<void>;
  }): Promise<VaultRecords> {
    const { folder, now, fresh, onClose } = place;
    if (closed) throw new StorageError('broken', 'it was closed');
    const keys = copyKeys(place.keys);
    try {
      const { identity, rows, lookup } = keys;
      const sealed = ({ folder, name }: FileName): SealedPlace => ({
        folder,
        name,
        key: keys.head,
        bound: boundTo('anchor', identity),
      });
      const former = place.former && sealed(place.former);
      const anchor = await Anchor.open({ place: sealed(place.anchor), former, clock });
      const database = databaseThread('vault outbox', { clock, onLost: onThreadLost });
      const found = await openDatabase(database, 'openOutbox', (again) => ({
        folder,
        keys: { identity, rows, lookup },
        now: again ? clock.wallNow() : now,
        fresh: fresh && !again,
        again,
        maximumPages,
        anchored: anchor.counter,
      }));
      const records = createOpenActions({
        folder,
        anchor,
        keys,
        database,
        threads,
        found,
        onClose: async () => {
          opened.delete(records);
          await onClose();
        },
      });
      opened.add(records);
      return records;
    } catch (error) {
      forgetKeys(keys);
      await onClose();
      throw error;
    }
  }

  return {
    open: ({ vaultId, keys, now, fresh }) =>
      storing(() => {
        if (!vaultRule.test(vaultId)) throw new StorageError('broken', 'not the name of a vault');
        const folder = join(dataDir, 'vaults', vaultId);
        const anchor = { folder: anchorsDir, name: anchorName(vaultId, keys.identity) };
        const former = { folder: join(dataDir, anchorsFolder), name: vaultId };
        return openIn({ folder, anchor, former, keys, now, fresh, onClose: () => Promise.resolve() });
      }),

    openTemporary: () =>
      storing(async () => {
        await sweep();
        const folder = join(temporary, randomBytes(16).toString('hex'));
        await makeFolder(folder);
        const keys = randomKeys();
        try {
          return await openIn({
            folder,
            anchor: { folder, name: 'anchor' },
            former: null,
            keys,
            now: 0,
            fresh: true,
            // What cannot be removed is removed at the next start; its key is gone already.
            onClose: () => rm(folder, { recursive: true, force: true }).catch(() => undefined),
          });
        } finally {
          forgetKeys(keys);
        }
      }),

    hasher: () => createHasher(threads),

    close: async () => {
      closed = true;
      clearImmediate(soon);
      await swept;
      await Promise.allSettled([...opened].map((records) => records.close()));
      await threads.close();
    },
  };
}

/** Where a small file lies. */
interface FileName {
  readonly folder: string;
  readonly name: string;
}

function createOpenActions(options: {
  readonly folder: string;
  readonly anchor: Anchor;
  readonly keys: RecordKeys;
  readonly database: DatabaseThread;
  readonly threads: SpoolThreads;
  readonly found: DatabaseMessages['openOutbox']['reply'];
  readonly onClose: () => Promise<void>;
}): VaultRecords {
  const { folder, anchor, keys, database, threads, found, onClose } = options;
  const spool = new FolderSpool({ folder: join(folder, 'spool'), keys, threads });
  const contents = new FolderSpool({
    folder: join(folder, 'contents'),
    keys: { identity: keys.identity, files: keys.contents, sidecars: keys.contentNotes },
    threads,
  });
  const order = new KeyedQueue();
  const head = { folder, name: headFile, key: keys.head, bound: boundTo('head', keys.identity) };
  let closing: Promise<void> | null = null;
  const inHead = <T>(work: () => Promise<T>): Promise<T> =>
    storing(() => {
      if (closing) throw new StorageError('broken', 'it was closed');
      return order.run(headFile, work);
    });

  const store: RecordStore = {
    rows: database.asking('rows'),
    write: async (rows) => {
      anchor.note(await database.ask('writeRows', rows));
    },
    readHead: () => inHead(() => readSealedText(head)),
    writeHead: (text) => inHead(() => writeSealedText({ ...head, text })),
    readAnchor: () => Promise.resolve(anchor.head),
    writeAnchor: (text) => inHead(() => anchor.writeHead(text)),
  };
  const close = async (): Promise<void> => {
    try {
      await Promise.all([spool.close(), contents.close()]);
      await order.idle();
    } finally {
      await database
        .close((thread) => thread.ask('close', null))
        .finally(async () => {
          await anchor.close();
          forgetKeys(keys);
        });
      await onClose();
    }
  };
  return {
    store,
    spool,
    contents,
    ...found,
    auditKey: keys.audit,
    close: () => storing(() => (closing ??= close())),
  };
}

function randomKeys(): RecordKeys {
  const key = (): Uint8Array => new Uint8Array(randomBytes(32));
  return {
    identity: randomBytes(16).toString('hex'),
    rows: key(),
    lookup: key(),
    head: key(),
    files: key(),
    sidecars: key(),
    contents: key(),
    contentNotes: key(),
    audit: key(),
  };
}

/** Removes what lies in a folder. What cannot be removed stays: it is sealed, and its key is gone. */
async function removeAll(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined);
  }
}
