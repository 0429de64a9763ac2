import { request as send, type Dispatcher } from 'undici';
import type { Failure, FailureCode } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { message, type Message, type MessageId } from '../../base/messages/message.ts';
import { nextPiece } from '../../base/nextPiece.ts';
import type { AgentOptions } from '../transport/agents.ts';
import { smallAnswer } from '../transport/answerBounds.ts';
import { createDispatcher, type Route } from '../transport/dispatcher.ts';
import { readRetryAfter } from '../transport/retryAfter.ts';
import { wireFailure } from '../transport/wireFailure.ts';

/**
 * What a gateway is asked for: all blocks of a file as one CAR, one block, or the file's bytes. The first two can be
 * checked against the CID block by block, so the gateway need not be trusted.
 */
export type GatewayForm = 'car' | 'block' | 'bytes';

export interface GatewayRequest {
  /** One of the deployment's gateways; the address ends with a slash. */
  readonly gateway: string;
  /** Appended to the gateway's address: letters and digits only. */
  readonly cid: string;
  readonly form: GatewayForm;
  /** The address that the item of evidence names, under one of the gateways; asked for in place of the CID's. */
  readonly address?: string | undefined;
  /** The first wanted byte of the file, for `car` and `bytes`. */
  readonly offset: number;
  readonly signal: AbortSignal;
}

export interface GatewayAnswer {
  /** The byte of the file that the first piece begins with: 0 where a gateway ignored the range. */
  readonly from: number;
  /** Whether the answer is an HTML page: the file may be one, or a network's sign-in page answered. */
  readonly isPage: boolean;
  /** Bytes of the whole file; null where the gateway does not say. */
  readonly total: number | null;
  /** Can be read once. Rejects with a `GatewayError`. */
  readonly pieces: AsyncIterable<Uint8Array>;
}

export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly failure: Failure;
  /** The gateway answered, and does not support this form. */
  readonly otherForm: boolean;

  constructor(failure: Failure, otherForm = false) {
    super(failure.code);
    this.failure = failure;
    this.otherForm = otherForm;
  }
}

/** The address is the deployment's: its private authority and its proxy are used for gateways too. */
export interface GatewayClientOptions extends AgentOptions {
  readonly gateways: readonly string[];
  readonly serverNow: () => number;
}

/** An answer without a new piece for so long is given up, in milliseconds. */
const silenceMs = 30_000;
const mostRedirects = 3;

const types: Readonly<Record<GatewayForm, { readonly accept: string; readonly type: RegExp }>> = {
  car: {
    accept: 'application/vnd.ipld.car; version=1; order=dfs; dups=y, application/vnd.ipld.car',
    type: /^application\/vnd\.ipld\.car\b/i,
  },
  block: { accept: 'application/vnd.ipld.raw', type: /^application\/vnd\.ipld\.raw\b/i },
  bytes: { accept: '*/*', type: /^/ },
};

/** Statuses that mean that the form is not supported, and not that the content is missing. */
const refusesForm = new Set([400, 405, 406, 415, 501]);

/**
 * Asks the deployment's gateways for the content of CIDs. It sends nothing of a session: no token, no cookie, no user
 * name. Certificates are verified like the service's. A redirect is followed only to an address under one of the
 * deployment's gateways.
 */
export class GatewayClient {
  readonly #options: GatewayClientOptions;
  readonly #sockets: ReturnType<typeof createDispatcher>;

  /** @throws when the private authority is not a certificate. */
  constructor(options: GatewayClientOptions) {
    this.#options = options;
    this.#sockets = createDispatcher(options);
  }

  close(): Promise<void> {
    return this.#sockets.destroy();
  }

