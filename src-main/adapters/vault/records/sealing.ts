import { closeSync, fdatasync, fsyncSync, openSync, renameSync, rmSync, writevSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolderNow } from '../../durableFiles.ts';
import type { FilledSlot, SealingRequest } from './messages.ts';
import { headerOf, plainChunkBytes, sealChunk } from './sealedFile.ts';

/** How many writes come before the next flush to the disk, so that little is left at the end. */
const flushEvery = 16;

/** One file that is being sealed into the spool, in the thread. */
export class Sealing {
  readonly #options: SealingRequest;
  readonly #file: number;
  #closed = false;
  #chunks = 0;
  #flushing: Promise<void> | null = null;
  #flushFailed: Error | null = null;

  constructor(options: SealingRequest) {
    this.#options = options;
    this.#file = openSync(options.partial, 'wx', 0o600);
    try {
      this.#append([headerOf(options.salt)]);
    } catch (error) {
      this.giveUp();
      throw error;
    }
  }

  seal({ slot, bytes, last }: FilledSlot): void {
    if (this.#flushFailed) throw this.#flushFailed;
    const { memory, key } = this.#options;
    const plain = new Uint8Array(memory, slot * plainChunkBytes, bytes);
    this.#append(sealChunk(key, plain, this.#chunks, last));
    this.#chunks += 1;
    if (this.#chunks % flushEvery === 0) this.#flush();
  }

  /** Resolves when the complete file is safe from a power cut. */
  async finish(): Promise<void> {
    const { partial, complete, key } = this.#options;
    await this.#flushing;
    if (this.#flushFailed) throw this.#flushFailed;
    fsyncSync(this.#file);
    this.#close();
    renameSync(partial, complete);
    syncFolderNow(dirname(complete));
    key.fill(0);
  }

  /** Ends it as it is: the sealed pieces are on the disk. */
  leave(): void {
    this.#options.key.fill(0);
    try {
      fsyncSync(this.#file);
    } finally {
      this.#close();
    }
  }

  /** Removes the file. Never throws: the next start removes what stays. */
  giveUp(): void {
    this.#options.key.fill(0);
    try {
      this.#close();
      rmSync(this.#options.partial, { force: true });
    } catch {
      return;
    }
  }

  /** Begins to flush the written bytes to the disk, one flush at a time. */
  #flush(): void {
    if (this.#flushing) return;
    this.#flushing = new Promise((resolve) => {
      fdatasync(this.#file, (error) => {
        this.#flushing = null;
        this.#flushFailed ??= error;
        resolve();
      });
    });
  }

  #append(parts: readonly Uint8Array[]): void {
    let rest = parts.filter((part) => part.byteLength > 0);
    while (rest.length > 0) {
      let written = writevSync(this.#file, rest);
      rest = rest.flatMap((part) => {
        const taken = Math.min(written, part.byteLength);
        written -= taken;
        return taken < part.byteLength ? [part.subarray(taken)] : [];
      });
    }
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    closeSync(this.#file);
  }
}
