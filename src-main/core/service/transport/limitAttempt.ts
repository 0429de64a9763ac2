import { failed } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import type { Clock } from '../../base/ports.ts';
import type { ServerTime } from '../../base/serverTime.ts';
import type { ApiRequest, Interceptor } from './request.ts';
import { limitTime, type TimeLimit } from './timing.ts';

/** A body without progress for this long, in milliseconds, is cut: the link is broken. */
const stillMs = 60_000;
/** The time for an answer after the last piece was handed over: much of the body may still be in buffers. */
const afterLastPieceMs = 300_000;
/** Small enough that a piece takes less than `stillMs` on a very slow link (1 kB/s). */
const pieceBytes = 64 * 1024;

/**
 * Limits one attempt from connecting to the last byte of the body. For a body sent in pieces the time starts again with
 * each piece. For a streamed answer the limit ends with its head. The time in which the answer waits for another large
 * one does not count.
 */
export function limitAttempt(options: {
  readonly clock: Clock;
  readonly serverTime: ServerTime;
  readonly attemptTimeoutMs: number;
}): Interceptor {
  const { clock, serverTime, attemptTimeoutMs } = options;
  return async (request, next) => {
    const limit = limitTime(clock, request.signal, attemptTimeoutMs);
    let streaming = false;
    try {
      const result = await next({
        ...watched(request, limit),
        signal: limit.signal,
        async enterLarge(signal) {
          const resume = limit.pause();
          try {
            await request.enterLarge(signal);
          } finally {
            resume();
          }
        },
      });
      streaming = result.ok && request.backoff === 'head' && result.value.status < 300;
      if (result.ok || result.failure.code !== 'cancelled' || !limit.struck()) return result;
      return failed(makeFailure({ code: 'timed-out', at: serverTime.serverNow() }));
    } finally {
      if (streaming) limit.lift();
      else limit.done();
    }
  };
}

/** The same request; each piece of its body restarts the limit. */
function watched(request: ApiRequest, limit: TimeLimit): ApiRequest {
  const { body, backoff } = request;
  if (body === null || backoff !== 'progress') return request;
  return {
    ...request,
    body: () => {
      const made = body();
      return typeof made === 'string' || made instanceof Uint8Array ? made : renewing(made, limit);
    },
  };
}

async function* renewing(body: AsyncIterable<Uint8Array>, limit: TimeLimit): AsyncGenerator<Uint8Array> {
  for await (const bytes of body) {
    for (let from = 0; from < bytes.byteLength; from += pieceBytes) {
      limit.renew(stillMs);
      yield bytes.subarray(from, from + pieceBytes);
    }
  }
  limit.renew(afterLastPieceMs);
}
