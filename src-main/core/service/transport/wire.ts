import { Readable } from 'node:stream';
import { request as send, type Dispatcher } from 'undici';
import { failed, ok, type Failure } from '../../../../src-preload/contract/index.ts';
import { makeFailure, reworded } from '../../base/failure.ts';
import { message } from '../../base/messages/message.ts';
import { apiBases, type ApiBase } from './address.ts';
import { errorEnvelope, listAnswer } from './answerBounds.ts';
import { keptMs, type createDispatcher, type Route } from './dispatcher.ts';
import { acceptedEncodings, Body, BodyError, readBody } from './readBody.ts';
import type { ApiRequest, Next } from './request.ts';
import { limitTime } from './timing.ts';
import type { TransportOptions } from './transportOptions.ts';
import { isConditional } from './validators.ts';
import { wireFailure } from './wireFailure.ts';

/** A connection that did not carry an answer for so long is given this time to the first byte of one, milliseconds. */
const doubtMs = 5_000;

/** Where another answer comes, the line is slow and not dead. */
const isAlive = (route: Route): boolean => route.idleMs() < doubtMs;

/**
 * The innermost interceptor: one HTTP exchange. An answer of any status is a value with the bytes of its body; what
 * prevented an answer is a failure. Redirects are not followed: undici follows none by default.
 *
 * A GET whose kept connection turns out to be dead is sent again, once, by a new one.
 */
export function createWire(
  options: TransportOptions,
  routeFor: ReturnType<typeof createDispatcher>['for'],
): Next {
  const bases = apiBases(options.address);
  return async (request) => {
    const base = bases[request.api];
    // Streams of events connect again by their own rule.
    if (request.method !== 'GET' || request.backoff === 'head')
      return exchange(options, request, base, routeFor(base, 'single'));
    const route = routeFor(base, 'repeatable');
    if (!route.isProven()) return exchange(options, request, base, route);
    let hasBegun = false;
    const usualMs = options.line.meters[request.api].roundTripMs ?? 0;
    const limit = limitTime(options.clock, request.signal, Math.max(doubtMs, 3 * usualMs), () =>
      isAlive(route),
    );
    // One that carried an answer just now is slow, and not dead.
    if (route.idleMs() <= keptMs.single) limit.lift();
    try {
      const watched: ApiRequest = {
        ...request,
        signal: limit.signal,
        onReceived(bytes) {
          hasBegun = true;
          limit.lift();
          request.onReceived?.(bytes);
        },
      };
      const result = await exchange(options, watched, base, route);
      const isDead = !result.ok && (result.failure.code === 'unreachable' || limit.struck());
      if (hasBegun || !isDead || request.signal.aborted) return result;
      route.retire();
      return await exchange(options, request, base, routeFor(base, 'repeatable'));
    } finally {
      limit.done();
    }
  };
}

