import type { Clock, Documents, Logger } from '../../base/ports.ts';
import { throttleMs } from './lock.ts';

const shape = /^\{"version":1,"wrong":(\d{1,6})\}$/;

/** So many that the longest wait follows: what is to be assumed when the count cannot be read. */
const manyWrong = 16;
/** A disk that does not answer must not keep an administrator in the kiosk, or an operator out, milliseconds. */
const patienceMs = 2_000;

export interface GuessLimitOptions {
  readonly clock: Clock;
  readonly documents: Documents;
  readonly logger: Logger;
  /** The document that holds the count. */
  readonly document: string;
}

/**
 * Counts wrong codes or passwords of one sort, and how long the next one has to wait: the third wrong one in a row
 * and every later one make it wait. The count is in the data folder, so that a restart does not reset it; a wait
 * counts anew from the start, in `Clock.elapsed()`, which changing the computer's clock does not shorten. It is a
 * brake and never a latch: no count and no trouble with the disk makes a wait longer than a minute.
 */
export class GuessLimit {
  readonly #options: GuessLimitOptions;
  #wrong = 0;
  #untilElapsed = 0;

  constructor(options: GuessLimitOptions) {
    this.#options = options;
  }

  /** Milliseconds until the next one may be checked; 0 for now. */
  get waitMs(): number {
    return Math.max(0, this.#untilElapsed - this.#options.clock.elapsed());
  }

  async load(): Promise<void> {
    let read: string | null | undefined;
    await this.#patiently(async () => {
      read = await this.#options.documents.read(this.#options.document);
    });
    if (read === null) return;
    const wrong = read === undefined ? undefined : shape.exec(read.trim())?.[1];
    if (wrong === undefined)
      this.#options.logger.warn('guesses-unreadable', { document: this.#options.document });
    this.#wrong = wrong === undefined ? manyWrong : Math.min(Number(wrong), manyWrong);
    this.wrong();
  }

  /**
   * Counts one before it is checked, so that whoever cuts the power at the right moment has no guess
   * for nothing. Then `wrong`, `right` or `unchecked` says what came of it.
   */
  async count(): Promise<void> {
    this.#wrong = Math.min(this.#wrong + 1, manyWrong);
    await this.#keep();
  }

  /** The next one waits from now on, not from when this one was given. */
  wrong(): void {
    this.#untilElapsed = this.#options.clock.elapsed() + throttleMs(this.#wrong);
  }

  async right(): Promise<void> {
    this.#wrong = 0;
    await this.#patiently(() => this.#options.documents.remove(this.#options.document));
  }

  async unchecked(): Promise<void> {
    this.#wrong -= 1;
    await this.#keep();
  }

  #keep(): Promise<void> {
    const { documents, document } = this.#options;
    const text = JSON.stringify({ version: 1, wrong: this.#wrong });
    return this.#patiently(() =>
      this.#wrong === 0 ? documents.remove(document) : documents.write(document, text),
    );
  }

  /** Waits for the disk, but not for long. Never rejects. */
  #patiently(work: () => Promise<void>): Promise<void> {
    const { clock, logger } = this.#options;
    return new Promise((resolve) => {
      const stop = clock.schedule(patienceMs, resolve);
      work()
        .catch(() => {
          logger.warn('guesses-not-kept', { document: this.#options.document });
        })
        .finally(() => {
          stop();
          resolve();
        });
    });
  }
}
