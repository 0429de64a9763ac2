import { failed, ok, type Result } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import type { Clock } from '../../base/ports.ts';
import type { ServerTime } from '../../base/serverTime.ts';
import { Floor, Handover } from './progress.ts';
import type { Answer, ApiRequest, Interceptor } from './request.ts';
import { limitTime, type TimeLimit } from './timing.ts';

/** A piece is handed over whole. */
const pieceBytes = 64 * 1024;

/**
 * Limits the silence in one attempt, and not its duration: the time to the first byte of the answer, and from one byte
 * to the next. An answer slower than the floor is cut too. A body that is sent has the time that a very slow link needs.
 * For a streamed answer the limit ends with its head. The time in which the answer waits for another large one does not
 * count.
 */
export function limitAttempt(options: {
  readonly clock: Clock;
  readonly serverTime: ServerTime;
  readonly attemptTimeoutMs: number;
}): Interceptor {
  const { clock, serverTime, attemptTimeoutMs } = options;
  return async (request, next) => {
    const limit = limitTime(clock, request.signal, attemptTimeoutMs);
    const floor = new Floor(clock);
    let streaming = false;
    const timedOut = () => makeFailure({ code: 'timed-out', at: serverTime.serverNow() });
    try {
      const result = await next({
        ...watched(request, clock, limit),
        signal: limit.signal,
        onReceived(bytes) {
          request.memory.isAnswering = true;
          if (floor.holds(bytes)) limit.renew(attemptTimeoutMs);
          else limit.strike();
        },
        async enterLarge(signal) {
          const resume = limit.pause();
          request.memory.isAnswering = false;
          try {
            await request.enterLarge(signal);
          } finally {
            floor.restart();
            request.memory.isAnswering = true;
            resume();
          }
        },
      });
      streaming = result.ok && request.backoff === 'head' && result.value.status < 300;
      if (causeOf(result)?.code !== 'cancelled') return result;
      if (!limit.struck()) return failed(makeFailure({ code: 'cancelled', at: serverTime.serverNow() }));
      return result.ok ? ok({ ...result.value, cut: timedOut() }) : failed(timedOut());
    } finally {
      request.memory.isAnswering = false;
      if (streaming) limit.lift();
      else limit.done();
    }
  };
}

/** Why there is no answer, or no whole one. */
const causeOf = (result: Result<Answer>) => (result.ok ? result.value.cut : result.failure);

/** The same request; each piece of its body extends the limit and says how much has left. */
function watched(request: ApiRequest, clock: Clock, limit: TimeLimit): ApiRequest {
  const { body, backoff, onSent } = request;
  if (body === null || backoff !== 'progress') return request;
  return {
    ...request,
    body: () => {
      const made = body();
      return typeof made === 'string' || made instanceof Uint8Array
        ? made
        : handedOver(made, new Handover(clock), (handover) => {
            limit.renew(handover.patienceMs);
            onSent?.(handover.left);
          });
    },
  };
}

async function* handedOver(
  body: AsyncIterable<Uint8Array>,
  handover: Handover,
  onPiece: (handover: Handover) => void,
): AsyncGenerator<Uint8Array> {
  for await (const bytes of body) {
    for (let from = 0; from < bytes.byteLength; from += pieceBytes) {
      const piece = bytes.subarray(from, from + pieceBytes);
      onPiece(handover);
      yield piece;
      handover.take(piece.byteLength);
    }
  }
  onPiece(handover);
}
