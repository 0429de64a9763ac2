/** Runs work one after the other, in the order of the calls. A failure does not stop the work that follows. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Settles as `work` does. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    // Without the value: it would be held until the next call, and may have keys.
    this.#last = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  }

  /** Resolves when all work asked for until now has ended. */
  async settled(): Promise<void> {
    await this.#last;
  }
}

/**
 * Runs work with the same key one after the other, in the order of the calls. Work with different keys runs side by
 * side.
 */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Starts at once when no work with this key is running. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const mine = before === undefined ? work() : before.then(work, work);
    this.#last.set(key, mine);
    const forget = (): void => {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    };
    mine.then(forget, forget);
    return mine;
  }

  /** Resolves when no work is running. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.allSettled(this.#last.values());
  }
}
