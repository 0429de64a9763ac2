import type { Failure } from '../../../src-preload/contract/index.ts';
import type { Clock } from '../ports.ts';

/**
 * Remembers what the service refused to a token, so that a collection whose scope is missing is not
 * asked for again at every poll. A new token starts with a clean slate.
 */
export interface Refusals {
  recall(subject: string, generation: number): Failure | null;
  /** `forMs` limits the memory; null keeps it as long as the token lives. */
  remember(subject: string, generation: number, failure: Failure, forMs: number | null): void;
  forget(subject: string): void;
}

export function createRefusals(options: { readonly clock: Clock }): Refusals {
  const { clock } = options;
  const known = new Map<string, { generation: number; failure: Failure; untilElapsed: number }>();
  return {
    recall(subject, generation) {
      const refusal = known.get(subject);
      if (refusal === undefined) return null;
      if (refusal.generation === generation && clock.elapsed() < refusal.untilElapsed) return refusal.failure;
      known.delete(subject);
      return null;
    },
    remember(subject, generation, failure, forMs) {
      const untilElapsed = forMs === null ? Number.POSITIVE_INFINITY : clock.elapsed() + forMs;
      known.set(subject, { generation, failure, untilElapsed });
    },
    forget: (subject) => void known.delete(subject),
  };
}
