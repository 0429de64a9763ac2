/** An answer with more decoded bytes is large. A page of 200 incidents takes 60 KB. */
export const largeBytes = 4 * 1024 * 1024;
/** So is an answer with more values and names of members: a few bytes may parse to much memory. */
export const largeValues = 400_000;

/**
 * One reader's right to hold a large answer: its bytes, their values, and what is made of those until it is stored.
 * Requests with the same hold run one after another.
 */
export class AnswerHold {
  #leave: (() => void) | null = null;

  /** Called by the gate. */
  begin(leave: () => void): void {
    this.#leave = leave;
  }

  /** Lets the next large answer be read. Has no effect without one. */
  release(): void {
    const leave = this.#leave;
    this.#leave = null;
    leave?.();
  }
}

/** Runs `work` with a hold, and releases the hold however it ends. */
export async function withHold<T>(work: (hold: AnswerHold) => Promise<T>): Promise<T> {
  const hold = new AnswerHold();
  try {
    return await work(hold);
  } finally {
    hold.release();
  }
}

/**
 * Lets one large answer at a time be read, parsed and stored. Windows of incidents, evidence and missions are read side
 * by side: with up to 64 MiB each, and their parsed values, all at once would fill the memory.
 */
export class LargeAnswerGate {
  #holder: AnswerHold | null = null;
  readonly #waiting = new Set<() => void>();

  /**
   * Waits until no other hold has a large answer, in the order of the calls. Rejects as soon as `signal` is aborted.
   */
  async enter(hold: AnswerHold, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#holder === hold) return;
    if (this.#holder === null) {
      this.#give(hold);
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const begin = (): void => {
        signal.removeEventListener('abort', abort);
        this.#give(hold);
        resolve();
      };
      const abort = (): void => {
        this.#waiting.delete(begin);
        reject(signal.reason as Error);
      };
      this.#waiting.add(begin);
      signal.addEventListener('abort', abort, { once: true });
    });
  }

  #give(hold: AnswerHold): void {
    this.#holder = hold;
    hold.begin(() => {
      this.#holder = null;
      const [next] = this.#waiting;
      if (next === undefined) return;
      this.#waiting.delete(next);
      next();
    });
  }
}
