import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../core/base/ports.ts';
import { KeyedQueue } from '../../../core/base/queues.ts';
import type {
  RecordFolders,
  RecordKeys,
  RecordStore,
  RenewableRecords,
  RowKeys,
  VaultRecords,
} from '../../../core/vault/records.ts';
import { boundTo, forgetKeys, HeldKeys, ringOf } from '../../../core/vault/seal.ts';
import { StorageError } from '../../../core/vault/storage.ts';
import { createClock } from '../../clock.ts';
import { databaseThread, openDatabase, type DatabaseThread } from '../databaseThread.ts';
import { makeFolder } from '../../durableFiles.ts';
import { anchorName, anchorsFolder } from '../folder.ts';
import type { DatabaseMessages } from '../messages.ts';
import { storing } from '../reason.ts';
import { Anchor } from './anchor.ts';
import { readSealedText, resealText, writeSealedText, type SealedPlace } from './sealedTexts.ts';
import { FolderSpool, type SpoolKeys } from './spool.ts';
import { createHasher, SpoolThreads } from './spoolThreads.ts';

const vaultRule = /^[0-9a-f]{32}$/;
const headFile = 'actions.head';
/** Pages of 8 KiB: a database larger than 2 GiB would fill the disk unnoticed. */
const defaultPages = 2 ** 18;

interface RecordFoldersOptions {
  readonly dataDir: string;
  /** The folder of the anchors. It must not be copied and restored with the data folder. */
  readonly anchorsDir?: string;
  /** The most pages of 8 KiB of a database. */
  readonly maximumPages?: number;
  readonly clock?: Clock;
  /** Called when a thread dies repeatedly; after a single death it is started again. */
  readonly onThreadLost?: () => void;
}

/**
 * The records of a data folder's vaults: `outbox.sqlite`, `actions.head` and `spool` in the folder of each vault. In
 * `temporary` are those that last only until they are closed; what an interrupted process left there is removed soon
 * after the start.
 */
export function createRecordFolders(options: RecordFoldersOptions): RecordFolders {
  const { dataDir, anchorsDir = join(dataDir, anchorsFolder) } = options;
  const temporary = join(dataDir, 'temporary');
  const opener = new RecordOpener(options);
  let swept: Promise<void> | null = null;
  const sweep = (): Promise<void> => (swept ??= removeAll(temporary));
  // Not at once: the caller may find that another process has the data folder, and close this.
  const soon = setImmediate(() => void sweep());
  soon.unref();

  return {
    open: ({ vaultId, keys, now, fresh }) =>
      storing(() => {
        if (!vaultRule.test(vaultId)) throw new StorageError('broken', 'not the name of a vault');
        const folder = join(dataDir, 'vaults', vaultId);
        const anchor = { folder: anchorsDir, name: anchorName(vaultId, keys.identity) };
        return opener.open({ folder, anchor, keys, now, fresh, onClose: () => Promise.resolve() });
      }),

    openTemporary: () =>
      storing(async () => {
        await sweep();
        const folder = join(temporary, randomBytes(16).toString('hex'));
        await makeFolder(folder);
        const keys = randomKeys();
        try {
          return await opener.open({
            folder,
            anchor: { folder, name: 'anchor' },
            keys,
            now: 0,
            fresh: true,
            // The next start removes what cannot be removed now; its key is already gone.
            onClose: () => rm(folder, { recursive: true, force: true }).catch(() => undefined),
          });
        } finally {
          forgetKeys(keys);
        }
      }),

    hasher: () => createHasher(opener.threads),

    close: () => {
      clearImmediate(soon);
      return opener.close(swept);
    },
  };
}

/** One vault's place on the disk, and the options for opening its records. */
interface Place {
  readonly folder: string;
  readonly anchor: Pick<SealedPlace, 'folder' | 'name'>;
  readonly keys: RecordKeys;
  /** Unix milliseconds. */
  readonly now: number;
  readonly fresh: boolean;
  readonly onClose: () => Promise<void>;
}

/** Opens records, with the threads that they share, and closes all that are still open. */
class RecordOpener {
  readonly threads: SpoolThreads;
  readonly #maximumPages: number;
  readonly #clock: Clock;
  readonly #onThreadLost: () => void;
  readonly #opened = new Set<VaultRecords>();
  #closed = false;

  constructor(options: RecordFoldersOptions) {
    const { maximumPages = defaultPages, clock = createClock(), onThreadLost = () => undefined } = options;
    this.threads = new SpoolThreads({ clock, onThreadLost });
    this.#maximumPages = maximumPages;
    this.#clock = clock;
    this.#onThreadLost = onThreadLost;
  }

