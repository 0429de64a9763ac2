import { SerialQueue } from '../../../core/base/queues.ts';
import { storageErrorOf } from '../reason.ts';
import type { FilledSlot } from './messages.ts';
import { plainChunkBytes } from './sealedFile.ts';

/** How many blocks one file may have on their way: one being filled, the others in the threads. */
const slots = 4;

/**
 * Cuts bytes into blocks of 1 MiB, in memory that is shared with the threads that take them. Whoever
 * writes waits when all of it is in use, so a file of any size passes through 4 MiB.
 */
export class BlockFeed {
  readonly memory = new SharedArrayBuffer(slots * plainChunkBytes);
  readonly #take: (filled: FilledSlot) => Promise<unknown>;
  readonly #free: number[] = Array.from({ length: slots }, (_, slot) => slot);
  /** The block being filled. It is handed on when more comes: only then it is known not to be the last. */
  #filling: { readonly slot: number; bytes: number } | null = null;
  #onTheirWay = 0;
  #failure: Error | null = null;
  /** Called when a slot came back, and when none will any more. */
  #wake = (): void => undefined;
  /** Writes that were not waited for follow one another all the same. */
  readonly #order = new SerialQueue();

  /** `take` resolves when its slot may be used again. */
  constructor(take: (filled: FilledSlot) => Promise<unknown>) {
    this.#take = take;
  }

  /** Copies the bytes. Rejects with what `take` rejected with, from then on. */
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

  /** Hands on the last block, which has no byte only where there never was one, and waits for all. */
  end(): Promise<void> {
    return this.#afterEarlier(async () => {
      this.#filling ??= { slot: await this.#freeSlot(), bytes: 0 };
      this.#handOn(true);
      while (this.#onTheirWay > 0) await this.#change();
    });
  }

  /** Makes every write reject from now on, those that wait among them. */
  stop(error: unknown): void {
    this.#failure ??= storageErrorOf(error);
    this.#wake();
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
