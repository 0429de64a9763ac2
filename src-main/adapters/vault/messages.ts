import type { RecordRow, RecordRows, RecordTable, RowKeys, VaultRecords } from '../../core/vault/records.ts';
import type { CacheKeys, CacheLoss, CacheStore, StoredChange } from '../../core/vault/storage.ts';

/** The options for opening a database of a vault. */
export interface Opening {
  /** The vault's folder. */
  readonly folder: string;
  /** Unix milliseconds, for the name of a file that is set aside. */
  readonly now: number;
  /** There is none yet, which is no loss. */
  readonly fresh: boolean;
  /** This process opened it before: if it is not in the same state, it is left alone. */
  readonly again: boolean;
  /** Pages of 8 KiB. */
  readonly maximumPages: number;
}

export interface CacheOpening extends Opening {
  readonly keys: CacheKeys;
}

export interface OutboxOpening extends Opening {
  readonly keys: RowKeys;
  /** The least number of writes that the database must have, known from outside of it. */
  readonly anchored: number;
}

type Replies<M extends keyof CacheStore> = Awaited<ReturnType<CacheStore[M]>>;

/**
 * The messages to the thread of a vault's database: one program for cache and outbox, one thread for one open database.
 * All but the first three need an open one.
 *
 * An incident reaches the disk through `IncidentWriter`, the cache of its open vault, `RestartingWorker`, the program of
 * the thread, `CacheDatabase` and `CacheBlocks`.
 */
export interface DatabaseMessages {
  readonly openCache: { readonly request: CacheOpening; readonly reply: { readonly lost: CacheLoss | null } };
  readonly openOutbox: {
    readonly request: OutboxOpening;
    readonly reply: Pick<VaultRecords, 'lost' | 'rollback'>;
  };
  /** Seals all rows again with the keys, and no row with earlier ones from then on. */
  readonly renewCache: { readonly request: CacheKeys; readonly reply: null };
  readonly renewOutbox: { readonly request: RowKeys; readonly reply: null };
  /** The number of incidents in a closed cache, without its key. `request` is the vault's folder. */
  readonly countClosed: { readonly request: string; readonly reply: number };
  /** Delivers batches of entries before its reply. */
  readonly load: { readonly request: null; readonly reply: Replies<'load'> };
  readonly write: { readonly request: StoredChange; readonly reply: undefined };
  readonly document: { readonly request: string; readonly reply: Replies<'document'> };
  readonly count: { readonly request: null; readonly reply: number };
  readonly rows: { readonly request: RecordTable; readonly reply: RecordRows };
  /** Replies with the number of writes to the database so far. */
  readonly writeRows: { readonly request: readonly RecordRow[]; readonly reply: number };
  readonly close: { readonly request: null; readonly reply: null };
}
