import { throttleMs } from './lock.ts';

/**
 * Makes guessing slow where a password is checked against the vault and not by the service. Beyond
 * the cost of the key derivation, the third wrong one in a row and every later one make the next
 * wait. Times are `Clock.elapsed()`: changing the computer's clock does not shorten a wait.
 */
export class Guesses {
  readonly #elapsed: () => number;
  #wrong = 0;
  #untilElapsed = 0;

  constructor({ elapsed }: { readonly elapsed: () => number }) {
    this.#elapsed = elapsed;
  }

  /** Milliseconds until the next password may be checked; 0 for now. */
  get waitMs(): number {
    return Math.max(0, this.#untilElapsed - this.#elapsed());
  }

  wrong(): void {
    this.#wrong += 1;
    this.#untilElapsed = this.#elapsed() + throttleMs(this.#wrong);
  }

  right(): void {
    this.#wrong = 0;
    this.#untilElapsed = 0;
  }
}
