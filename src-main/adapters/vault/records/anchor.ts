import { z } from 'zod';
import type { Clock } from '../../../core/base/ports.ts';
import { SerialQueue } from '../../../core/base/queues.ts';
import { Timer } from '../../../core/base/timer.ts';
import { readSealedText, writeSealedText, type SealedPlace } from './sealedTexts.ts';

/** How long after a write, in milliseconds, its number is anchored, so that a busy vault waits for one disk only. */
const delayMs = 1000;

const anchorSchema = z.strictObject({
  counter: z.int().min(0),
  /** The head of the audit list. */
  head: z.string().nullable(),
});

/**
 * Facts about a vault that are stored outside of it: its number of writes, and the end of its audit list. It is written
 * after the vault, so it never claims more than the vault has; an outdated one proves less. A missing one, or another
 * vault's, proves nothing.
 */
export class Anchor {
  #place: SealedPlace;
  /** What cannot be written is tried again with the next write of the vault. */
  readonly #soon: Timer;
  #counter = 0;
  #head: string | null = null;
  #written = 0;
  /** Whether the stored one was read, or is missing. One that is replaced unread would prove less than before. */
  #isRead = false;
  readonly #writing = new SerialQueue();

  private constructor(place: SealedPlace, clock: Clock) {
    this.#place = place;
    this.#soon = new Timer(clock, () => void this.#write().catch(() => undefined));
  }

  static async open(place: SealedPlace, clock: Clock): Promise<Anchor> {
    const anchor = new Anchor(place, clock);
    await anchor.#read().catch(() => undefined);
    return anchor;
  }

  /** The highest known number of writes; 0 when none is known. */
  get counter(): number {
    return this.#counter;
  }

  get head(): string | null {
    return this.#head;
  }

  /** The vault has this many writes now. */
  note(counter: number): void {
    this.#counter = Math.max(this.#counter, counter);
    this.#soon.setOnce(delayMs);
  }

  /** Rejects when it could not be written. The stored one then proves less. */
  writeHead(head: string): Promise<void> {
    this.#head = head;
    return this.#write();
  }

  /** Seals it with newer keys. Rejects when it could not be written: the next write does it. */
  renew(keys: SealedPlace['keys']): Promise<void> {
    this.#place = { ...this.#place, keys };
    return this.#write();
  }

  /** Writes what waits. Never rejects. */
  async close(): Promise<void> {
    this.#soon.stop();
    await this.#writing.settled();
    if (this.#counter > this.#written) await this.#write().catch(() => undefined);
  }

  /** Rejects where the disk fails. */
  async #read(): Promise<void> {
    const { text } = await readSealedText(this.#place);
    const found = anchorSchema.safeParse(text === null ? null : parsed(text));
    if (found.success) {
      this.#counter = Math.max(this.#counter, found.data.counter);
      this.#written = found.data.counter;
      this.#head ??= found.data.head;
    }
    this.#isRead = true;
  }

  #write(): Promise<void> {
    return this.#writing.run(async () => {
      // One that fails twice will not be read later either.
      if (!this.#isRead) await this.#read().catch(() => undefined);
      this.#isRead = true;
      const counter = this.#counter;
      await writeSealedText(this.#place, JSON.stringify({ counter, head: this.#head }));
      this.#written = counter;
    });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
