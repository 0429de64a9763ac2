import { chmodSync, existsSync, fchmodSync, lstatSync, openSync, renameSync, rmSync } from 'node:fs';
import pino from 'pino';

export interface RotatingFileOptions {
  readonly path: string;
  /** A larger file is renamed to `<path>.1`, the one before to `.2`, and so on. */
  readonly largestBytes: number;
  /** The most files, the current one included. */
  readonly files: number;
}

type Destination = ReturnType<typeof pino.destination>;

/** After this many lost lines, a file that could not be opened is tried again. */
const linesBetweenTries = 20;

/**
 * A log file that cannot fill the disk. Writes are buffered and asynchronous; `close` flushes. While the file cannot be
 * opened, as on a read-only disk, lines are lost.
 */
export class RotatingFile {
  readonly #options: RotatingFileOptions;
  readonly #closing = new Set<Promise<void>>();
  /** Null while the file cannot be opened. */
  #destination: Destination | null;
  #lost = 0;
  #open = false;
  #bytes = 0;

  constructor(options: RotatingFileOptions) {
    this.#options = options;
    this.#bytes = plainSize(options.path);
    if (this.#bytes > options.largestBytes) this.#moveAside();
    this.#destination = this.#start();
  }

  write(line: string): void {
    if (this.#destination === null) {
      this.#lost += 1;
      if (this.#lost % linesBetweenTries === 0) this.#destination = this.#start();
    }
    if (this.#destination === null) return;
    this.#bytes += Buffer.byteLength(line);
    this.#destination.write(line);
    // Lines from the turn in which the file was opened are still in its buffer.
    if (this.#bytes <= this.#options.largestBytes || !this.#open) return;
    this.#end(this.#destination);
    this.#moveAside();
    this.#destination = this.#start();
  }

  async close(): Promise<void> {
    if (this.#destination !== null) this.#end(this.#destination);
    await Promise.all(this.#closing);
  }

  #start(): Destination | null {
    let file: number;
    try {
      // Opened here: a destination that could not open its file throws when the process ends.
      file = openSync(this.#options.path, 'a', 0o600);
      // The mode counts only when a file is made: an existing file that others may read would stay so.
      fchmodSync(file, 0o600);
    } catch {
      return null;
    }
    this.#open = false;
    const destination = pino.destination({ dest: file, sync: false });
    destination.once('ready', () => {
      if (destination === this.#destination) this.#open = true;
    });
    // A full disk must not end the console. Lines are lost then.
    destination.on('error', () => undefined);
    return destination;
  }

  #end(destination: Destination): void {
    const closed = new Promise<void>((resolve) => {
      destination.once('close', resolve);
      destination.once('error', () => resolve());
      destination.end();
    }).finally(() => this.#closing.delete(closed));
    this.#closing.add(closed);
  }

  #moveAside(): void {
    const { path, files } = this.#options;
    const nth = (index: number): string => (index === 0 ? path : `${path}.${index}`);
    this.#bytes = 0;
    try {
      rmSync(nth(files - 1), { force: true });
      for (let index = files - 2; index >= 0; index -= 1) {
        if (existsSync(nth(index))) renameSync(nth(index), nth(index + 1));
      }
      if (existsSync(nth(1))) chmodSync(nth(1), 0o600);
    } catch {
      // Another program has the file open (Windows): the log stays in the same file.
    }
  }
}

/**
 * The size of the file. What leads to the file of another program is removed, as is a pipe, whose opening would wait
 * without end.
 */
function plainSize(path: string): number {
  const about = lstatSync(path, { throwIfNoEntry: false });
  if (about === undefined || (about.isFile() && about.nlink === 1)) return about?.size ?? 0;
  try {
    rmSync(path);
  } catch {
    // A folder, or a read-only disk: the file cannot be opened either.
  }
  return 0;
}