  async open(place: Place): Promise<RenewableRecords> {
    if (this.#closed) throw new StorageError('broken', 'it was closed');
    const held = new HeldKeys(place.keys);
    try {
      const anchor = await this.#openAnchor(place, held.keys);
      const { database, found } = await this.#openOutbox(place, held, anchor);
      const records = openRecords({
        folder: place.folder,
        anchor,
        held,
        database,
        threads: this.threads,
        found,
        onClose: async () => {
          this.#opened.delete(records);
          await place.onClose();
        },
      });
      this.#opened.add(records);
      return records;
    } catch (error) {
      held.forget();
      await place.onClose();
      throw error;
    }
  }

  /** Closes everything after `before`. Nothing opens from now on. */
  async close(before: Promise<void> | null): Promise<void> {
    this.#closed = true;
    await before;
    await Promise.allSettled([...this.#opened].map((records) => records.close()));
    await this.threads.close();
  }

  #openAnchor({ anchor }: Place, keys: RecordKeys): Promise<Anchor> {
    const bound = boundTo('anchor', keys.identity);
    return Anchor.open({ ...anchor, keys: headKeysOf(keys), bound }, this.#clock);
  }

  async #openOutbox({ folder, now, fresh }: Place, held: HeldKeys<RecordKeys>, anchor: Anchor) {
    const database = databaseThread('vault outbox', { clock: this.#clock, onLost: this.#onThreadLost });
    const found = await openDatabase(database, 'openOutbox', (again) => ({
      folder,
      keys: rowKeysOf(held.keys),
      now: again ? this.#clock.wallNow() : now,
      fresh: fresh && !again,
      again,
      maximumPages: this.#maximumPages,
      anchored: anchor.counter,
    }));
    return { database, found };
  }
}

function openRecords(options: {
  readonly folder: string;
  readonly anchor: Anchor;
  readonly held: HeldKeys<RecordKeys>;
  readonly database: DatabaseThread;
  readonly threads: SpoolThreads;
  readonly found: DatabaseMessages['openOutbox']['reply'];
  readonly onClose: () => Promise<void>;
}): RenewableRecords {
  const { folder, anchor, held, database, threads, found, onClose } = options;
  const { identity, audit: auditKey } = held.keys;
  const spool = new FolderSpool({ folder: join(folder, 'spool'), keys: held.keys, threads });
  const contents = new FolderSpool({
    folder: join(folder, 'contents'),
    keys: contentKeysOf(held.keys),
    threads,
  });
  const order = new KeyedQueue();
  const head = (): SealedPlace => ({
    folder,
    name: headFile,
    keys: headKeysOf(held.keys),
    bound: boundTo('head', identity),
  });
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
    readHead: () => inHead(() => readSealedText(head())),
    writeHead: (text) => inHead(() => writeSealedText(head(), text)),
    readAnchor: () => Promise.resolve(anchor.head),
    writeAnchor: (text) => inHead(() => anchor.writeHead(text)),
  };
  const close = async (): Promise<void> => {
    try {
      await Promise.all([spool.close(), contents.close()]);
      await order.idle();
    } finally {
      try {
        await database.close((thread) => thread.ask('close', null));
      } finally {
        await anchor.close();
        held.forget();
      }
      await onClose();
    }
  };
  return {
    store,
    spool,
    contents,
    ...found,
    auditKey,
    renew: (keys) =>
      storing(async () => {
        if (closing) throw new StorageError('broken', 'it was closed');
        const next = held.replace(keys);
        // Each takes the keys before anything waits.
        const [inSpool, inContents] = await Promise.all([
          spool.renew(next),
          contents.renew(contentKeysOf(next)),
          database.ask('renewOutbox', rowKeysOf(next)),
          inHead(() => resealText(head())),
          anchor.renew(headKeysOf(next)),
        ]);
        return inSpool && inContents && !(await hasAside(folder));
      }),
    close: () => storing(() => (closing ??= close())),
  };
}

const headKeysOf = (keys: RecordKeys): readonly Uint8Array[] => ringOf(keys).map(({ head }) => head);

const rowKeysOf = ({ identity, rows, lookup, older = [] }: RecordKeys): RowKeys => ({
  identity,
  rows,
  lookup,
  older: older.map(rowKeysOf),
});

const contentKeysOf = ({ identity, contents, contentNotes, older = [] }: RecordKeys): SpoolKeys => ({
  identity,
  files: contents,
  sidecars: contentNotes,
  older: older.map(contentKeysOf),
});

/** Whether a database was set aside, which stays sealed as it is. */
const hasAside = async (folder: string): Promise<boolean> =>
  (await readdir(folder)).some((name) => name.startsWith('unreadable'));

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

/** Removes the content of a folder. What cannot be removed stays: it is sealed, and its key is gone. */
async function removeAll(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined);
  }
}
