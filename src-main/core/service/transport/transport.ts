import { failed, type Result } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { smallAnswer } from './answerBounds.ts';
import { authorize } from './authorize.ts';
import { createDispatcher } from './dispatcher.ts';
import { dropEchoes } from './dropEchoes.ts';
import { LargeAnswerPermit, LargeAnswerGate } from './largeAnswers.ts';
import { limitAttempt } from './limitAttempt.ts';
import { mapErrors } from './mapErrors.ts';
import { readJson } from './readJson.ts';
import { createRefusals } from './refusals.ts';
import { reportOutcomes } from './reportOutcomes.ts';
import type { Answer, ApiRequest, Interceptor, Next } from './request.ts';
import { shownPath, shownRequestId } from './requestText.ts';
import { retry } from './retry.ts';
import { statusFailure } from './statusFailure.ts';
import { limitTime } from './timing.ts';
import type { TransportOptions } from './transportOptions.ts';
import { createWire } from './wire.ts';

/** The part of an operation that an API file sets; `send` adds safe defaults. */
export type Operation = Pick<ApiRequest, 'api' | 'operation' | 'method' | 'path' | 'authorization'> &
  Partial<Omit<ApiRequest, 'memory' | 'enterLarge'>>;

export interface Transport {
  /** Never rejects. A value is an answer with a 2xx status and parsed JSON. */
  send(operation: Operation): Promise<Result<Answer>>;
  /** The network is another one, or the computer slept: no connection from before is used again. */
  dropConnections(): void;
  /** Cancels running requests and closes every socket. */
  close(): Promise<void>;
}

/** The chain of every request to the service: the interceptors below, outermost first. */
export function createTransport(options: TransportOptions): Transport {
  const { clock, line } = options;
  const dispatcher = createDispatcher({ ...options, carry: (socket) => line.traffic.carry(socket) });
  const closing = new AbortController();
  const gate = new LargeAnswerGate();

  const interceptors: readonly Interceptor[] = [
    mapErrors(options),
    limitTotal(options),
    logRequests(options),
    retry(options),
    authorize({ ...options, refusals: createRefusals({ clock, onChange: options.onRefused }) }),
    journalAttempts(options),
    reportOutcomes(options),
    dropEchoes(options),
    readJson(options),
    line.order.intercept,
    limitAttempt(options),
  ];
  const wire = createWire(options, dispatcher.for);
  const first = interceptors.reduceRight<Next>(
    (next, interceptor) => (request) => interceptor(request, next),
    wire,
  );

  return {
    async send(operation) {
      const { signal, permit = new LargeAnswerPermit() } = operation;
      const result = await first({
        resource: '',
        query: {},
        headers: {},
        body: null,
        isUrgent: false,
        retries: true,
        interactive: false,
        recheck: false,
        backoff: 'answer',
        keepsCut: false,
        onProgress: null,
        onSent: null,
        onRefusal: null,
        bounds: smallAnswer,
        ...operation,
        permit,
        enterLarge: (attempt) => gate.enter(permit, attempt),
        signal: signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]),
        memory: {
          attempts: 0,
          renewed: false,
          isAnswering: false,
          deadlineElapsed: Number.POSITIVE_INFINITY,
        },
      });
      if (operation.permit === undefined) permit.release();
      return result;
    },
    dropConnections: () => {
      dispatcher.retireAll();
    },
    async close() {
      closing.abort();
      await dispatcher.destroy();
    },
  };
}

/** Logs one line per operation. Never a header, a query or a body: those may have secrets. */
function logRequests({ clock, logger }: TransportOptions): Interceptor {
  return async (request, next) => {
    const began = clock.elapsed();
    const result = await next(request);
    const answer = result.ok ? result.value : result.failure;
    const fields = {
      api: request.api,
      operation: request.operation,
      status: answer.status,
      code: (result.ok ? result.value.cut : result.failure)?.code ?? null,
      requestId: answer.requestId,
      attempts: request.memory.attempts,
      ms: Math.round(clock.elapsed() - began),
    };
    if (result.ok && result.value.status < 400) logger.debug('request', fields);
    else logger.info('request.failed', fields);
    return result;
  };
}

/**
 * Limits an operation with all its attempts, waits and logins. After this time an answer that has begun may still come
 * to its end, and there is no other attempt. An upload has no such limit.
 */
function limitTotal({ clock, serverTime, address }: TransportOptions): Interceptor {
  const { totalTimeoutMs } = address;
  return async (request, next) => {
    if (request.backoff !== 'answer') return next(request);
    request.memory.deadlineElapsed = clock.elapsed() + totalTimeoutMs;
    const { memory } = request;
    const limit = limitTime(clock, request.signal, totalTimeoutMs, () => memory.isAnswering);
    try {
      const result = await next({ ...request, signal: limit.signal });
      if (result.ok || result.failure.code !== 'cancelled' || !limit.struck()) return result;
      return failed(makeFailure({ code: 'timed-out', at: serverTime.serverNow() }));
    } finally {
      limit.done();
    }
  };
}

/**
 * Records every attempt that is sent, including logins and streams: each has a request id in the service's log, and the
 * retries say more than the final outcome. A stream is recorded when its head has come. An answer from memory was not
 * sent and is not recorded.
 */
function journalAttempts({ clock, serverTime, onAttempt }: TransportOptions): Interceptor {
  return async (request, next) => {
    const at = serverTime.serverNow();
    const began = clock.elapsed();
    const result = await next(request);
    const failure = result.ok ? (result.value.cut ?? statusFailure(result.value, at)) : result.failure;
    const { status, requestId } = result.ok ? result.value : result.failure;
    onAttempt?.({
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
