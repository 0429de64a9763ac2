import type { CidProfile } from '../../../src-preload/contract/index.ts';

/**
 * The operator's work that the service has not confirmed. Stored apart from the cache: a lost cache costs only a read,
 * but lost records cost an operator's work. All of it is sealed. All functions reject with a `StorageError`
 * (core/vault/storage.ts).
 */

export const recordTables = [
  'uploads',
  'decisions',
  'audit',
  'documents',
  'alarms',
  'notes',
  'pins',
  'shift',
] as const;
export type RecordTable = (typeof recordTables)[number];

/** A row to write; `text` null removes it. */
export interface RecordRow {
  readonly table: RecordTable;
  readonly id: string;
  readonly text: string | null;
}

export interface RecordRows {
  /** In the order of their ids, by code unit. */
  readonly rows: readonly { readonly id: string; readonly text: string }[];
  /** Rows whose seal is broken. */
  readonly damaged: number;
}

/** Small texts by table and id. Calls run one after another, in their order. */
export interface RecordStore {
  rows(table: RecordTable): Promise<RecordRows>;
  /** All of it or nothing. Resolves when it is safe from a power cut. */
  write(rows: readonly RecordRow[]): Promise<void>;
  /** A text in a separate file: the head of the audit list. */
  readHead(): Promise<{ readonly text: string | null; readonly damaged: boolean }>;
  /** Resolves when it is safe from a power cut, after which the file has either the old text or the new one. */
  writeHead(text: string): Promise<void>;
  /**
   * The copy of the head outside of the data folder: it stays when an older copy of that folder is restored. Null where
   * there is none, or it belongs to another vault.
   */
  readAnchor(): Promise<string | null>;
  writeAnchor(text: string): Promise<void>;
}

/** The facts about a file after its last byte. */
export interface SpooledFacts {
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly computed: readonly { readonly profile: CidProfile; readonly cid: string }[];
}

/** A file that is being written into the spool. Sealed and hashed piece by piece, in constant memory. */
export interface IncomingFile {
  /** Takes the next bytes. Waits while the disk is slower. */
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves when every byte is safe from a power cut. */
  finish(): Promise<SpooledFacts>;
  /** Removes what it wrote. Never rejects. */
  discard(): Promise<void>;
  /** Ends it, and leaves its full pieces, to be read with `readPartial`. Never rejects. */
  leave(): Promise<void>;
}

/** The sealed bytes of files to be sent, by an id of 16 hexadecimal digits. */
export interface Spool {
  /** Free bytes on the disk; null where that is not known. */
  free(): Promise<number | null>;
  receive(id: string): Promise<IncomingFile>;
  /**
   * The bytes from first to last. Each piece is checked before it is delivered: no byte of a damaged file ever counts
   * as good. Rejects before the first one when there is no such file.
   */
  read(id: string): AsyncIterable<Uint8Array>;
  /** The bytes from `start` to before `end`, in the same way. Only the pieces with these bytes are opened. */
  readPart(id: string, start: number, end: number): AsyncIterable<Uint8Array>;
  /** Ids and plain sizes of the complete files; a size is -1 where it is not known. */
  list(): Promise<ReadonlyMap<string, number>>;
  /** Ids and plain sizes of the unfinished files, counting full pieces only. */
  partials(): Promise<ReadonlyMap<string, number>>;
  /** The full pieces of an unfinished file, each checked before it is delivered, up to the first with a broken seal. */
  readPartial(id: string): AsyncIterable<Uint8Array>;
  remove(id: string): Promise<void>;
  /** Removes incomplete files except those in `partials`, and complete files that are not in `keep`. */
  sweep(keep: ReadonlySet<string>, partials?: ReadonlySet<string>): Promise<void>;
  /** Replaces the sealed text beside a file. Resolves when it is safe from a power cut. */
  writeSidecar(id: string, text: string): Promise<void>;
  /** The texts beside all files; null for one whose seal is broken. */
  sidecars(): Promise<ReadonlyMap<string, string | null>>;
}

/** Hashes bytes under every profile without storing them, to compare a file with a CID. */
export interface CidHasher {
  write(bytes: Uint8Array): Promise<void>;
  finish(): Promise<SpooledFacts>;
  /** Ends it early. Never rejects. */
  abandon(): Promise<void>;
}

/** The operator's unconfirmed work in one vault. */
export interface VaultRecords {
  readonly store: RecordStore;
  readonly spool: Spool;
  /** Fetched files of evidence, each with a note beside it. Losing them costs another fetch. */
  readonly contents: Spool;
  /** Why a new database was made in place of the expected one; null when none was. */
  readonly lost: 'missing' | 'unreadable' | null;
  /**
   * Signs that this is not the last written state. `older`: it has fewer writes than are known outside of the data
   * folder. `altered`: rows were damaged, removed, or replaced by older ones. Null also where nothing is known.
   */
  readonly rollback: 'older' | 'altered' | null;
  /** 32 bytes for the chain of the audit list; overwritten when the vault closes. */
  readonly auditKey: Uint8Array;
  close(): Promise<void>;
}

/** Those of a vault whose password may change. */
export interface RenewableRecords extends VaultRecords {
  /**
   * Seals everything with newer keys, from this call on. Resolves when all of it is; false when something needs an
   * earlier key that must not be written, such as a database that was set aside. What fails is left to the next call.
   */
  renew(keys: RecordKeys): Promise<boolean>;
}

/** Bytes of keys are copied: the caller may overwrite its own. */
export interface RecordKeys {
  /** The vault's identity, to which everything sealed is bound. */
  readonly identity: string;
  readonly rows: Uint8Array;
  readonly lookup: Uint8Array;
  readonly head: Uint8Array;
  readonly files: Uint8Array;
  readonly sidecars: Uint8Array;
  readonly contents: Uint8Array;
  readonly contentNotes: Uint8Array;
  readonly audit: Uint8Array;
  /** Those of before a changed password, the newest first, with which something may still be sealed. */
  readonly older?: readonly RecordKeys[];
}

/** The keys of the database. */
export interface RowKeys extends Pick<RecordKeys, 'identity' | 'rows' | 'lookup'> {
  readonly older?: readonly RowKeys[];
}

/** Opens the records in the folder of their vault, so that they are set aside and erased with it. */
export interface RecordFolders {
  /**
   * `now` is Unix milliseconds, for the name of a database that is set aside. `fresh`: there is none yet, which is no
   * loss. A database that cannot be read is set aside, and a new one is made; the files of the spool and their sidecars
   * stay.
   */
  open(options: {
    readonly vaultId: string;
    readonly keys: RecordKeys;
    readonly now: number;
    readonly fresh: boolean;
  }): Promise<RenewableRecords>;
  /**
   * For a deployment without storage: with a key in memory only, in a folder that is removed at the close, or at the
   * next start.
   */
  openTemporary(): Promise<VaultRecords>;
  /** A separate hasher, for bytes that are not stored. */
  hasher(): CidHasher;
  close(): Promise<void>;
}
