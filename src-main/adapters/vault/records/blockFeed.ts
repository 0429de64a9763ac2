import { SerialQueue } from '../../../core/base/queues.ts';
import { storageErrorOf } from '../reason.ts';
import type { FilledSlot } from './messages.ts';
import { plainChunkBytes } from './sealedFile.ts';

/** How many blocks of one file are in use at once: one is being filled, the others are in the threads. */
const slots = 4;
/** The memory that one file passes through. */
export const newMemory = (): SharedArrayBuffer => new SharedArrayBuffer(slots * plainChunkBytes);

/**
 * Cuts bytes into blocks of 1 MiB, in memory shared with the threads. A write waits while all of it is in use, so a
 * file of any size needs only 4 MiB.
 */
export class BlockFeed {
  readonly memory: SharedArrayBuffer;
  readonly #take: (filled: FilledSlot) => Promise<unknown>;
  readonly #free: number[] = Array.from({ length: slots }, (_, slot) => slot);
  /** The block being filled. It is passed on when more bytes come, because only then it is known not to be the last. */
  #filling: { readonly slot: number; bytes: number } | null = null;
  #onTheirWay = 0;
  #failure: Error | null = null;
  /** Called when a slot is free again, and when none will be. */
  #wake = (): void => undefined;
  /** Keeps writes in their order, even if the caller does not await them. */
  readonly #order = new SerialQueue();

  /** `take` resolves when its slot may be used again. */
  constructor(take: (filled: FilledSlot) => Promise<unknown>, memory = newMemory()) {
    this.#take = take;
    this.memory = memory;
  }

  /** Copies the bytes. After a rejection of `take`, rejects with the same error. */
  write(bytes: Uint8Array): Promise<void> {
    return this.#afterEarlier(async () => {
      for (let at = 0; at < bytes.byteLength;) {
        if (this.#filling?.bytes === plainChunkBytes) this.#handOn(false);
        const filling = (this.#filling ??= { slot: await this.#freeSlot(), bytes: 0 });
        const part = bytes.subarray(at, at + plainChunkBytes - filling.bytes);
        new Uint8Array(this.memory).set(part, filling.slot * plainChunkBytes + filling.bytes);
        filling.bytes += part.byteLength;
        at += part.byteLength;
      }
    });
  }

  /** Passes on the last block, which is empty only for an empty file, and waits for all blocks. */
  end(): Promise<void> {
    return this.#afterEarlier(async () => {
      this.#filling ??= { slot: await this.#freeSlot(), bytes: 0 };
      this.#handOn(true);
      while (this.#onTheirWay > 0) await this.#change();
    });
  }

  /** Makes all further and waiting writes reject. */
  stop(error: unknown): void {
    this.#failure ??= storageErrorOf(error);
    this.#wake();
  }

  /** Resolves when no started write uses the memory. */
  idle(): Promise<void> {
    return this.#order.settled();
  }

  #afterEarlier(work: () => Promise<void>): Promise<void> {
    return this.#order.run(async () => {
      if (this.#failure) throw this.#failure;
      await work();
    });
  }

  #handOn(last: boolean): void {
    const filling = this.#filling;
    if (!filling) return;
    this.#filling = null;
    this.#onTheirWay += 1;
    this.#take({ ...filling, last }).then(
      () => {
        this.#onTheirWay -= 1;
        this.#free.push(filling.slot);
        this.#wake();
      },
      (error: unknown) => this.stop(error),
    );
  }

  async #freeSlot(): Promise<number> {
    for (;;) {
      const slot = this.#free.shift();
      if (slot !== undefined) return slot;
      await this.#change();
    }
  }

  async #change(): Promise<void> {
    if (!this.#failure) await new Promise<void>((resolve) => (this.#wake = resolve));
    if (this.#failure) throw this.#failure;
  }
}
