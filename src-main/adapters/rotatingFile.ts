import { chmodSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import pino from 'pino';

interface RotatingFileOptions {
  readonly path: string;
  /** A file that is larger is set aside under `<path>.1`, the one before under `.2`, and so on. */
  readonly largestBytes: number;
  /** How many files there are at most, the current one included. */
  readonly files: number;
}

type Destination = ReturnType<typeof pino.destination>;

/** A log file that cannot fill the disk. Writes are buffered and asynchronous; `close` flushes. */
export class RotatingFile {
  readonly #options: RotatingFileOptions;
  readonly #closing = new Set<Promise<void>>();
  #destination: Destination;
  #open = false;
  #bytes = 0;

  constructor(options: RotatingFileOptions) {
    this.#options = options;
    this.#bytes = sizeOf(options.path);
    if (this.#bytes > options.largestBytes) this.#moveAside();
    this.#destination = this.#start();
  }

  write(line: string): void {
    this.#bytes += Buffer.byteLength(line);
    this.#destination.write(line);
    // Before the file is open there is nothing to rename: what is buffered goes into the next one.
    if (this.#bytes <= this.#options.largestBytes || !this.#open) return;
    this.#end(this.#destination);
    this.#moveAside();
    this.#destination = this.#start();
  }

  async close(): Promise<void> {
    this.#end(this.#destination);
    await Promise.all(this.#closing);
  }

  #start(): Destination {
    this.#open = false;
    const destination = pino.destination({ dest: this.#options.path, sync: false, mode: 0o600 });
    destination.once('ready', () => {
      if (destination === this.#destination) this.#open = true;
    });
    // A full disk must not end the console; what cannot be logged is lost.
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
      // Another program holds a file open (Windows): the log goes on in the file it has.
    }
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
