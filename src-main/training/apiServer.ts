import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { TrainingSwitches } from '../../src-preload/contract/index.ts';
import type { Clock } from '../core/ports.ts';
import { refusal, type TrainingAnswer, type TrainingRequest, type TrainingRoute } from './answer.ts';
import { answerInstead, deliver, type RequestFault } from './faults.ts';
import type { IdempotencyCache } from './idempotency.ts';
import type { Tally } from './tally.ts';

const largestBody = 1_048_576;

export interface ApiServerOptions {
  readonly clock: Clock;
  /** The service's clock with its offset, Unix milliseconds. */
  readonly serverNow: () => number;
  readonly bytes: (length: number) => Uint8Array;
  readonly routes: readonly TrainingRoute[];
  readonly switches: () => TrainingSwitches;
  /** The fault that the next request on `path` meets. */
  readonly takeFault: (path: string) => RequestFault | 'none';
  /** The account behind an `Authorization` header, null when it is missing, expired or invalid. */
  readonly accountOf: (authorization: string | undefined) => string | null;
  readonly idempotency: IdempotencyCache<TrainingAnswer>;
  readonly tally: Tally;
  /** 0 for any free port. */
  readonly port: number;
}

/**
 * One API on 127.0.0.1: the conventions that hold for every route, and the faults.
 *
 * Every answer, also to what is no request, carries `X-Request-Id` (interface: Shared conventions)
 * and a `Date` of the service's own clock.
 */
export class ApiServer {
  readonly #options: ApiServerOptions;
  readonly #server: Server;
  readonly #connected = new Set<Socket>();
  readonly #stranded = new WeakSet<Socket>();
  #port: number;
  #held = 0;

