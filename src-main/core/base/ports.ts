import type { LogEvent } from './logEvents.ts';

/**
 * What the core needs from outside. Adapters implement these for Node (src-main/adapters); tests implement them with a
 * virtual clock and seeded randomness.
 */

/** The computer's clocks. Nothing else in the core reads time. */
export interface Clock {
  /** The computer's wall clock, Unix milliseconds. May be wrong and may jump. */
  wallNow(): number;
  /** Milliseconds since an arbitrary start. Counts time spent asleep and never goes backwards. */
  elapsed(): number;
  /** Runs `run` once after `ms` milliseconds; the returned function cancels it. */
  schedule(ms: number, run: () => void): () => void;
}

export interface Random {
  /** A number in [0, 1), for jitter. Not for secrets. */
  fraction(): number;
  /** `length` bytes from a cryptographic source. */
  bytes(length: number): Uint8Array;
}

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Structured log. Fields are flat on purpose: a nested object could hold a secret. */
export interface Logger {
  debug(event: LogEvent, fields?: LogFields): void;
  info(event: LogEvent, fields?: LogFields): void;
  warn(event: LogEvent, fields?: LogFields): void;
  error(event: LogEvent, fields?: LogFields): void;
}

/** Small named JSON documents in the data folder, written atomically with mode 0600. */
export interface Documents {
  /** The document's text, or null when there is none. Rejects when it exists and cannot be read. */
  read(name: string): Promise<string | null>;
  write(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** The cost parameters of scrypt. */
export interface PasswordCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** Derives a key from a password. The adapter sets the cost, so that tests can lower it. */
export interface PasswordHasher {
  /** The cost of a derivation without a `cost` of its caller. */
  readonly cost: PasswordCost;
  /** scrypt over `password` with a 16-byte salt; resolves to `length` bytes. */
  derive(password: string, salt: Uint8Array, length: number, cost?: PasswordCost): Promise<Uint8Array>;
}

/** The file of one map package. It may be larger than memory, so it is read at positions and never as a whole. */
export interface MapFile {
  readonly bytes: number;
  /** At most `length` bytes; fewer at the end of the file. */
  read(offset: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

export interface TileRow {
  readonly column: number;
  readonly row: number;
  readonly data: Uint8Array;
}

/** A program of the console that runs beside it, in a thread or a process. */
export interface ChildProgram {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** `killed`: something ended it from outside. `broken`: it failed or ended. */
  onGone(listener: (how: 'killed' | 'broken') => void): void;
  /** Whether it keeps the console's process alive. */
  hold(isNeeded: boolean): void;
  /** Ends it at once; a process also in the middle of a call. */
  kill(): void;
}

/** Starts the file of a program in a process that is given nothing but its arguments. */
export type ForkProgram = (file: string, args: readonly string[]) => ChildProgram;

/**
 * A SQLite file of tiles (MBTiles 1.3), read with fixed queries and never written. The file is not trusted: each query
 * has a time limit, and rejects after it.
 */
export interface TileDatabase {
  /** Names and values as text, at most 64 of them; null when there is no such table. */
  metadata(): Promise<ReadonlyMap<string, string> | null>;
  /** The lowest and the highest zoom that has tiles; null when there are none. */
  zooms(): Promise<{ readonly min: number; readonly max: number } | null>;
  /** The least and the greatest column and row of a zoom. Rows count from the south. */
  extent(zoom: number): Promise<readonly [west: number, south: number, east: number, north: number] | null>;
  /** A few tiles of a zoom level. */
  sample(zoom: number): Promise<readonly TileRow[]>;
  /** Null when there is no such tile. `row` counts from the south. */
  tile(zoom: number, column: number, row: number): Promise<Uint8Array | null>;
  close(): Promise<void>;
}

/** A map package that is being copied, stored apart from the complete ones. */
export interface IncomingMap {
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves when every byte is safe from a power cut. */
  finish(): Promise<void>;
  /** Makes it a complete package, in one step. */
  keep(): Promise<void>;
  /** Removes what was copied. Never rejects. */
  discard(): Promise<void>;
}

/**
 * The files of map packages, by id. Failures reject with an Error whose `code` is the system's own (`ENOSPC`, `EROFS`,
 * `ENOENT`, ...).
 */
export interface MapFiles {
  /** Free bytes on the disk; null where that is not known. */
  free(): Promise<number | null>;
  receive(id: string): Promise<IncomingMap>;
  /** `incoming` looks first among the packages that are being copied. */
  open(id: string, state: 'kept' | 'incoming'): Promise<MapFile>;
  openDatabase(id: string, state: 'kept' | 'incoming'): Promise<TileDatabase>;
  /** Ids and sizes of the complete files. */
  list(): Promise<ReadonlyMap<string, number>>;
  remove(id: string): Promise<void>;
  /** Removes everything but the complete files of `keep`, such as what an interrupted import left. */
  sweep(keep: ReadonlySet<string>): Promise<void>;
}

/** A file that the operator opened with the console, to be read once from its beginning. */
export interface OpenedFile {
  readonly bytes: number;
  /** In pieces of at most 1 MiB. Rejects when a read fails. */
  pieces(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/**
 * What the system's key store says about the secret that it stores for this user. `none`: it stores none, or the policy
 * allows only the password; `waiting`: it has not answered, as while it is locked; `closed`: it refused to open, though
 * it stored a secret here before.
 */
export type DeviceSecretReading =
  | { readonly kind: 'secret'; readonly secret: Uint8Array }
  | { readonly kind: 'none' | 'waiting' | 'closed' };

/** The secret that the system stores for this user. A vault's key may be made with it. */
export interface DeviceSecretSource {
  /** What is known now, without asking. */
  peek(): DeviceSecretReading;
  /** Asks the key store if nothing is known yet, and waits at most 30 s. Never rejects. */
  read(): Promise<DeviceSecretReading>;
}

/** For a host whose system has no key store. */
export const noDeviceSecret: DeviceSecretSource = {
  peek: () => ({ kind: 'none' }),
  read: () => Promise.resolve({ kind: 'none' }),
};

/** What every part of the core may need from outside. */
export interface BasePorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly documents: Documents;
  readonly hasher: PasswordHasher;
  readonly maps: MapFiles;
  /** Reads the file of a deployment's private CA. */
  readonly readTextFile: (path: string) => Promise<string>;
  /** Opens a file of any size for reading. Rejects when it does not exist or is not a regular file. */
  readonly openFile: (path: string) => Promise<OpenedFile>;
  /** Opens an https address in the system's browser. False when there is no browser to open. */
  readonly openExternal: (url: string) => Promise<boolean>;
  readonly deviceSecret: DeviceSecretSource;
  /** Frees what nothing refers to, at once: a secret that was let go would stay in the memory for hours. */
  readonly collectGarbage: () => void;
}
