/**
 * Whose turn it is to sound, of all pages that show the same console. `none`: this page could not be heard;
 * `asking`: not known yet.
 */
export type Turn = 'none' | 'asking' | 'own' | 'other';

const lockName = 'field-console-siren';

/**
 * Lets one of several windows sound: two that sound the same alarm a moment apart are neither pattern. The
 * others wait in line, and when the one that sounds closes or falls silent the next has its turn. A browser
 * that can't say whose turn it is lets every page sound: rather twice than never.
 */
export class SirenTurn {
  readonly #locks: Pick<LockManager, 'request'> | undefined;
  readonly #onTurn: (turn: Turn) => void;
  #wish: AbortController | null = null;

  /** `locks`: of the browser; undefined where it has none. */
  constructor(locks: Pick<LockManager, 'request'> | undefined, onTurn: (turn: Turn) => void) {
    this.#locks = locks;
    this.#onTurn = onTurn;
  }

  /** This page could be heard and wants to be. */
  take(): void {
    if (this.#wish !== null) return;
    const wish = new AbortController();
    this.#wish = wish;
    this.#become(wish, 'asking');
    this.#ask(wish).catch(() => {
      this.#become(wish, 'own');
    });
  }

  /** This page can no longer be heard: another may. */
  leave(): void {
    if (this.#wish === null) return;
    this.#become(this.#wish, 'none');
    this.#wish.abort();
    this.#wish = null;
  }

  async #ask(wish: AbortController): Promise<void> {
    const locks = this.#locks;
    if (locks === undefined) {
      this.#become(wish, 'own');
      return;
    }
    const { signal } = wish;
    const hold = async (): Promise<void> => {
      if (signal.aborted) return;
      this.#become(wish, 'own');
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve, { once: true });
      });
    };
    const had = await locks.request(lockName, { ifAvailable: true }, async (lock) => {
      if (lock !== null) await hold();
      return lock !== null;
    });
    if (had || signal.aborted) return;
    this.#become(wish, 'other');
    await locks.request(lockName, { signal }, hold);
  }

  /** The outcome of a withdrawn wish is not reported. */
  #become(wish: AbortController, turn: Turn): void {
    if (wish === this.#wish) this.#onTurn(turn);
  }
}
