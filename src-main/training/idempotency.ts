/** How long a result is kept (interface: Limits, idempotent response cache), in milliseconds. */
export const idempotencyKeptMs = 24 * 60 * 60 * 1000;

interface Entry<A> {
  readonly digest: string;
  readonly since: number;
  readonly answer: Promise<A>;
}

interface KeyOfAccount {
  readonly account: string;
  readonly key: string;
}

/**
 * The cache behind `Idempotency-Key` (interface: Shared conventions): a retry with the same key by
 * the same account returns the original result and does not repeat the side effect, also while the
 * original is still being worked on.
 */
export class IdempotencyCache<A> {
  readonly #elapsed: () => number;
  readonly #entries = new Map<string, Entry<A>>();

  /** `elapsed` in milliseconds; the age of a result must not depend on a clock that can be set. */
  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  /**
   * Runs `effect` once for `key`, or gives what it gave. `digest` is of the target and the whole body.
   *
   * @returns null when the key was used for another request: two effects under one name.
   */
  run(request: KeyOfAccount & { readonly digest: string }, effect: () => Promise<A>): Promise<A> | null {
    const now = this.#elapsed();
    for (const [name, entry] of this.#entries) {
      if (now - entry.since < idempotencyKeptMs) break;
      this.#entries.delete(name);
    }
    const name = nameOf(request);
    const known = this.#entries.get(name);
    if (known) return known.digest === request.digest ? known.answer : null;
    const answer = effect();
    this.#entries.set(name, { digest: request.digest, since: now, answer });
    // A failed effect has no result to repeat: the retry must be able to succeed.
    answer.catch(() => this.#entries.delete(name));
    return answer;
  }

  /** Forgets what was answered to a key, as after its time. */
  forget(request: KeyOfAccount): void {
    this.#entries.delete(nameOf(request));
  }
}

const nameOf = ({ account, key }: KeyOfAccount): string => JSON.stringify([account, key]);
