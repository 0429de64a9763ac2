/** An answer with more decoded bytes is large. A page of 200 incidents takes 60 KB. */
export const largeBytes = 4 * 1024 * 1024;
/** So is an answer with more values and names of members: a few bytes may parse to much memory. */
export const largeValues = 400_000;

/**
 * One reader's permit for a large answer: its bytes, their values, and what is made of those until it is stored.
 * Requests with the same permit run one after another.
 */
export class LargeAnswerPermit {
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

/** Runs `work` with a permit, and releases the permit however it ends. */
export async function withPermit<T>(work: (permit: LargeAnswerPermit) => Promise<T>): Promise<T> {
  const permit = new LargeAnswerPermit();
  try {
    return await work(permit);
  } finally {
    permit.release();
  }
}

/**
 * Lets one large answer at a time be read, parsed and stored. Windows of incidents, evidence and missions are read side
 * by side: with up to 64 MiB each, and their parsed values, all at once would fill the memory.
 */
export class LargeAnswerGate {
  #holder: LargeAnswerPermit | null = null;
  readonly #waiting = new Set<() => void>();

  /**
   * Waits until no other permit has a large answer, in the order of the calls. Rejects as soon as `signal` is aborted.
   */
  async enter(permit: LargeAnswerPermit, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#holder === permit) return;
    if (this.#holder === null) {
      this.#give(permit);
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const begin = (): void => {
        signal.removeEventListener('abort', abort);
        this.#give(permit);
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

  #give(permit: LargeAnswerPermit): void {
    this.#holder = permit;
    permit.begin(() => {
      this.#holder = null;
      const [next] = this.#waiting;
      if (next === undefined) return;
      this.#waiting.delete(next);
      next();
    });
  }
}
