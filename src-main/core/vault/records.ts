import type { CidProfile } from '../../../src-preload/contract/index.ts';

/**
 * What an operator did and the service has not confirmed, beside the cache and apart from it: losing
 * the cache costs a read, losing this costs somebody's work. All of it is sealed; everything rejects
 * with a `StorageError` (core/vault/storage.ts).
 */

export const recordTables = ['uploads', 'decisions', 'audit', 'documents', 'notes', 'pins', 'shift'] as const;
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
  /** Rows whose seal does not hold. */
  readonly damaged: number;
}

/** Small texts by table and id. Calls are done one after the other, in the order they were made. */
export interface RecordStore {
  rows(table: RecordTable): Promise<RecordRows>;
  /** All of it or nothing. Answers when it would survive a power cut. */
  write(rows: readonly RecordRow[]): Promise<void>;
  /** A text kept in a separate file, apart from the rows: the head of the audit list. */
  readHead(): Promise<{ readonly text: string | null; readonly damaged: boolean }>;
  /** Answers when it would survive a power cut; after one there is the old text or the new one. */
  writeHead(text: string): Promise<void>;
  /**
   * The head once more, outside of the data folder: it stays where an older copy of that is put back. Null where there
   * is none, or another vault's.
   */
  readAnchor(): Promise<string | null>;
  writeAnchor(text: string): Promise<void>;
}

/** What is known of a file once its last byte was spooled. */
export interface SpooledFacts {
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly computed: readonly { readonly profile: CidProfile; readonly cid: string }[];
}

/** A file on its way into the spool. Sealed and hashed as it comes, in memory that does not grow with it. */
export interface IncomingFile {
  /** Takes the next bytes; waits while it has more than it can keep up with. */
  write(bytes: Uint8Array): Promise<void>;
  /** Answers when every byte would survive a power cut. */
  finish(): Promise<SpooledFacts>;
  /** Removes what came of it. Never rejects. */
  discard(): Promise<void>;
}

/** The sealed bytes of files that wait to be sent, by an id of 16 hexadecimal digits. */
export interface Spool {
  /** Bytes that may still be written; null where that is not known. */
  free(): Promise<number | null>;
  receive(id: string): Promise<IncomingFile>;
  /**
   * The bytes from the first to the last, each checked before it is given: no byte of a damaged file
   * is ever given as good. Rejects before the first one when there is no such file.
   */
  read(id: string): AsyncIterable<Uint8Array>;
  /** The bytes from `start` to before `end`, in the same way; only the pieces that hold them are opened. */
  readPart(id: string, start: number, end: number): AsyncIterable<Uint8Array>;
  /** Ids and sizes in plain bytes of the complete files; a size is -1 where it cannot be told. */
  list(): Promise<ReadonlyMap<string, number>>;
  remove(id: string): Promise<void>;
  /** Removes files that are incomplete, and those that are not in `keep`. */
  sweep(keep: ReadonlySet<string>): Promise<void>;
  /** Replaces the sealed text beside a file; answers when it would survive a power cut. */
  writeSidecar(id: string, text: string): Promise<void>;
  /** The texts beside all files, null for one whose seal does not hold. */
  sidecars(): Promise<ReadonlyMap<string, string | null>>;
}

/** Hashes bytes under every profile without keeping them, to hold a file against a CID. */
export interface CidHasher {
  write(bytes: Uint8Array): Promise<void>;
  finish(): Promise<SpooledFacts>;
  /** Ends it early. Never rejects. */
  abandon(): Promise<void>;
}

/** The open actions of one vault. */
export interface VaultRecords {
  readonly store: RecordStore;
  readonly spool: Spool;
  /** Files of evidence that were fetched, with what is known of each beside it. Losing them costs another fetch. */
  readonly contents: Spool;
  /** Why a new database was begun in place of the one that was expected; null when none was. */
  readonly lost: 'missing' | 'unreadable' | null;
  /**
   * What shows that this is not what was last written. `older`: it holds fewer writes than are known outside of the
   * data folder. `altered`: rows were damaged, removed, or exchanged for older ones. Null also where nothing is known.
   */
  readonly rollback: 'older' | 'altered' | null;
  /** 32 bytes for the chain of the audit list; overwritten at the close. */
  readonly auditKey: Uint8Array;
  close(): Promise<void>;
}

/** Bytes of keys are copied: the caller may overwrite its own. */
export interface RecordKeys {
  /** The vault's identity, which everything sealed is bound to. */
  readonly identity: string;
  readonly rows: Uint8Array;
  readonly lookup: Uint8Array;
  readonly head: Uint8Array;
  readonly files: Uint8Array;
  readonly sidecars: Uint8Array;
  readonly contents: Uint8Array;
  readonly contentNotes: Uint8Array;
  readonly audit: Uint8Array;
}

/** Where actions lie: in the folder of their vault, so that they are put aside and erased with it. */
export interface RecordFolders {
  /**
   * `now` is Unix milliseconds, for the name of a database that is put aside. `fresh`: there is none
   * yet, and that is no loss. A database that cannot be read is put aside, and a new one is begun; the
   * files of the spool and their sidecars stay.
   */
  open(options: {
    readonly vaultId: string;
    readonly keys: RecordKeys;
    readonly now: number;
    readonly fresh: boolean;
  }): Promise<VaultRecords>;
  /**
   * For a deployment of which nothing is kept: under a key that exists in memory only, in a folder
   * that the close removes, and the next start if there was none.
   */
  openTemporary(): Promise<VaultRecords>;
  /** A separate hasher, for bytes that are not kept. */
  hasher(): CidHasher;
  close(): Promise<void>;
}
