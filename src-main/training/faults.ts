import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TrainingSwitches } from '../../src-preload/contract/index.ts';
import type { Clock } from '../core/base/ports.ts';
import { json, refusal, type OpenedStream, type RequestFault, type TrainingAnswer } from './answer.ts';
import { paths } from './paths.ts';

/** A request that came, and where its answer goes. */
export interface Arrival {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Its route's; null where there is none. */
  readonly path: string | null;
}

/** What a request meets on its way in and out. */
export interface Passage {
  readonly fault: RequestFault | 'none';
  /** Lets the latency pass, once the request has come whole. False when the client went away meanwhile. */
  wait(): Promise<boolean>;
  /** What leaves for `answered`. */
  deliver(answered: TrainingAnswer | OpenedStream): Delivery;
}

/**
 * Lets a request in, under `fault` or what the switches say. null leaves it open without an answer, and
 * nothing is carried out.
 */
export type Admission = (arrival: Arrival, fault?: RequestFault | 'none') => Passage | null;

interface AdmissionOptions {
  readonly clock: Clock;
  readonly switches: () => TrainingSwitches;
  /** Makes random bytes. */
  readonly noise: (length: number) => Uint8Array;
}

/** The admission of the service, which does what its switches say. */
export const admission =
  ({ clock, switches, noise }: AdmissionOptions): Admission =>
  ({ response, path }, fault = switchedFault(switches(), path)) => ({
    fault,
    wait: () => pause(clock, switches().latencyMs, response),
    deliver: (answered) => {
      if (!('open' in answered)) return deliver(answered, fault, noise);
      return fault === 'none' ? { kind: 'stream', ...answered } : deliver(json(200, {}), fault, noise);
    },
  });

function switchedFault(
  { fault, uploadFault, missionFault }: TrainingSwitches,
  path: string | null,
): RequestFault | 'none' {
  // A request that was already on its way when the listener closed.
  if (fault === 'refuse') return 'reset';
  if (fault !== 'none') return fault;
  if (path === paths.storage) return uploadFault;
  return path === paths.approve || path === paths.reject ? missionFault : 'none';
}

/** Waits on the clock port; false when the client went away meanwhile. */
function pause(clock: Clock, ms: number, response: ServerResponse): Promise<boolean> {
  if (ms === 0) return Promise.resolve(true);
  if (response.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    const gone = (): void => {
      cancel();
      resolve(false);
    };
    const cancel = clock.schedule(ms, () => {
      response.off('close', gone);
      resolve(true);
    });
    response.once('close', gone);
  });
}

/** How an answer leaves: whole, cut in its body, as a stream, or not at all. */
export type Delivery =
  | {
      readonly kind: 'whole' | 'cut';
      readonly answer: TrainingAnswer;
      readonly type: string;
      readonly bytes: Uint8Array;
    }
  | ({ readonly kind: 'stream' } & OpenedStream)
  | { readonly kind: 'reset' }
  | { readonly kind: 'hang' };

const retryAfterSeconds = '2';
const jsonType = 'application/json';

const portalPage =
  '<!doctype html><html><head><title>Guest network</title></head>' +
  '<body><h1>Welcome</h1><p>Accept the terms of use to go online.</p></body></html>';

/** An answer that stands in for the service's own; the request is not carried out. */
export function answerInstead(fault: RequestFault | 'none'): TrainingAnswer | null {
  switch (fault) {
    case 'error-500':
      return refusal(500, 'Something failed inside the training service');
    case 'storm-503':
      return refusal(503, 'The training service is overloaded');
    case 'too-many-requests':
      return refusal(429, 'Too many requests', { 'Retry-After': retryAfterSeconds });
    case 'captive-portal':
      return { status: 200, body: portalPage };
    case 'too-large':
      return refusal(413, 'The request is larger than the training service takes');
    case 'conflict':
      return refusal(409, 'This conflicts with the present state');
    case 'none':
    case 'reset':
    case 'hang':
    case 'truncated':
    case 'garbage':
    case 'wrong-types':
    case 'cut-request':
    case 'answer-lost':
    case 'key-expired':
    case 'tokens-refused':
      return null;
  }
}

function deliver(
  answer: TrainingAnswer,
  fault: RequestFault | 'none',
  noise: (length: number) => Uint8Array,
): Delivery {
  const whole = (text: string, type = jsonType): Delivery => ({
    kind: 'whole',
    answer,
    type,
    bytes: Buffer.from(text),
  });
  switch (fault) {
    case 'reset':
    case 'cut-request':
    case 'answer-lost':
      return { kind: 'reset' };
    case 'hang':
      return { kind: 'hang' };
    case 'truncated':
      return { kind: 'cut', answer, type: jsonType, bytes: Buffer.from(answer.body) };
    case 'garbage':
      return {
        kind: 'whole',
        answer: { ...answer, status: 200 },
        type: jsonType,
        // A brace and a byte that is in no UTF-8 text: never readable by chance.
        bytes: Buffer.concat([Buffer.from([0x7b, 0xff]), noise(128)]),
      };
    case 'wrong-types':
      return whole(JSON.stringify(wrongTypes(JSON.parse(answer.body))));
    case 'captive-portal':
      return whole(answer.body, 'text/html; charset=utf-8');
    case 'none':
    case 'error-500':
    case 'storm-503':
    case 'too-many-requests':
    case 'too-large':
    case 'conflict':
    case 'key-expired':
    case 'tokens-refused':
      return whole(answer.body);
  }
}

/** The same structure with every leaf and list of another type; rows of a list stay rows. */
function wrongTypes(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.length > 0 && value.every((row) => typeof row === 'object' && row !== null)
      ? value.map(wrongTypes)
      : 'none';
  }
  switch (typeof value) {
    case 'string':
      return value !== '';
    case 'number':
      return String(value);
    case 'boolean':
      return value ? 1 : 0;
    case 'object':
      if (value === null) return false;
      return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, wrongTypes(field)]));
    case 'undefined':
    case 'bigint':
    case 'symbol':
    case 'function':
      return null;
  }
}
