import { createHash } from 'node:crypto';

/** How long a result is kept (interface: Limits, idempotent response cache), in milliseconds. */
export const idempotencyKeptMs = 24 * 60 * 60 * 1000;

interface Entry<A> {
  readonly digest: string;
  readonly since: number;
  readonly answer: Promise<A>;
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
   * Runs `effect` once for `key`, or gives what it gave.
   *
   * @returns null when the key was used for another request: two effects under one name.
   */
  run(
    request: {
      readonly account: string;
      readonly key: string;
      readonly target: string;
      readonly body: Uint8Array;
    },
    effect: () => Promise<A>,
  ): Promise<A> | null {
    const now = this.#elapsed();
    for (const [name, entry] of this.#entries) {
      if (now - entry.since < idempotencyKeptMs) break;
      this.#entries.delete(name);
    }
    const name = JSON.stringify([request.account, request.key]);
    const digest = createHash('sha256')
      .update(request.target)
      .update('\n')
      .update(request.body)
      .digest('hex');
    const known = this.#entries.get(name);
    if (known) return known.digest === digest ? known.answer : null;
    const answer = effect();
    this.#entries.set(name, { digest, since: now, answer });
    // An effect that failed by itself has no result to repeat: the retry must be able to succeed.
    answer.catch(() => this.#entries.delete(name));
    return answer;
  }
}
