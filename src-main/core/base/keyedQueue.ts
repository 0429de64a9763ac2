/** Work on the same thing runs one after the other, in the order it was asked for. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  run<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(id);
    const mine = before === undefined ? work() : before.then(work, work);
    this.#last.set(id, mine);
    const forget = (): void => {
      if (this.#last.get(id) === mine) this.#last.delete(id);
    };
    mine.then(forget, forget);
    return mine;
  }

  /** Answers when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.allSettled(this.#last.values());
  }
}