  /** @throws GatewayError when the answer is not what was asked for, or none came. */
  async ask(request: GatewayRequest): Promise<GatewayAnswer> {
    const { form, offset } = request;
    const stop = new AbortController();
    const { signal } = stop;
    // Not `AbortSignal.any`: its signal may be collected as garbage during the wait, and then never aborts.
    const forward = (): void => {
      stop.abort();
    };
    request.signal.addEventListener('abort', forward, { once: true });
    signal.addEventListener('abort', () => request.signal.removeEventListener('abort', forward), {
      once: true,
    });
    if (request.signal.aborted) forward();
    let address =
      request.address === undefined ? addressOf(request) : this.#under(request.address, request.gateway);
    for (let redirects = 0; ; redirects += 1) {
      const { answer, route } = await this.#send(address, request, signal, stop);
      const { statusCode: status } = answer;
      const location = headerOf(answer, 'location');
      if (status >= 300 && status < 400 && location !== null) {
        await drop(answer);
        address = this.#under(location, address);
        if (redirects === mostRedirects) throw this.#error('answered-by-something-else', { status });
        continue;
      }
      const type = headerOf(answer, 'content-type') ?? '';
      if (status !== 200 && status !== 206) {
        await drop(answer);
        throw this.#refusal(answer, form);
      }
      if (!types[form].type.test(type)) {
        await drop(answer);
        throw this.#error('answered-by-something-else', { status }, true);
      }
      if (headerOf(answer, 'content-encoding') !== null) {
        await drop(answer);
        throw this.#error('unreadable-answer', { status });
      }
      const range = /^bytes (\d+)-\d+\/(\d+)$/.exec(headerOf(answer, 'content-range') ?? '');
      const from = form === 'car' ? offset : status === 206 && range ? Number(range[1]) : 0;
      if (from > offset) {
        await drop(answer);
        throw this.#error('unreadable-answer', { status });
      }
      const length = Number(headerOf(answer, 'content-length') ?? Number.NaN);
      return {
        from,
        isPage: /^\s*(?:text\/html|application\/xhtml)/i.test(type),
        total: range ? Number(range[2]) : Number.isSafeInteger(length) ? from + length : null,
        pieces: this.#pieces(answer, route, request.signal, stop),
      };
    }
  }

  async #send(
    address: string,
    { form, offset }: GatewayRequest,
    signal: AbortSignal,
    stop: AbortController,
  ): Promise<{ readonly answer: Dispatcher.ResponseData; readonly route: Route }> {
    const { clock } = this.#options;
    const { origin, pathname } = new URL(address);
    // Nothing here is sent again at once.
    const route = this.#sockets.for({ origin, path: pathname }, 'single');
    let isLate = false;
    const cancel = clock.schedule(this.#options.address.attemptTimeoutMs, () => {
      isLate = true;
      stop.abort();
    });
    try {
      const answer = await send(address, {
        dispatcher: await route.dispatcher(signal),
        method: 'GET',
        headers: {
          accept: types[form].accept,
          // No compressed answer: decoded, a small one may be endless.
          'accept-encoding': 'identity',
          ...(form === 'bytes' && offset > 0 ? { range: `bytes=${String(offset)}-` } : {}),
        },
        signal,
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      route.answered();
      return { answer, route };
    } catch (error) {
      if (isLate) throw this.#error('timed-out');
      if (signal.aborted) throw this.#error('cancelled');
      throw this.#lost(error, null);
    } finally {
      cancel();
    }
  }

  async *#pieces(
    { body, statusCode: status }: Dispatcher.ResponseData,
    route: Route,
    signal: AbortSignal,
    stop: AbortController,
  ): AsyncGenerator<Uint8Array> {
    const { clock } = this.#options;
    const iterator = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
    // An error after the answer was given up concerns no request, and unheard it would end the process.
    body.on('error', () => undefined);
    try {
      for (;;) {
        const next = await nextPiece({ iterator, clock, silenceMs, signal }).catch((error: unknown) => {
          throw this.#lost(error, status);
        });
        if (next === 'ended') throw this.#error('cancelled');
        if (next === 'silent') throw this.#error('timed-out', { status });
        if (next.done === true) return;
        route.answered();
        yield next.value;
      }
    } finally {
      stop.abort();
      body.destroy();
    }
  }

  #under(location: string, from: string): string {
    const target = underGateway(this.#options.gateways, location, from);
    if (target === null)
      throw this.#error('answered-by-something-else', { sentence: message('gateway.ledAway') });
    return target;
  }

  #refusal(answer: Dispatcher.ResponseData, form: GatewayForm): GatewayError {
    const { statusCode: status } = answer;
    const now = this.#options.serverNow();
    const wait = readRetryAfter(headerOf(answer, 'retry-after') ?? undefined, now);
    const parts = { status, retryAt: wait === null ? null : now + wait };
    return this.#error(codeOf(status), parts, form !== 'bytes' && refusesForm.has(status));
  }

  #lost(error: unknown, status: number | null): GatewayError {
    const at = this.#options.serverNow();
    return this.#error(wireFailure(error, { at, status, requestId: null, bounds: smallAnswer }).code, {
      status,
    });
  }

  #error(
    code: FailureCode,
    parts: {
      readonly status?: number | null;
      readonly retryAt?: number | null;
      readonly sentence?: Message;
    } = {},
    otherForm = false,
  ): GatewayError {
    const words = sentences[code];
    const sentence = parts.sentence ?? (words && message(words));
    const isFinal = code === 'not-found' || code === 'refused-by-service';
    const remedy = words && message(isFinal ? 'gateway.askHolder' : 'gateway.again');
    const at = this.#options.serverNow();
    return new GatewayError(makeFailure({ code, at, ...parts, sentence, remedy }), otherForm);
  }
}

