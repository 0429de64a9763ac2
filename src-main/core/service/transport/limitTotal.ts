import { failed } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import type { Clock } from '../../base/ports.ts';
import type { ServerTime } from '../../base/serverTime.ts';
import type { Interceptor } from './request.ts';
import { limitTime } from './timing.ts';

/**
 * Bounds an operation with all its attempts, waits and logins; but for what may last as long as it
 * moves, such as an upload on a thin link.
 */
export function limitTotal(options: {
  readonly clock: Clock;
  readonly serverTime: ServerTime;
  readonly totalTimeoutMs: number;
}): Interceptor {
  const { clock, serverTime, totalTimeoutMs } = options;
  return async (request, next) => {
    if (request.backoff !== 'answer') return next(request);
    request.memory.deadlineElapsed = clock.elapsed() + totalTimeoutMs;
    const limit = limitTime(clock, request.signal, totalTimeoutMs);
    try {
      const result = await next({ ...request, signal: limit.signal });
      if (result.ok || result.failure.code !== 'cancelled' || !limit.struck()) return result;
      return failed(makeFailure({ code: 'timed-out', at: serverTime.serverNow() }));
    } finally {
      limit.done();
    }
  };
}
