/** Decoded bytes beyond which an answer is large. A page of 200 incidents takes 60 KB. */
export const largeBytes = 4 * 1024 * 1024;
/** Values and names of members beyond which it is large, too: small bytes may parse to much memory. */
export const largeValues = 400_000;

/**
 * The right of one reader to hold a large answer: its bytes, what they parse to, and what is made of that
 * until it is stored. Requests with the same hold are made one after the other.
 */
export class AnswerHold {
  #leave: (() => void) | null = null;

  /** For the gate. */
  begin(leave: () => void): void {
    this.#leave = leave;
  }

  /** Lets the next large answer be read. Nothing happens where none was. */
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
 * Lets one large answer at a time be read, parsed and stored. Windows of incidents, evidence and missions are
 * read side by side: with up to 64 MiB each, and what they parse to, all at once would fill the memory.
 */
export class LargeAnswerGate {
  #holder: AnswerHold | null = null;
  readonly #waiting = new Set<() => void>();

  /** Waits until `hold` is the only one, first come first served. Rejects as soon as `signal` is aborted. */
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
