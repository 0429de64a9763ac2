import type { LogFields } from '../../base/ports.ts';
import type { CacheKeys } from '../../vault/storage.ts';

/** The computer and the programs that run the console, as numbers and names. No fact names a person or a place. */
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

/** The size of the data folder and the free space of its disk, in bytes. `free` is null where that is not known. */
export interface FolderFacts {
  readonly free: number | null;
  /** With fixed names; everything else in the folder is `other`. */
  readonly parts: Readonly<Record<'vaults' | 'maps' | 'logs' | 'temporary' | 'other', number>>;
}

/** Lines of the log, the oldest first, with secrets masked. Each still has its `level`, `time` and `msg`. */
export interface LogTail {
  readonly lines: readonly LogFields[];
  /** Lines that cannot be read, such as one that a power cut left half written. */
  readonly unreadable: number;
}

export interface BundledFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What the diagnostics need from outside. Failures reject with the system's own Error. */
export interface DiagnosticTools {
  runtime(): RuntimeFacts;
  folder(): Promise<FolderFacts>;
  /** Writes a file into the data folder, syncs it to the disk, reads it back and removes it. */
  writeProbe(): Promise<void>;
  /**
   * Creates a vault's database in a thread, writes, reads and removes it. Resolves to the journal mode, a write-ahead
   * log or a rollback journal. Rejects when it reads back anything else than it wrote.
   */
  databaseProbe(keys: CacheKeys, now: number): Promise<'log' | 'journal'>;
  /** Starts a thread and waits for its answer. */
  threadProbe(): Promise<void>;
  /** At most the last `bytes` of the log. */
  logTail(bytes: number): Promise<LogTail>;
  /** One zip with all files, made without blocking the event loop. `at` is the time of its files, Unix milliseconds. */
  zip(files: readonly BundledFile[], at: number): Promise<Uint8Array>;
}
