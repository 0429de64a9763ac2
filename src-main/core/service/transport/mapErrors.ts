import { failed } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { message } from '../../base/messages/message.ts';
import type { Interceptor } from './request.ts';
import { statusFailure } from './statusFailure.ts';
import type { TransportOptions } from './transportOptions.ts';

/** The outermost interceptor: the caller always gets a value. An answer that is not 2xx becomes a failure. */
export function mapErrors({ serverTime, logger }: TransportOptions): Interceptor {
  return async (request, next) => {
    try {
      const result = await next(request);
      if (!result.ok) return result;
      const answer = result.value;
      const failure = statusFailure(answer, serverTime.serverNow());
      if (failure === null) return result;
      request.onRefusal?.(answer.body);
      if (answer.status === 401 && request.authorization === 'present') {
        return failed(
          makeFailure({
            ...failure,
            code: 'signed-out',
            sentence: message('api.signInFirst'),
            remedy: undefined,
          }),
        );
      }
      return failed(failure);
    } catch (error) {
      // Only the name and the code: the message may have a header's value.
      logger.error('request.broken', {
        operation: request.operation,
        name: error instanceof Error ? error.name : typeof error,
        code: error instanceof Error && 'code' in error ? String(error.code) : null,
      });
      return failed(makeFailure({ code: 'internal', at: serverTime.serverNow() }));
    }
  };
}
