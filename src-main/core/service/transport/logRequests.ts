import type { Clock, Logger } from '../../base/ports.ts';
import type { Interceptor } from './request.ts';

/** One line per operation. Never a header, a query or a body: those can hold what is not for a log. */
export function logRequests(options: { readonly clock: Clock; readonly logger: Logger }): Interceptor {
  const { clock, logger } = options;
  return async (request, next) => {
    const began = clock.elapsed();
    const result = await next(request);
    const answer = result.ok ? result.value : result.failure;
    const fields = {
      api: request.api,
      operation: request.operation,
      status: answer.status,
      code: result.ok ? null : result.failure.code,
      requestId: answer.requestId,
      attempts: request.memory.attempts,
      ms: Math.round(clock.elapsed() - began),
    };
    if (result.ok && result.value.status < 400) logger.debug('request', fields);
    else logger.info('request.failed', fields);
    return result;
  };
}