  constructor(options: ApiServerOptions) {
    this.#options = options;
    this.#port = options.port;
    // Node's own time-outs run on the system's clock and not on the one that was given.
    const noTimeouts = { keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 };
    this.#server = createServer(noTimeouts, (request, response) => void this.#serve(request, response));
    this.#server.on('connection', (socket: Socket) => {
      this.#connected.add(socket);
      socket.once('close', () => this.#connected.delete(socket));
    });
    // Node answers these by itself, without the service's headers, if nobody listens.
    this.#server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
      request.resume();
      this.#send(response, refusal(417, 'This expectation cannot be met'));
    });
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      this.#answerNoRequest(error, socket);
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Requests that came whole and wait: for a timer of the clock, or for nothing at all. */
  get held(): number {
    return this.#held;
  }

  /**
   * Ends every connection; new ones are taken. One after another: clients that hear of it at once would
   * do so in an order that differs from run to run.
   */
  async cut(): Promise<void> {
    for (const socket of [...this.#connected]) {
      socket.resetAndDestroy();
      for (let turns = 3; turns > 0; turns -= 1) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /**
   * Lets every present connection dangle, as after a change of network: it looks open, what is sent on
   * it is taken, and nothing ever comes back. New ones are served.
   */
  strand(): void {
    for (const socket of this.#connected) this.#stranded.add(socket);
  }

  /** Opens the listener, after the first time on the port it had. Rejects when that is taken. */
  async open(): Promise<void> {
    if (this.#server.listening) return;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.#port, '127.0.0.1', () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Closes the listener and every connection: whoever connects now is refused by the system. */
  async shut(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    await this.cut();
    // Those that were accepted meanwhile.
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { clock, switches, tally, takeFault, bytes } = this.#options;
    if (this.#stranded.has(request.socket)) {
      this.#hang(response);
      return;
    }
    const method = request.method ?? '';
    const target = parseTarget(request.url ?? '');
    const known = target !== null && this.#options.routes.some((route) => route.path === target.pathname);
    tally.request(method, known ? target.pathname : '(unknown)');
    const fault = takeFault(target?.pathname ?? '');
    const body = await readBody(request);
    if (body === null) return;
    const { latencyMs } = switches();
    if (latencyMs > 0 && !(await this.#pause(clock, latencyMs, response))) return;

    const answer =
      answerInstead(fault) ??
      (body === 'too-large'
        ? refusal(413, 'The request is too large')
        : target === null
          ? refusal(400, 'The request target cannot be read')
          : await this.#answer({
              method,
              path: target.pathname,
              query: target.searchParams,
              headers: request.headers,
              body,
              switches: switches(),
            }));
    const delivery = deliver(answer, fault, bytes);
    switch (delivery.kind) {
      case 'hang':
        tally.status('none');
        this.#hang(response);
        return;
      case 'reset':
        tally.status('none');
        request.socket.resetAndDestroy();
        return;
      case 'cut':
        this.#head(response, delivery.answer, delivery.type, delivery.bytes.byteLength);
        tally.status('none');
        response.write(delivery.bytes.subarray(0, delivery.bytes.byteLength >> 1), () => response.destroy());
        return;
      case 'whole':
        this.#head(response, delivery.answer, delivery.type, delivery.bytes.byteLength);
        tally.status(delivery.answer.status);
        response.end(delivery.bytes);
    }
  }

  /** Never answers; held until the client gives up. */
  #hang(response: ServerResponse): void {
    if (response.destroyed) return;
    this.#held += 1;
    response.once('close', () => (this.#held -= 1));
  }

  /** Waits on the clock port; false when the client went away meanwhile. */
  #pause(clock: Clock, ms: number, response: ServerResponse): Promise<boolean> {
    if (response.destroyed) return Promise.resolve(false);
    this.#held += 1;
    return new Promise((resolve) => {
      const settle = (waited: boolean): void => {
        this.#held -= 1;
        response.off('close', gone);
        resolve(waited);
      };
      const gone = (): void => {
        cancel();
        settle(false);
      };
      const cancel = clock.schedule(ms, () => settle(true));
      response.once('close', gone);
    });
  }

  async #answer(request: TrainingRequest): Promise<TrainingAnswer> {
    const atPath = this.#options.routes.filter((route) => route.path === request.path);
    const route = atPath.find((candidate) => candidate.method === request.method);
    if (!route) {
      const Allow = atPath.map((candidate) => candidate.method).join(', ');
      return atPath.length === 0
        ? refusal(404, 'There is nothing at this path')
        : refusal(405, 'This path does not accept the method', { Allow });
    }
    const account = this.#options.accountOf(one(request.headers['authorization']));
    if (route.access === 'bearer' && account === null) {
      return refusal(401, 'The token is missing, expired or invalid', { 'WWW-Authenticate': 'Bearer' });
    }
    const key = one(request.headers['idempotency-key']);
    try {
      if (!route.idempotent || key === undefined) return await route.handle(request);
      if (!/^[\x21-\x7e]{1,255}$/.test(key)) return refusal(400, 'Idempotency-Key cannot be read');
      const target = `${request.method} ${request.path}?${request.query.toString()}`;
      const kept = this.#options.idempotency.run(
        { account: account ?? '', key, target, body: request.body },
        async () => route.handle(request),
      );
      return (await kept) ?? refusal(422, 'This Idempotency-Key was used for another request');
    } catch {
      return refusal(500, 'The training service failed');
    }
  }

  #send(response: ServerResponse, answer: TrainingAnswer): void {
    const bytes = Buffer.from(answer.body);
    this.#head(response, answer, 'application/json', bytes.byteLength);
    this.#options.tally.status(answer.status);
    response.end(bytes);
  }

  #head(response: ServerResponse, answer: TrainingAnswer, type: string, length: number): void {
    response.writeHead(answer.status, {
      ...this.#always(),
      'Content-Type': type,
      'Content-Length': length,
      'Cache-Control': 'no-store',
      ...answer.headers,
    });
  }

  #always(): { 'X-Request-Id': string; Date: string } {
    const { bytes, serverNow } = this.#options;
    return {
      'X-Request-Id': `trn-${Buffer.from(bytes(9)).toString('hex')}`,
      Date: new Date(serverNow()).toUTCString(),
    };
  }

  /** What Node could not read as a request still gets an answer that can be reported by its id. */
  #answerNoRequest(error: NodeJS.ErrnoException, socket: Socket): void {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
    const { body } = refusal(status, 'The request cannot be read');
    const always = this.#always();
    this.#options.tally.status(status);
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nX-Request-Id: ${always['X-Request-Id']}\r\n` +
        `Date: ${always.Date}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
        `Connection: close\r\n\r\n${body}`,
    );
  }
}

const one = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;

function parseTarget(target: string): URL | null {
  return target.startsWith('/') && URL.canParse(target, 'http://training')
    ? new URL(target, 'http://training')
    : null;
}

/** The whole body; null when the client went away while sending it. */
async function readBody(request: IncomingMessage): Promise<Uint8Array | 'too-large' | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size <= largestBody) chunks.push(chunk);
    }
  } catch {
    return null;
  }
  return size > largestBody ? 'too-large' : Buffer.concat(chunks);
}
