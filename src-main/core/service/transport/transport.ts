import type { Refusal, RequestLine, Result } from '../../../../src-preload/contract/index.ts';
import type { Clock, Logger, Random } from '../../base/ports.ts';
import type { ServerTime } from '../../base/serverTime.ts';
import type { TokenSource } from '../session/tokens.ts';
import { apiBases, type ServiceAddress } from './address.ts';
import { listAnswer, smallAnswer } from './answerBounds.ts';
import { authorize } from './authorize.ts';
import { createDispatcher } from './dispatcher.ts';
import { dropEchoes } from './dropEchoes.ts';
import { journalAttempts } from './journalAttempts.ts';
import { AnswerHold, LargeAnswerGate } from './largeAnswers.ts';
import { limitAttempt } from './limitAttempt.ts';
import { limitTotal } from './limitTotal.ts';
import { logRequests } from './logRequests.ts';
import { mapErrors } from './mapErrors.ts';
import { readJson } from './readJson.ts';
import { createRefusals } from './refusals.ts';
import { reportOutcomes } from './reportOutcomes.ts';
import type { Answer, ApiRequest, AttemptOutcome, Interceptor, Next } from './request.ts';
import { retry } from './retry.ts';
import { createRetryBudget } from './retryBudget.ts';
import { createWire } from './wire.ts';

export interface TransportOptions {
  readonly address: ServiceAddress;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly serverTime: ServerTime;
  readonly tokens: TokenSource;
  readonly onOutcome: (outcome: AttemptOutcome) => void;
  /** Every attempt, also one that was cancelled, as it may be shown. Must not throw. */
  readonly onAttempt?: ((line: RequestLine) => void) | undefined;
  /** What lacks a scope, after every change of it. */
  readonly onRefused?: ((refused: readonly Refusal[]) => void) | undefined;
  /** Largest decoded body in bytes; 64 MiB where it is not set. */
  readonly maxBodyBytes?: number | undefined;
}

/** What an API file says of an operation; the rest has the safe defaults of `send`. */
export type Operation = Pick<ApiRequest, 'api' | 'operation' | 'method' | 'path' | 'authorization'> &
  Partial<Omit<ApiRequest, 'memory' | 'enterLarge'>>;

export interface Transport {
  /** Never rejects. A value is an answer with a 2xx status and parsed JSON. */
  send(operation: Operation): Promise<Result<Answer>>;
  /** Aborts what is in flight and closes every socket. */
  close(): Promise<void>;
}

/** The way of every request to the service: the list below, outermost first. */
export function createTransport(options: TransportOptions): Transport {
  const { address, clock, serverTime, onAttempt = (): void => undefined } = options;
  const dispatcher = createDispatcher({ address, clock });
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
    limitAttempt({ clock, serverTime, attemptTimeoutMs: address.attemptTimeoutMs }),
  ];
  const wire = createWire({
    bases: apiBases(address),
    dispatcherFor: dispatcher.for,
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
      const { signal, hold = new AnswerHold() } = operation;
      const result = await first({
        resource: '',
        query: {},
        headers: {},
        body: null,
        retries: true,
        interactive: false,
        recheck: false,
        backoff: 'answer',
        onLeft: null,
        bounds: smallAnswer,
        ...operation,
        hold,
        enterLarge: (attempt) => gate.enter(hold, attempt),
        signal: signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]),
        memory: { attempts: 0, renewed: false, deadlineElapsed: Number.POSITIVE_INFINITY },
      });
      if (operation.hold === undefined) hold.release();
      return result;
    },
    async close() {
      closing.abort();
      await dispatcher.destroy();
    },
  };
}
