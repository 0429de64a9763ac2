import type { LogFields } from '../../base/ports.ts';
import type { CacheKeys } from '../../vault/storage.ts';

/** What runs the console, as numbers and names; nothing of it names a person or a place. */
export interface RuntimeFacts {
  /** By the names that the runtime gives them, such as `node`, `electron`, `sqlite`. */
  readonly versions: Readonly<Record<string, string>>;
  readonly system: string;
  readonly architecture: string;
  readonly processors: number;
  /** Bytes. */
  readonly memoryTotal: number;
  readonly memoryFree: number;
  readonly memoryUsed: number;
  /** Milliseconds. */
  readonly computerUptimeMs: number;
  readonly consoleUptimeMs: number;
  readonly timeZone: string;
  readonly locale: string;
}

/** How much of the disk the data folder takes, in bytes; `free` is null where that is not known. */
export interface FolderFacts {
  readonly free: number | null;
  /** By fixed names: what lies elsewhere in the folder is `other`. */
  readonly parts: Readonly<Record<'vaults' | 'maps' | 'logs' | 'temporary' | 'other', number>>;
}

/** Lines of the log, the oldest first, with secrets masked; each still has its `level`, `time` and `msg`. */
export interface LogTail {
  readonly lines: readonly LogFields[];
  /** Lines that are no line of this log, as one that a power cut left half written. */
  readonly unreadable: number;
}

export interface BundledFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What the diagnostics need from outside. Whatever fails rejects with the system's own Error. */
export interface DiagnosticTools {
  runtime(): RuntimeFacts;
  folder(): Promise<FolderFacts>;
  /** Writes a file into the data folder, brings it to the disk, reads it again and removes it. */
  writeProbe(): Promise<void>;
  /**
   * Begins a vault's database in its own thread, writes, reads and removes it. Resolves to which
   * journal it used, a write-ahead log or one that rolls back; rejects when what it read is not what was written.
   */
  databaseProbe(keys: CacheKeys, now: number): Promise<'log' | 'journal'>;
  /** Starts a thread and waits for its answer. */
  threadProbe(): Promise<void>;
  /** At most the last `bytes` of the log. */
  logTail(bytes: number): Promise<LogTail>;
  /** One zip of all files, made without holding up the loop; `at` is their time, Unix milliseconds. */
  zip(files: readonly BundledFile[], at: number): Promise<Uint8Array>;
}