async function exchange(
  options: TransportOptions,
  request: ApiRequest,
  base: ApiBase,
  route: Route,
): ReturnType<Next> {
  const { clock, serverTime, maxBodyBytes = listAnswer.bytes } = options;
  const sentElapsed = clock.elapsed();
  const openedBefore = route.opened();
  const watch = options.line.meters[request.api].watch(() => {
    if (!route.isProven() || route.opened() > openedBefore) return 'handshake';
    return request.method === 'GET' ? 'plain' : null;
  });
  let status: number | null = null;
  let requestId: string | null = null;
  let received = 0;
  const outgoing = outgoingBody(request);
  const failureOf = (error: unknown): Failure => {
    const at = serverTime.serverNow();
    if (request.signal.aborted) return makeFailure({ code: 'cancelled', at });
    return wireFailure(error, { at, status, requestId, bounds: request.bounds });
  };
  const onReceived = (bytes: number): void => {
    received += bytes;
    route.answered();
    watch.take(bytes);
    request.onReceived?.(bytes);
  };
  try {
    const answer = await send(addressOf(base, request), {
      dispatcher: await route.dispatcher(request.signal),
      method: request.method,
      headers: {
        accept: 'application/json',
        'accept-encoding': request.backoff === 'head' ? 'identity' : acceptedEncodings,
        ...request.headers,
      },
      body: outgoing.content,
      signal: request.signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const headElapsed = clock.elapsed();
    request.onSent?.();
    onReceived(0);
    status = answer.statusCode;
    const headers = plainHeaders(answer.headers);
    requestId = readRequestId(headers['x-request-id']);
    const isUnchanged = status === 304 && isConditional(request.headers);
    // The Infrastructure API issues `expires_at` and `created_at`: its clock is the server time.
    if (request.api === 'infrastructure' && (isUnchanged || speaksForService(status, headers))) {
      serverTime.observe(headers['date'] ?? null, sentElapsed, headElapsed);
    }
    const streams = request.backoff === 'head' && status >= 200 && status < 300;
    const body = streams
      ? answer.body
      : await readWithin(answer.body, headers, status, { ...request, onReceived }, maxBodyBytes);
    const cutBy = body instanceof Body ? body.cutBy : null;
    return ok({
      status,
      headers,
      body,
      cut: cutBy === null ? null : failureOf(cutBy),
      isUnchanged,
      bytes: received,
      requestId,
      sentElapsed,
      headElapsed,
      responseMs: clock.elapsed() - sentElapsed,
    });
  } catch (error) {
    if (status === null && clock.elapsed() - sentElapsed >= doubtMs && !isAlive(route)) route.retire();
    // Another attempt may follow much later.
    request.permit.release();
    if (outgoing.broken()) {
      return failed(makeFailure({ code: 'file-damaged', at: serverTime.serverNow() }));
    }
    const failure = failureOf(error);
    if (failure.code !== 'tls-refused' || !(await route.isTrustedBySystem(request.signal)))
      return failed(failure);
    const trusted = { sentence: message('api.systemTrusts'), remedy: message('api.systemTrustsRemedy') };
    return failed(reworded(failure, trusted));
  } finally {
    watch.end();
  }
}

/** A failure's body is read only for the service's words. One larger than an envelope is ignored. */
async function readWithin(
  body: Readable,
  headers: Readonly<Record<string, string>>,
  status: number,
  { bounds, signal, keepsCut, onReceived, enterLarge }: ApiRequest,
  maxBodyBytes: number,
): Promise<Body | null> {
  const common = { encoding: headers['content-encoding'], onReceived };
  if (status >= 200 && status < 300) {
    const bytes = Math.min(bounds.bytes, maxBodyBytes);
    return readBody(body, {
      ...common,
      bounds: { ...bounds, bytes },
      keepsCut,
      enterLarge: () => enterLarge(signal),
    });
  }
  try {
    return await readBody(body, { ...common, bounds: errorEnvelope });
  } catch (error) {
    if (error instanceof BodyError && error.problem === 'too-large') return null;
    throw error;
  }
}

/**
 * The body for undici. It takes the first piece when it has a connection to write to, which shows whether any of the
 * request was sent.
 */
function outgoingBody(request: ApiRequest): {
  readonly content: string | Uint8Array | Readable | null;
  /** Whether the body itself failed, and not the connection. */
  readonly broken: () => boolean;
} {
  const made = request.body === null ? null : request.body();
  const { onSent } = request;
  let broken = false;
  const whole = typeof made === 'string' || made instanceof Uint8Array;
  if (made === null || (whole && onSent === null)) return { content: made, broken: () => false };
  async function* pieces(): AsyncGenerator<Uint8Array> {
    onSent?.();
    if (typeof made === 'string') yield Buffer.from(made);
    else if (made instanceof Uint8Array) yield made;
    else if (made !== null) {
      try {
        yield* made;
      } catch (error) {
        broken = true;
        throw error;
      }
    }
  }
  // One piece at a time: what waits in the stream has not been handed over.
  const content = Readable.from(pieces(), { objectMode: false, highWaterMark: 1 });
  return { content, broken: () => broken };
}

/** A redirect or a page is not an answer of the service, and its sender's clock does not count. */
function speaksForService(status: number, headers: Readonly<Record<string, string>>): boolean {
  if ((status >= 300 && status < 400) || status === 511) return false;
  return !/^\s*text\/html\b/i.test(headers['content-type'] ?? '');
}

function addressOf(base: ApiBase, request: ApiRequest): string {
  if (!request.path.startsWith('/')) throw new RangeError('A path begins with a slash');
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request.query)) {
    if (value !== undefined) query.append(name, String(value));
  }
  const suffix = query.size === 0 ? '' : `?${query.toString()}`;
  return `${base.origin}${base.path}${request.path}${suffix}`;
}

function plainHeaders(headers: Dispatcher.ResponseData['headers']): Readonly<Record<string, string>> {
  const plain: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) plain[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return plain;
}

const requestIdShape = /^[A-Za-z0-9._:-]{1,128}$/;

/** The id is shown, copied and logged, so only one short word of the characters of ids is accepted. */
function readRequestId(header: string | undefined): string | null {
  return header !== undefined && requestIdShape.test(header) ? header : null;
}
