import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../../core/base/ports.ts';
import { SerialQueue } from '../../../core/base/queues.ts';
import { readSealedText, writeSealedText } from './sealedTexts.ts';

/** How long after a write, in milliseconds, its number is anchored: a busy vault waits for one disk only. */
const delayMs = 1000;

const anchorSchema = z.strictObject({
  counter: z.int().min(0),
  /** The head of the audit list. */
  head: z.string().nullable(),
});

/** A small sealed file. */
export interface SealedPlace {
  readonly folder: string;
  readonly name: string;
  readonly key: Uint8Array;
  readonly bound: Uint8Array;
}

/**
 * What is known of a vault outside of it: how often it was written, and how its audit list ended. It is written
 * after the vault is, so it never says more than the vault holds; where it lags behind it shows less. One that
 * is missing, or another vault's, shows nothing.
 */
export class Anchor {
  readonly #place: SealedPlace;
  /** Where earlier versions kept the head. */
  readonly #former: SealedPlace | null;
  readonly #clock: Clock;
  #counter = 0;
  #head: string | null = null;
  #written = 0;
  #cancel: (() => void) | null = null;
  readonly #writing = new SerialQueue();

  private constructor(place: SealedPlace, former: SealedPlace | null, clock: Clock) {
    this.#place = place;
    this.#former = former;
    this.#clock = clock;
  }

  static async open(options: {
    readonly place: SealedPlace;
    readonly former: SealedPlace | null;
    readonly clock: Clock;
  }): Promise<Anchor> {
    const { place, former, clock } = options;
    const anchor = new Anchor(place, former, clock);
    const text = await textAt(place);
    const found = anchorSchema.safeParse(text === null ? null : parsed(text));
    if (found.success) {
      anchor.#counter = anchor.#written = found.data.counter;
      anchor.#head = found.data.head;
    } else if (former !== null) anchor.#head = await textAt(former);
    return anchor;
  }

  /** The highest number of writes that is known; 0 where none is. */
  get counter(): number {
    return this.#counter;
  }

  get head(): string | null {
    return this.#head;
  }

  /** The vault holds this many writes by now. */
  note(counter: number): void {
    this.#counter = Math.max(this.#counter, counter);
    // What cannot be written is tried again with the next write of the vault.
    this.#cancel ??= this.#clock.schedule(delayMs, () => {
      this.#cancel = null;
      void this.#write().catch(() => undefined);
    });
  }

  /** Rejects when it could not be written; what lies there then shows less. */
  writeHead(head: string): Promise<void> {
    this.#head = head;
    return this.#write();
  }

  /** Writes what waits. Never rejects. */
  async close(): Promise<void> {
    this.#cancel?.();
    this.#cancel = null;
    await this.#writing.settled();
    if (this.#counter > this.#written) await this.#write().catch(() => undefined);
  }

  #write(): Promise<void> {
    return this.#writing.run(async () => {
      const counter = this.#counter;
      await writeSealedText({ ...this.#place, text: JSON.stringify({ counter, head: this.#head }) });
      this.#written = counter;
      if (this.#former !== null) await rm(join(this.#former.folder, this.#former.name), { force: true });
    });
  }
}

/** What cannot be read is as good as missing. */
const textAt = async (place: SealedPlace): Promise<string | null> =>
  (await readSealedText(place).catch(() => ({ text: null }))).text;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
