import type { RequestLine } from '../../../../src-preload/contract/index.ts';
import type { Clock } from '../../base/ports.ts';
import type { ServerTime } from '../../base/serverTime.ts';
import type { Interceptor } from './request.ts';
import { shownPath, shownRequestId } from './requestText.ts';
import { statusFailure } from './statusFailure.ts';

/**
 * Notes every attempt that goes to the wire, logins and streams too: each has a request id of its own
 * in the service's log, and what was tried again says more than what came of it in the end. A stream
 * is noted when its head has come. What is answered from memory never left and is not noted.
 */
export function journalAttempts(options: {
  readonly clock: Clock;
  readonly serverTime: ServerTime;
  readonly onAttempt: (line: RequestLine) => void;
}): Interceptor {
  const { clock, serverTime, onAttempt } = options;
  return async (request, next) => {
    const at = serverTime.serverNow();
    const began = clock.elapsed();
    const result = await next(request);
    const failure = result.ok ? statusFailure(result.value, at) : result.failure;
    const { status, requestId } = result.ok ? result.value : result.failure;
    onAttempt({
      at,
      api: request.api,
      method: request.method,
      path: shownPath(request.path, request.query),
      status,
      code: failure?.code ?? null,
      milliseconds: Math.round(clock.elapsed() - began),
      requestId: shownRequestId(requestId),
    });
    return result;
  };
}
