import { request as send, type Dispatcher } from 'undici';
import type { Failure, FailureCode } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { message, type Message, type MessageId } from '../../base/messages/message.ts';
import { nextPiece } from '../../base/nextPiece.ts';
import type { Clock } from '../../base/ports.ts';
import type { ServiceAddress } from '../transport/address.ts';
import { smallAnswer } from '../transport/answerBounds.ts';
import { createDispatcher } from '../transport/dispatcher.ts';
import { readRetryAfter } from '../transport/retryAfter.ts';
import { wireFailure } from '../transport/wireFailure.ts';

/**
 * How a gateway is asked: for all blocks of a file as one CAR, for one block, or for the file's bytes as they are. The
 * first two are those of a trustless gateway, whose answers prove themselves.
 */
export type GatewayForm = 'car' | 'block' | 'bytes';

export interface GatewayRequest {
  /** An address that the deployment allows; it ends with a slash. */
  readonly gateway: string;
  /** As it is appended to the address: letters and digits. */
  readonly cid: string;
  readonly form: GatewayForm;
  /** The first byte that is wanted of `car` and `bytes`. */
  readonly offset: number;
  readonly signal: AbortSignal;
}

export interface GatewayAnswer {
  /** Of the file, what the first piece begins with: a gateway may not know of ranges. */
  readonly from: number;
  /** Whether a page came: the file may be one, or this is a network's own sign-in. */
  readonly isPage: boolean;
  /** All of the file, where the gateway says so. */
  readonly total: number | null;
  /** Once. Rejects with a `GatewayError`. */
  readonly pieces: AsyncIterable<Uint8Array>;
}

export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly failure: Failure;
  /** The gateway answered, and does not speak this form. */
  readonly otherForm: boolean;

  constructor(failure: Failure, otherForm = false) {
    super(failure.code);
    this.failure = failure;
    this.otherForm = otherForm;
  }
}

export interface GatewayClientOptions {
  /** The deployment's own: its private authority and its proxy count here too. */
  readonly address: ServiceAddress;
  readonly gateways: readonly string[];
  readonly clock: Clock;
  readonly serverNow: () => number;
}

/** No piece for so long, and the answer is given up, milliseconds. */
const silenceMs = 30_000;
const mostRedirects = 3;

const types: Readonly<Record<GatewayForm, { readonly accept: string; readonly came: RegExp }>> = {
  car: {
    accept: 'application/vnd.ipld.car; version=1; order=dfs; dups=y, application/vnd.ipld.car',
    came: /^application\/vnd\.ipld\.car\b/i,
  },
  block: { accept: 'application/vnd.ipld.raw', came: /^application\/vnd\.ipld\.raw\b/i },
  bytes: { accept: '*/*', came: /^/ },
};

/** An answer that says that the form is not spoken, not that the content is missing. */
const refusesForm = new Set([400, 405, 406, 415, 501]);

/**
 * Asks the deployment's gateways for what CIDs name. Nothing of a session goes along: no token, no cookie, no name of an
 * operator. Certificates are verified as the service's are. A redirect is followed where it leads to an address under a
 * gateway that the deployment allows, and nowhere else.
 */
export class GatewayClient {
  readonly #options: GatewayClientOptions;
  readonly #sockets: ReturnType<typeof createDispatcher>;

  /** @throws when the private authority is no certificate. */
  constructor(options: GatewayClientOptions) {
    this.#options = options;
    this.#sockets = createDispatcher({ address: options.address, clock: options.clock });
  }

  close(): Promise<void> {
    return this.#sockets.destroy();
  }

  /** @throws GatewayError for every answer that is not what was asked for. */
  async ask(request: GatewayRequest): Promise<GatewayAnswer> {
    const { form, offset } = request;
    const stop = new AbortController();
    const { signal } = stop;
    // By hand: a signal that `AbortSignal.any` made may be collected while it is waited for, and then never aborts.
    const forward = (): void => {
      stop.abort();
    };
    request.signal.addEventListener('abort', forward, { once: true });
    signal.addEventListener('abort', () => request.signal.removeEventListener('abort', forward), {
      once: true,
    });
    if (request.signal.aborted) forward();
    let address = addressOf(request);
    for (let redirects = 0; ; redirects += 1) {
      const answer = await this.#send(address, request, signal, stop);
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
      if (!types[form].came.test(type)) {
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
        pieces: this.#pieces(answer, request.signal, stop),
      };
    }
  }

  async #send(
    address: string,
    { form, offset }: GatewayRequest,
    signal: AbortSignal,
    stop: AbortController,
  ): Promise<Dispatcher.ResponseData> {
    const { clock } = this.#options;
    const { origin, pathname } = new URL(address);
    let isLate = false;
    const cancel = clock.schedule(this.#options.address.attemptTimeoutMs, () => {
      isLate = true;
      stop.abort();
    });
    try {
      return await send(address, {
        dispatcher: this.#sockets.for({ origin, path: pathname }),
        method: 'GET',
        headers: {
          accept: types[form].accept,
          // A decoder would turn a small answer into an endless one.
          'accept-encoding': 'identity',
          ...(form === 'bytes' && offset > 0 ? { range: `bytes=${String(offset)}-` } : {}),
        },
        signal,
        headersTimeout: 0,
        bodyTimeout: 0,
      });
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
    signal: AbortSignal,
    stop: AbortController,
  ): AsyncGenerator<Uint8Array> {
    const { clock } = this.#options;
    const iterator = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
    // What fails after it was given up concerns no request.
    body.on('error', () => undefined);
    try {
      for (;;) {
        const next = await nextPiece({ iterator, clock, silenceMs, signal }).catch((error: unknown) => {
          throw this.#lost(error, status);
        });
        if (next === 'ended') throw this.#error('cancelled');
        if (next === 'silent') throw this.#error('timed-out', { status });
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      stop.abort();
      body.destroy();
    }
  }

  #under(location: string, from: string): string {
    const target = URL.canParse(location, from) ? new URL(location, from) : null;
    const isAllowed =
      target !== null &&
      target.username === '' &&
      target.password === '' &&
      this.#options.gateways.some((gateway) => target.href.startsWith(new URL(gateway).href));
    if (!isAllowed) throw this.#error('answered-by-something-else', { sentence: message('gateway.ledAway') });
    return target.href;
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

/** A gateway is not the service, and an operator must not take its troubles for the service's. */
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

/** Nothing of it is read. */
function drop({ body }: Dispatcher.ResponseData): Promise<void> {
  body.on('error', () => undefined);
  body.destroy();
  return Promise.resolve();
}
