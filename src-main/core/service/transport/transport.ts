import {
  failed,
  type Refusal,
  type RequestLine,
  type Result,
} from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import type { BasePorts } from '../../base/ports.ts';
import type { ServerTime } from '../../base/serverTime.ts';
import type { TokenSource } from '../session/tokens.ts';
import { apiBases, type ServiceAddress } from './address.ts';
import { listAnswer, smallAnswer } from './answerBounds.ts';
import { authorize } from './authorize.ts';
import { createDispatcher } from './dispatcher.ts';
import { dropEchoes } from './dropEchoes.ts';
import { LargeAnswerPermit, LargeAnswerGate } from './largeAnswers.ts';
import type { Line } from './line.ts';
import { limitAttempt } from './limitAttempt.ts';
import { mapErrors } from './mapErrors.ts';
import type { Network } from './network.ts';
import { readJson } from './readJson.ts';
import { createRefusals } from './refusals.ts';
import { reportOutcomes } from './reportOutcomes.ts';
import type { Answer, ApiRequest, AttemptOutcome, Interceptor, Next } from './request.ts';
import { shownPath, shownRequestId } from './requestText.ts';
import { createRetryBudget, retry } from './retry.ts';
import { statusFailure } from './statusFailure.ts';
import { limitTime } from './timing.ts';
import { createWire } from './wire.ts';

export interface TransportOptions extends Pick<BasePorts, 'clock' | 'random' | 'logger'> {
  readonly address: ServiceAddress;
  readonly network: Network;
  readonly serverTime: ServerTime;
  readonly tokens: TokenSource;
  readonly line: Line;
  /** Called for every attempt that was not cancelled, of both APIs and of the login. Must not throw. */
  readonly onOutcome: (outcome: AttemptOutcome) => void;
  /** Called for every attempt, also cancelled ones, in the form for display. Must not throw. */
  readonly onAttempt?: ((line: RequestLine) => void) | undefined;
  /** Called with what lacks a scope, after every change. Must not throw. */
  readonly onRefused?: ((refused: readonly Refusal[]) => void) | undefined;
  /** Largest decoded body in bytes; default 64 MiB. */
  readonly maxBodyBytes?: number | undefined;
}

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
  const { address, clock, serverTime, onAttempt = (): void => undefined } = options;
  const dispatcher = createDispatcher({
    address,
    clock,
    network: options.network,
    carry: (socket) => options.line.traffic.carry(socket),
  });
  const closing = new AbortController();
  const gate = new LargeAnswerGate();

  const interceptors: readonly Interceptor[] = [
    mapErrors(options),
    limitTotal({ clock, serverTime, totalTimeoutMs: address.totalTimeoutMs }),
    logRequests(options),
    retry({ ...options, budget: createRetryBudget() }),
    authorize({ ...options, refusals: createRefusals({ clock, onChange: options.onRefused }) }),
    journalAttempts({ clock, serverTime, onAttempt }),
    reportOutcomes(options),
    dropEchoes(options),
    readJson({ serverTime }),
    options.line.order.intercept,
    limitAttempt({
      clock,
      serverTime,
      attemptTimeoutMs: address.attemptTimeoutMs,
      order: options.line.order,
    }),
  ];
  const wire = createWire({
    bases: apiBases(address),
    routeFor: dispatcher.for,
    line: options.line,
    clock,
    serverTime,
    maxBodyBytes: options.maxBodyBytes ?? listAnswer.bytes,
  });
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
        onSent: null,
        onLeft: null,
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
function logRequests(options: Pick<TransportOptions, 'clock' | 'logger'>): Interceptor {
  const { clock, logger } = options;
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
function limitTotal(options: {
  readonly clock: BasePorts['clock'];
  readonly serverTime: ServerTime;
  readonly totalTimeoutMs: number;
}): Interceptor {
  const { clock, serverTime, totalTimeoutMs } = options;
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
function journalAttempts(options: {
  readonly clock: BasePorts['clock'];
  readonly serverTime: ServerTime;
  readonly onAttempt: (line: RequestLine) => void;
}): Interceptor {
  const { clock, serverTime, onAttempt } = options;
  return async (request, next) => {
    const at = serverTime.serverNow();
    const began = clock.elapsed();
    const result = await next(request);
    const failure = result.ok ? (result.value.cut ?? statusFailure(result.value, at)) : result.failure;
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
