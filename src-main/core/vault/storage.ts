/** Why something could not be stored or read. */
export type StorageReason =
  /** No space, or the cache reached its largest size. */
  | 'full'
  | 'read-only'
  /** Another process, or another console, has the files. */
  | 'busy'
  | 'denied'
  /** Something is there that is no file of a vault. */
  | 'blocked'
  /** The runtime lacks what the cache needs. */
  | 'unsupported'
  /** The thread that does it died and is started again, or dies again and again. */
  | 'interrupted'
  | 'broken';

/** What a `VaultStorage` rejects with. `detail` is technical, for the log, and never holds a value or a key. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly reason: StorageReason;

  constructor(reason: StorageReason, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

export type VaultFileName = 'about.json' | 'key.a' | 'key.b';

/** What the cache's sealing needs. The bytes of the keys are copied: the caller may overwrite its own. */
export interface CacheKeys {
  /** The vault's identity, which every sealed record is bound to. */
  readonly identity: string;
  readonly records: Uint8Array;
  readonly lookup: Uint8Array;
  readonly documents: Uint8Array;
}

/** Entries as JSON texts separated by a comma and a line feed; an entry itself holds no line feed. */
export interface EntryBatch {
  readonly ids: readonly string[];
  readonly entries: Uint8Array;
}

export interface StoredChange {
  readonly upserts: EntryBatch;
  readonly removals: readonly string[];
  readonly documents: Readonly<Record<string, string>>;
}

/** The open database of one vault. Calls are done one after the other, in the order they were made. */
export interface CacheStore {
  /**
   * Hands over all entries, as UTF-8 JSON arrays of at most 2,000. The next but one batch is prepared
   * while `take` works; `take` must not wait for another call to this store.
   */
  load(take: (json: Uint8Array) => void | Promise<void>): Promise<{
    readonly incidents: number;
    readonly damaged: number;
    /** Some are gone or were exchanged for an older version, as the sum of all that were written last shows. */
    readonly older: boolean;
  }>;
  /** Removals first, then upserts; all of it or nothing. */
  write(change: StoredChange): Promise<void>;
  /** `damaged`: there is such a document and its seal does not hold. */
  document(name: string): Promise<{ readonly text: string | null; readonly damaged: boolean }>;
  /** How many entries there are. */
  count(): Promise<number>;
  /** Closes the file and overwrites the keys. */
  close(): Promise<void>;
}

/** Why a new database was begun in place of the one that was expected. */
export type CacheLoss = 'missing' | 'unreadable';

/**
 * The vaults' files. An `id` is 32 hexadecimal digits. Everything rejects with a `StorageError`.
 */
export interface VaultStorage {
  /** Begins in the background what opening a cache will need. */
  prepare(): void;
  ids(): Promise<readonly string[]>;
  /** Whether the vault has a folder with anything in it. */
  exists(id: string): Promise<boolean>;
  /** The bytes of a small file, or null when there is none. */
  read(id: string, name: VaultFileName): Promise<Uint8Array | null>;
  /** Makes the folder if need be; after a power cut there is the old file or the new one. */
  write(id: string, name: VaultFileName, bytes: Uint8Array): Promise<void>;
  rename(id: string, to: string): Promise<void>;
  /** Overwrites and removes the key copies, then removes everything else. */
  destroy(id: string): Promise<void>;
  /** Bytes that the vault's files take. */
  bytes(id: string): Promise<number>;
  /** How many entries a closed cache holds, without its key; 0 when that cannot be told. */
  countClosed(id: string): Promise<number>;
  /**
   * Opens the cache. One that cannot be read is renamed to a name with the date of `now` (Unix
   * milliseconds) in it, and a new one is begun. `fresh`: there is none yet, and that is no loss.
   */
  openCache(options: {
    readonly id: string;
    readonly keys: CacheKeys;
    readonly now: number;
    readonly fresh: boolean;
  }): Promise<{ readonly store: CacheStore; readonly lost: CacheLoss | null }>;
  /** Ends what `prepare` began. */
  close(): Promise<void>;
}
