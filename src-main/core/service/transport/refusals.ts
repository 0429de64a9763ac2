import type { Failure, Refusal } from '../../../../src-preload/contract/index.ts';
import type { Clock } from '../../base/ports.ts';
import type { ApiRequest } from './request.ts';

/** The part of the service that a scope is needed for. */
export type Subject = Pick<ApiRequest, 'api' | 'operation' | 'resource'>;

/**
 * Remembers what the service refused to a token, so that a collection whose scope is missing is not read at every poll.
 * A new token starts without refusals.
 */
export interface Refusals {
  recall(subject: Subject, generation: number): Failure | null;
  /** `forMs` limits the memory; null means for the token's life. */
  remember(subject: Subject, generation: number, failure: Failure, forMs: number | null): void;
  forget(subject: Subject): void;
  /** Forgets the refusals of all tokens except that of `generation`. */
  keepOnly(generation: number): void;
}

interface Remembered {
  readonly subject: Subject;
  readonly generation: number;
  readonly failure: Failure;
  readonly untilElapsed: number;
}

/** The most refusals: a service that refuses every mission must not fill the memory. */
const mostRemembered = 200;

/** One name per subject. */
export const subjectName = ({ api, operation, resource }: Subject): string =>
  `${api} ${operation} ${resource}`;

export function createRefusals(options: {
  readonly clock: Clock;
  /** Called with what lacks a scope, after every change. */
  readonly onChange?: ((refused: readonly Refusal[]) => void) | undefined;
}): Refusals {
  const { clock, onChange } = options;
  const known = new Map<string, Remembered>();
  const tell = (): void => {
    onChange?.(
      [...known.values()]
        .filter(({ failure }) => failure.status === 403)
        .map(({ subject: { api, operation, resource }, failure }) => ({ api, operation, resource, failure })),
    );
  };
  return {
    recall(subject, generation) {
      const refusal = known.get(subjectName(subject));
      if (refusal === undefined) return null;
      if (refusal.generation === generation && clock.elapsed() < refusal.untilElapsed) return refusal.failure;
      known.delete(subjectName(subject));
      tell();
      return null;
    },
    remember(subject, generation, failure, forMs) {
      const untilElapsed = forMs === null ? Number.POSITIVE_INFINITY : clock.elapsed() + forMs;
      known.delete(subjectName(subject));
      known.set(subjectName(subject), { subject, generation, failure, untilElapsed });
      const [oldest] = known.keys();
      if (known.size > mostRemembered && oldest !== undefined) known.delete(oldest);
      tell();
    },
    forget(subject) {
      if (known.delete(subjectName(subject))) tell();
    },
    keepOnly(generation) {
      const before = known.size;
      for (const [name, refusal] of known) if (refusal.generation !== generation) known.delete(name);
      if (known.size !== before) tell();
    },
  };
}
