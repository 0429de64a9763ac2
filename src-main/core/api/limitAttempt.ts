import { failed } from '../../../src-preload/contract/index.ts';
import type { StationTime } from '../domain/stationTime.ts';
import { makeFailure } from '../domain/failure.ts';
import type { Clock } from '../ports.ts';
import type { Interceptor } from './request.ts';
import { limitTime } from './timing.ts';

/** Bounds one attempt from connecting to the last byte of the body. */
export function limitAttempt(options: {
  readonly clock: Clock;
  readonly stationTime: StationTime;
  readonly attemptTimeoutMs: number;
}): Interceptor {
  const { clock, stationTime, attemptTimeoutMs } = options;
  return async (request, next) => {
    const limit = limitTime(clock, request.signal, attemptTimeoutMs);
    try {
      const result = await next({ ...request, signal: limit.signal });
      if (result.ok || result.failure.code !== 'cancelled' || !limit.struck()) return result;
      return failed(makeFailure({ code: 'timed-out', at: stationTime.stationNow() }));
    } finally {
      limit.done();
    }
  };
}