/** The normalized address if it lies under one of the gateways, else null. */
export function underGateway(gateways: readonly string[], address: string, from?: string): string | null {
  if (!URL.canParse(address, from)) return null;
  const target = new URL(address, from);
  if (target.username !== '' || target.password !== '') return null;
  return gateways.some((gateway) => target.href.startsWith(new URL(gateway).href)) ? target.href : null;
}

function codeOf(status: number): FailureCode {
  switch (status) {
    case 404:
    case 410:
      return 'not-found';
    case 408:
    case 504:
      return 'timed-out';
    case 429:
      return 'too-many-requests';
    case 511:
      return 'answered-by-something-else';
    default:
      if (status < 400) return 'answered-by-something-else';
      return status < 500 ? 'refused-by-service' : 'service-error';
  }
}

/** Sentences that name the gateway, so that an operator does not blame the service. */
const sentences: Partial<Record<FailureCode, MessageId>> = {
  unreachable: 'gateway.unreachable',
  'timed-out': 'gateway.timedOut',
  'tls-refused': 'gateway.tlsRefused',
  'answered-by-something-else': 'gateway.somethingElse',
  'unreadable-answer': 'gateway.unreadable',
  'not-found': 'gateway.notFound',
  'too-many-requests': 'gateway.tooMany',
  'service-error': 'gateway.trouble',
  'refused-by-service': 'gateway.refused',
};

function addressOf({ gateway, cid, form, offset }: GatewayRequest): string {
  if (!/^[A-Za-z0-9]+$/.test(cid)) throw new RangeError('Not a CID as it stands in an address');
  const range = offset > 0 ? `&entity-bytes=${String(offset)}:*` : '';
  switch (form) {
    case 'car':
      return `${gateway}${cid}?format=car&dag-scope=entity${range}`;
    case 'block':
      return `${gateway}${cid}?format=raw`;
    case 'bytes':
      return `${gateway}${cid}`;
  }
}

function headerOf({ headers }: Dispatcher.ResponseData, name: string): string | null {
  const value = headers[name];
  if (value === undefined) return null;
  return Array.isArray(value) ? (value[0] ?? null) : value;
}

/** Ends an answer of which nothing is read. */
function drop({ body }: Dispatcher.ResponseData): Promise<void> {
  body.on('error', () => undefined);
  body.destroy();
  return Promise.resolve();
}
