import type { IncomingHttpHeaders } from 'node:http';
import type { TrainingSwitches } from '../../src-preload/contract/index.ts';
import {
  one,
  refusal,
  type OpenedStream,
  type RequestFault,
  type RequestHead,
  type StreamedRoute,
  type TrainingAnswer,
  type TrainingRoute,
} from './answer.ts';
import { answerInstead } from './faults.ts';
import type { IdempotencyCache } from './idempotency.ts';
import type { RequestBody } from './requestBody.ts';

export interface ExchangeOptions {
  readonly routes: readonly TrainingRoute[];
  readonly switches: () => TrainingSwitches;
  /** The account behind an `Authorization` header, null when it is missing, expired or invalid. */
  readonly accountOf: (
    authorization: string | undefined,
    access: Exclude<TrainingRoute['access'], 'public'>,
  ) => string | null;
  readonly idempotency: IdempotencyCache<TrainingAnswer>;
}

export interface Asked {
  readonly method: string;
  /** Null when the target cannot be read. */
  readonly target: URL | null;
  readonly headers: IncomingHttpHeaders;
  readonly fault: RequestFault | 'none';
}

/** What gives the answer, once the time for it has come. */
export type Answering = () => Promise<TrainingAnswer | OpenedStream>;

/**
 * Reads a request to its end, and says what will answer it; null when the client went away first.
 * Nothing is changed before the answering is run.
 */
export async function takeRequest(
  options: ExchangeOptions,
  asked: Asked,
  body: RequestBody,
): Promise<Answering | null> {
  const { fault, target, method } = asked;
  const atPath = options.routes.filter((route) => route.path === target?.pathname);
  const route = atPath.find((candidate) => candidate.method === method);
  const instead = fault === 'conflict' && route?.meetsConflict ? null : answerInstead(fault);
  if (route?.kind === 'streamed') return takeStreamed(options, asked, route, body, instead);

  const bytes = await body.whole();
  if (bytes === null) return null;
  return async () => {
    if (instead) return instead;
    if (bytes === 'too-large') return refusal(413, 'The request is too large');
    if (target === null) return refusal(400, 'The request target cannot be read');
    if (!route) {
      const Allow = atPath.map((candidate) => candidate.method).join(', ');
      return atPath.length === 0
        ? refusal(404, 'There is nothing at this path')
        : refusal(405, 'This path does not accept the method', { Allow });
    }
    const admitted = admit(options, asked, route);
    if ('refused' in admitted) return admitted.refused;
    const { head } = admitted;
    if (route.kind === 'events') return { open: (sink) => route.open(head, sink) };
    return once(options, head, body, async () => route.handle({ ...head, body: bytes }));
  };
}

async function takeStreamed(
  options: ExchangeOptions,
  asked: Asked,
  route: StreamedRoute,
  body: RequestBody,
  instead: TrainingAnswer | null,
): Promise<Answering | null> {
  const admitted = instead ? { refused: instead } : admit(options, asked, route);
  const received = 'refused' in admitted ? admitted : await receive(route, admitted.head, body);
  // Read to its end in any case: a client that still sends would lose the answer.
  if (!(await body.drain())) return null;
  return async () =>
    'refused' in received
      ? received.refused
      : once(options, received.head, body, async () => received.effect());
}

/** What it received; a failure of the service's own is a refusal. */
async function receive(route: StreamedRoute, head: RequestHead, body: RequestBody) {
  try {
    const received = await route.receive(head, body);
    return 'refused' in received ? received : { ...received, head };
  } catch {
    return { refused: serviceFailed() };
  }
}

/** Who asks, and whether this may be asked. */
function admit(
  { switches, accountOf }: ExchangeOptions,
  { method, target, headers, fault }: Asked,
  route: TrainingRoute,
): { readonly head: RequestHead } | { readonly refused: TrainingAnswer } {
  const account = route.access === 'public' ? null : accountOf(one(headers['authorization']), route.access);
  if (route.access !== 'public' && (account === null || fault === 'tokens-refused')) {
    return {
      refused: refusal(401, 'The token is missing, expired or invalid', { 'WWW-Authenticate': 'Bearer' }),
    };
  }
  const hasKeys = route.kind === 'streamed' || (route.kind !== 'events' && route.idempotent);
  const key = hasKeys ? (one(headers['idempotency-key']) ?? null) : null;
  if (key !== null && !/^[\x21-\x7e]{1,255}$/.test(key)) {
    return { refused: refusal(400, 'Idempotency-Key cannot be read') };
  }
  const head: RequestHead = {
    method,
    path: route.path,
    query: target?.searchParams ?? new URLSearchParams(),
    headers,
    account,
    key,
    switches: switches(),
    fault,
  };
  const refused = route.refuse?.(head) ?? null;
  return refused ? { refused } : { head };
}

/** Carries it out, once for a key. */
async function once(
  { idempotency }: ExchangeOptions,
  head: RequestHead,
  body: RequestBody,
  effect: () => Promise<TrainingAnswer>,
): Promise<TrainingAnswer> {
  const { key, fault } = head;
  const account = head.account ?? '';
  try {
    if (key === null) return await effect();
    if (fault === 'key-expired') idempotency.forget({ account, key });
    const kept = await idempotency.run({ account, key, digest: body.digest() }, effect);
    if (fault === 'key-expired') idempotency.forget({ account, key });
    return kept ?? refusal(422, 'This Idempotency-Key was used for another request');
  } catch {
    return serviceFailed();
  }
}

const serviceFailed = (): TrainingAnswer => refusal(500, 'The training service failed');
