import { z } from 'zod';
import { JsonDocument, type StoredJson } from '../../base/jsonDocument.ts';
import type { BasePorts } from '../../base/ports.ts';
import { throttleMs } from './lock.ts';

export type GuessPorts = Pick<BasePorts, 'clock' | 'documents' | 'logger'>;

const countSchema = z.object({ version: z.literal(1), wrong: z.int().min(0).max(999_999) });

/** Assumed when the count cannot be read: the longest wait follows. */
const manyWrong = 16;
/** How long to wait for the disk, milliseconds: a slow disk must not lock an operator out, nor an administrator in. */
const patienceMs = 2_000;

/**
 * Counts wrong codes or passwords of one kind, and how long the next try has to wait: from the third wrong one in a row
 * on. The count is in the data folder, so that a restart does not reset it. A wait starts again at the start, in
 * `Clock.elapsed()`, so that changing the computer's clock does not shorten it. It slows guesses down and never locks
 * anyone out: no count and no disk error makes a wait longer than a minute.
 */
export class GuessLimit {
  readonly #ports: GuessPorts;
  readonly #document: JsonDocument<number>;
  #wrong = 0;
  #untilElapsed = 0;

  /** `document`: the one with the count, without `.json`. */
  constructor(ports: GuessPorts, document: string) {
    this.#ports = ports;
    this.#document = new JsonDocument(
      ports,
      document,
      (value) => countSchema.safeParse(value).data?.wrong ?? null,
    );
  }

  /** Milliseconds until the next one may be checked; 0 for now. */
  get waitMs(): number {
    return Math.max(0, this.#untilElapsed - this.#ports.clock.elapsed());
  }

  async load(): Promise<void> {
    // When the disk does not answer in time, the count is unknown.
    const read: { stored: StoredJson<number> } = { stored: { kind: 'unread' } };
    await this.#patiently(async () => {
      read.stored = await this.#document.load();
    });
    const { stored } = read;
    if (stored.kind === 'none') return;
    this.#wrong = stored.kind === 'stored' ? Math.min(stored.value, manyWrong) : manyWrong;
    this.wrong();
  }

  /**
   * Counts a try before it is checked, so that a power cut at the right moment gives no free guess. Afterwards call
   * `wrong`, `right` or `unchecked`.
   */
  async count(): Promise<void> {
    this.#wrong = Math.min(this.#wrong + 1, manyWrong);
    await this.#keep();
  }

  /** The wait starts now, and not when this try was made. */
  wrong(): void {
    this.#untilElapsed = this.#ports.clock.elapsed() + throttleMs(this.#wrong);
  }

  async right(): Promise<void> {
    this.#wrong = 0;
    await this.#patiently(() => this.#document.remove());
  }

  async unchecked(): Promise<void> {
    this.#wrong -= 1;
    await this.#keep();
  }

  #keep(): Promise<void> {
    const document = this.#document;
    return this.#patiently(() =>
      this.#wrong === 0 ? document.remove() : document.write({ version: 1, wrong: this.#wrong }),
    );
  }

  /** Waits for the disk, at most `patienceMs`. Never rejects. */
  #patiently(work: () => Promise<void>): Promise<void> {
    const { clock, logger } = this.#ports;
    return new Promise((resolve) => {
      const stop = clock.schedule(patienceMs, resolve);
      work()
        .catch(() => {
          logger.warn('guesses-not-kept', { document: this.#document.name });
        })
        .finally(() => {
          stop();
          resolve();
        });
    });
  }
}
