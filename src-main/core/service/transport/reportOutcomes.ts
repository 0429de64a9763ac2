import type { Failure, FailureCode } from '../../../../src-preload/contract/index.ts';
import type { AttemptOutcome, Interceptor } from './request.ts';
import { statusFailure } from './statusFailure.ts';
import type { TransportOptions } from './transportOptions.ts';

/** Reports the outcome of every attempt. The connection's state derives only from these. */
export function reportOutcomes({ clock, serverTime, onOutcome }: TransportOptions): Interceptor {
  return async (request, next) => {
    const began = clock.elapsed();
    const result = await next(request);
    const failure = result.ok
      ? (result.value.cut ?? statusFailure(result.value, serverTime.serverNow()))
      : result.failure;
    const outcome = outcomeOf(failure);
    if (outcome !== null) {
      onOutcome({
        api: request.api,
        operation: request.operation,
        outcome,
        failure: outcome === 'answered' ? null : failure,
        ms: result.ok ? result.value.responseMs : clock.elapsed() - began,
        requestId: result.ok ? result.value.requestId : result.failure.requestId,
      });
    }
    return result;
  };
}

const unreachable: ReadonlySet<FailureCode> = new Set([
  'unreachable',
  'tls-refused',
  'answered-by-something-else',
]);
const troubled: ReadonlySet<FailureCode> = new Set([
  'service-error',
  'too-many-requests',
  'unreadable-answer',
  'answer-too-large',
]);

function outcomeOf(failure: Failure | null): AttemptOutcome['outcome'] | null {
  if (failure === null) return 'answered';
  if (failure.code === 'cancelled' || failure.code === 'internal') return null;
  // A time-out of the console: the service did not answer. A 408 of the service is an answer, but shows trouble.
  if (failure.code === 'timed-out') return failure.status === null ? 'unreachable' : 'troubled';
  if (unreachable.has(failure.code)) return 'unreachable';
  return troubled.has(failure.code) ? 'troubled' : 'answered';
}
