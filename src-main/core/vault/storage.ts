/** Why a write or read failed. */
export type StorageReason =
  /** No space, or the cache reached its largest size. */
  | 'full'
  | 'read-only'
  /** Another process, or another console, uses the files. */
  | 'busy'
  | 'denied'
  /** A file of another kind is in the place of a vault's. */
  | 'blocked'
  /** The runtime lacks what the cache needs. */
  | 'unsupported'
  /** The storage thread failed and is being restarted, or fails repeatedly. */
  | 'interrupted'
  | 'broken';

/** The error of a `VaultStorage`. `detail` is technical, for the log, and never has a value or a key. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly reason: StorageReason;

  constructor(reason: StorageReason, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

export type VaultFileName = 'about.json' | 'key.a' | 'key.b';

/** The keys of the cache. Their bytes are copied: the caller may overwrite its own. */
export interface CacheKeys {
  /** The vault's identity, to which every sealed record is bound. */
  readonly identity: string;
  readonly records: Uint8Array;
  readonly lookup: Uint8Array;
  readonly documents: Uint8Array;
  /** Those of before a changed password, the newest first, with which the cache may still be sealed. */
  readonly older?: readonly CacheKeys[];
}

/** Entries as JSON texts separated by a comma and a line feed. An entry itself has no line feed. */
export interface EntryBatch {
  readonly ids: readonly string[];
  readonly entries: Uint8Array;
}

export interface StoredChange {
  readonly upserts: EntryBatch;
  readonly removals: readonly string[];
  readonly documents: Readonly<Record<string, string>>;
}

/** The open database of one vault. Calls run one after another, in their order. */
export interface CacheStore {
  /**
   * Delivers all entries, as UTF-8 JSON arrays of at most 2,000. While `take` works, the batch after the next one is
   * prepared; `take` must not wait for another call to this store.
   */
  load(take: (json: Uint8Array) => void | Promise<void>): Promise<{
    readonly incidents: number;
    readonly damaged: number;
    /** Some are missing or older, which the stored sum shows. */
    readonly older: boolean;
  }>;
  /** Removals first, then upserts: all or nothing. */
  write(change: StoredChange): Promise<void>;
  /** `damaged`: the document exists, but its seal is broken. */
  document(name: string): Promise<{ readonly text: string | null; readonly damaged: boolean }>;
  /** The number of entries. */
  count(): Promise<number>;
  /** Seals everything with newer keys, all or nothing. Until that works, nothing is written. */
  renew(keys: CacheKeys): Promise<void>;
  /** Closes the file and overwrites the keys. */
  close(): Promise<void>;
}

/** Why a new database was made in place of the expected one. */
export type CacheLoss = 'missing' | 'unreadable';

/**
 * The vaults' files. An `id` is 32 hexadecimal digits. Everything rejects with a `StorageError`.
 */
export interface VaultStorage {
  /** Prepares in the background for opening a cache. */
  prepare(): void;
  ids(): Promise<readonly string[]>;
  /** Whether the vault has a folder that is not empty. */
  exists(id: string): Promise<boolean>;
  /** The bytes of a small file, or null when there is none. */
  read(id: string, name: VaultFileName): Promise<Uint8Array | null>;
  /** Makes the folder if needed. After a power cut there is either the old file or the new one. */
  write(id: string, name: VaultFileName, bytes: Uint8Array): Promise<void>;
  /**
   * The turn of the last change of the password that is known outside of the data folder, 0 where none is. A vault's
   * copies in several data folders have different identities.
   */
  anchoredTurn(id: string, identity: string): Promise<number>;
  anchorTurn(id: string, identity: string, turn: number): Promise<void>;
  rename(id: string, to: string): Promise<void>;
  /** Overwrites and removes the key copies, then removes everything else. */
  destroy(id: string): Promise<void>;
  /** Bytes of the vault's files. */
  bytes(id: string): Promise<number>;
  /** The number of entries of a closed cache, without its key; 0 when it is not known. */
  countClosed(id: string): Promise<number>;
  /**
   * Opens the cache. One that cannot be read is renamed, with the date of `now` (Unix milliseconds) in its name, and a
   * new one is made. `fresh`: there is none yet, which is no loss.
   */
  openCache(options: {
    readonly id: string;
    readonly keys: CacheKeys;
    readonly now: number;
    readonly fresh: boolean;
  }): Promise<{ readonly store: CacheStore; readonly lost: CacheLoss | null }>;
  /** Ends the preparation of `prepare`. */
  close(): Promise<void>;
}
