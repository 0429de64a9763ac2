import type {
  RecordKeys,
  RecordRow,
  RecordRows,
  RecordTable,
  VaultRecords,
} from '../../core/vault/records.ts';
import type { CacheKeys, CacheLoss, CacheStore, StoredChange } from '../../core/vault/storage.ts';

/** How a database of a vault is opened. */
export interface Opening {
  /** The vault's folder. */
  readonly folder: string;
  /** Unix milliseconds, for the name of a file that is put aside. */
  readonly now: number;
  /** There is none yet, and that is no loss. */
  readonly fresh: boolean;
  /** Opened before by this process: one that is not as it was left is not touched. */
  readonly again: boolean;
  /** Of 8 KiB. */
  readonly maximumPages: number;
}

export interface CacheOpening extends Opening {
  readonly keys: CacheKeys;
}

export interface OutboxOpening extends Opening {
  readonly keys: Pick<RecordKeys, 'identity' | 'rows' | 'lookup'>;
  /** How many writes the database must hold, as is known outside of it. */
  readonly anchored: number;
}

type Replies<M extends keyof CacheStore> = Awaited<ReturnType<CacheStore[M]>>;

/**
 * What the thread of a vault's database is asked: one program for the cache and the outbox, one thread for one open
 * database. All but the first three need one that is open.
 *
 * An incident comes to the disk by six hops: `WriteBehind`, the cache of its open vault, `RestartingWorker`, the
 * program of the thread, `CacheDatabase`, `CacheBlocks`.
 */
export interface DatabaseMessages {
  readonly openCache: { readonly request: CacheOpening; readonly reply: { readonly lost: CacheLoss | null } };
  readonly openOutbox: {
    readonly request: OutboxOpening;
    readonly reply: Pick<VaultRecords, 'lost' | 'rollback'>;
  };
  /** How many incidents a closed cache holds, without its key. `request` is the vault's folder. */
  readonly countClosed: { readonly request: string; readonly reply: number };
  /** Hands over batches of entries before its reply. */
  readonly load: { readonly request: null; readonly reply: Replies<'load'> };
  readonly write: { readonly request: StoredChange; readonly reply: undefined };
  readonly document: { readonly request: string; readonly reply: Replies<'document'> };
  readonly count: { readonly request: null; readonly reply: number };
  readonly rows: { readonly request: RecordTable; readonly reply: RecordRows };
  /** Replies with how many writes the database holds by now. */
  readonly writeRows: { readonly request: readonly RecordRow[]; readonly reply: number };
  readonly close: { readonly request: null; readonly reply: null };
}
