/** How long work may hold the event loop in one turn, milliseconds. */
const turnMs = 6;

/**
 * Shares the event loop: work on a million rows asks between them whether its turn is over. Pieces of work with the same
 * object share its turn, so that together they do not hold the event loop longer.
 */
export class Yielding {
  #ends: number | null = null;

  constructor() {
    this.#begin();
  }

  get over(): boolean {
    return performance.now() > this.#begin();
  }

  /** Lets everything else that waits run first. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#begin();
  }

  /** Begins a turn unless one is running. */
  #begin(): number {
    if (this.#ends === null) {
      this.#ends = performance.now() + turnMs;
      setImmediate(() => {
        this.#ends = null;
      });
    }
    return this.#ends;
  }
}
