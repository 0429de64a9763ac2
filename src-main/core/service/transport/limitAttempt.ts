import { failed, ok, type Result } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import type { Clock } from '../../base/ports.ts';
import { Floor, Handover } from './progress.ts';
import type { Answer, ApiRequest, Interceptor } from './request.ts';
import { limitTime, type TimeLimit } from './timing.ts';
import type { TransportOptions } from './transportOptions.ts';
import type { WireOrder } from './wireOrder.ts';

interface Pace {
  readonly order: Pick<WireOrder, 'bulk' | 'pieceBytes'>;
}

/**
 * Limits the silence in one attempt, and not its duration: the time to the first byte of the answer, and from one byte
 * to the next. An answer slower than the floor is cut too. A body that is sent has the time that a very slow link needs.
 * For a streamed answer the limit ends with its head. The time in which the answer waits for another large one does not
 * count.
 */
export function limitAttempt({ clock, serverTime, address, line }: TransportOptions): Interceptor {
  const { attemptTimeoutMs } = address;
  const { order } = line;
  return async (request, next) => {
    const limit = limitTime(clock, request.signal, attemptTimeoutMs);
    const floor = new Floor(clock);
    let streaming = false;
    const timedOut = () => makeFailure({ code: 'timed-out', at: serverTime.serverNow() });
    try {
      const result = await next({
        ...watched(request, { clock, limit, order }),
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
function watched(
  request: ApiRequest,
  { clock, limit, order }: Pace & { readonly clock: Clock; readonly limit: TimeLimit },
): ApiRequest {
  const { body, backoff, onProgress } = request;
  if (body === null || backoff !== 'progress') return request;
  return {
    ...request,
    body: () => {
      const made = body();
      return typeof made === 'string' || made instanceof Uint8Array
        ? made
        : handedOver(made, { order, handover: new Handover(clock), signal: limit.signal }, (handover) => {
            limit.renew(handover.patienceMs);
            onProgress?.(handover.left);
          });
    },
  };
}

async function* handedOver(
  body: AsyncIterable<Uint8Array>,
  { order, handover, signal }: Pace & { readonly handover: Handover; readonly signal: AbortSignal },
  onPiece: (handover: Handover) => void,
): AsyncGenerator<Uint8Array> {
  for await (const bytes of body) {
    for (let from = 0; from < bytes.byteLength;) {
      const piece = bytes.subarray(from, from + order.pieceBytes);
      from += piece.byteLength;
      onPiece(handover);
      await order.bulk(piece.byteLength, signal);
      yield piece;
      handover.take(piece.byteLength);
    }
  }
  onPiece(handover);
}
