/**
 * What the core needs from outside. Adapters implement these under Node (src-main/adapters);
 * tests implement them with a virtual clock and seeded randomness.
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

/** Structured log. Fields are flat on purpose: an object could carry a secret along. */
export interface Logger {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

/** Small named JSON documents in the data folder, written atomically with mode 0600. */
export interface Documents {
  /** The document's text, or null when there is none. Rejects when it exists and cannot be read. */
  read(name: string): Promise<string | null>;
  write(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** Password key derivation; its cost is an adapter's setting so that tests can lower it. */
export interface PasswordHasher {
  /** scrypt over `password` with a 16-byte salt; resolves to `length` bytes. */
  derive(password: string, salt: Uint8Array, length: number): Promise<Uint8Array>;
}

export interface Ports {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly documents: Documents;
  readonly hasher: PasswordHasher;
  /** Reads a deployment's private CA file. */
  readonly readTextFile: (path: string) => Promise<string>;
}
