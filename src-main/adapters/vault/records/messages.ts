import type {
  RecordKeys,
  RecordRow,
  RecordRows,
  RecordTable,
  SpooledFacts,
  VaultRecords,
} from '../../../core/vault/records.ts';
import type { StorageReason } from '../../../core/vault/storage.ts';

/** What the thread of a database is asked. One thread serves one database, in the order of the questions. */
export type DatabaseQuestion =
  | {
      readonly kind: 'open';
      readonly folder: string;
      readonly keys: RowKeys;
      /** Unix milliseconds, for the name of a file that is put aside. */
      readonly now: number;
      readonly fresh: boolean;
      /** Opened before by this process: one that is not as it was left is not touched. */
      readonly again: boolean;
      readonly maximumPages: number;
      /** How many writes the database must hold, as is known outside of it. */
      readonly anchored: number;
    }
  | { readonly kind: 'rows'; readonly table: RecordTable }
  | { readonly kind: 'write'; readonly rows: readonly RecordRow[] }
  | { readonly kind: 'close' };

export type RowKeys = Pick<RecordKeys, 'identity' | 'rows' | 'lookup'>;

export interface DatabaseAnswers {
  readonly open: Pick<VaultRecords, 'lost' | 'rollback'>;
  readonly rows: RecordRows;
  /** How many writes the database holds by now. */
  readonly write: number;
  readonly close: null;
}

/** Bytes in the memory that two threads share: `slot` is a place of one block in it. */
export interface FilledSlot {
  readonly slot: number;
  readonly bytes: number;
  /** Whether the file ends with it. */
  readonly last: boolean;
}

/** What the threads of the spool are asked. `job` is one file; jobs go on side by side. */
export type SpoolQuestion =
  | {
      readonly kind: 'begin-sealing';
      readonly job: number;
      readonly memory: SharedArrayBuffer;
      /** Where it grows, and where it lies when it is complete. Both in one folder. */
      readonly partial: string;
      readonly complete: string;
      readonly salt: Uint8Array;
      readonly key: Uint8Array;
    }
  | { readonly kind: 'seal'; readonly job: number; readonly filled: FilledSlot }
  /** Answers when the file would survive a power cut under its name. */
  | { readonly kind: 'finish-sealing'; readonly job: number }
  | { readonly kind: 'begin-hashing'; readonly job: number; readonly memory: SharedArrayBuffer }
  | { readonly kind: 'hash'; readonly job: number; readonly filled: FilledSlot }
  | { readonly kind: 'finish-hashing'; readonly job: number }
  /** Ends a job of either sort and removes what came of it. */
  | { readonly kind: 'give-up'; readonly job: number };

export interface SpoolAnswers {
  readonly 'begin-sealing': null;
  readonly seal: null;
  readonly 'finish-sealing': null;
  readonly 'begin-hashing': null;
  readonly hash: null;
  readonly 'finish-hashing': SpooledFacts;
  readonly 'give-up': null;
}

export interface ToThread<Question> {
  readonly id: number;
  readonly question: Question;
}

export type FromThread =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly reason: StorageReason; readonly detail: string };
