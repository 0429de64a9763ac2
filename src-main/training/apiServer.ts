import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { refusal, type OpenedStream, type TrainingAnswer } from './answer.ts';
import { takeRequest, type ExchangeOptions } from './exchange.ts';
import type { Admission } from './faults.ts';
import { closeServer, createBoundedServer, listenOn } from './listener.ts';
import { RequestBody } from './requestBody.ts';

export interface ApiServerOptions extends ExchangeOptions {
  /** The service's clock with its offset, Unix milliseconds. */
  readonly serverNow: () => number;
  readonly bytes: (length: number) => Uint8Array;
  readonly admit: Admission;
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
  /** Those that are open. */
  readonly connections = new Set<Socket>();
  #port: number;

  constructor(options: ApiServerOptions) {
    this.#options = options;
    this.#port = options.port;
    this.#server = createBoundedServer((request, response) => void this.#serve(request, response));
    this.#server.on('connection', (socket: Socket) => {
      this.connections.add(socket);
      socket.once('close', () => this.connections.delete(socket));
    });
    // Without a listener Node answers these itself, without the service's headers.
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

  /**
   * Ends every connection; new ones are taken. One after another: clients that hear of it at once would
   * do so in an order that differs from run to run.
   */
  async cut(): Promise<void> {
    for (const socket of [...this.connections]) {
      socket.resetAndDestroy();
      for (let yielding = 3; yielding > 0; yielding -= 1)
        await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Opens the listener, after the first time on the port it had. Rejects when that is taken. */
  async open(): Promise<void> {
    if (!this.#server.listening) this.#port = await listenOn(this.#server, this.#port);
  }

  /** Closes the listener and every connection: the system refuses new ones. */
  shut(): Promise<void> {
    return closeServer(this.#server, () => this.cut());
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { routes, switches, admit } = this.#options;
    const method = request.method ?? '';
    const target = parseTarget(request.url ?? '');
    const path = routes.find((route) => route.path === target?.pathname)?.path ?? null;
    const passage = admit({ request, response, path });
    if (passage === null) return;
    const { fault } = passage;
    const body = new RequestBody(request, `${method} ${target?.pathname ?? ''}${target?.search ?? ''}`);
    if (fault === 'cut-request') {
      await body.upTo(switches().cutAfterBytes);
      request.socket.resetAndDestroy();
      return;
    }
    const asked = { method, target, headers: request.headers, fault };
    const answering = await takeRequest(this.#options, asked, body);
    if (answering === null || !(await passage.wait())) return;

    const delivery = passage.deliver(await answering());
    switch (delivery.kind) {
      case 'hang':
        // Open until the client gives up.
        return;
      case 'reset':
        request.socket.resetAndDestroy();
        return;
      case 'stream':
        this.#stream(response, delivery);
        return;
      case 'cut':
        this.#head(response, delivery.answer, delivery.type, delivery.bytes.byteLength);
        response.write(delivery.bytes.subarray(0, delivery.bytes.byteLength >> 1), () => response.destroy());
        return;
      case 'whole':
        this.#head(response, delivery.answer, delivery.type, delivery.bytes.byteLength);
        response.end(delivery.bytes);
    }
  }

  /** Begins an answer without an end. */
  #stream(response: ServerResponse, stream: OpenedStream): void {
    if (response.destroyed) return;
    this.#head(response, { status: 200 }, 'text/event-stream', null);
    response.flushHeaders();
    stream.open({
      write: (bytes) => {
        if (!response.destroyed) response.write(bytes);
      },
      get waiting() {
        return response.writableLength;
      },
      end: () => {
        if (!response.destroyed) response.end();
      },
      onClose: (run) => void response.once('close', run),
    });
  }

  #send(response: ServerResponse, answer: TrainingAnswer): void {
    const bytes = Buffer.from(answer.body);
    this.#head(response, answer, 'application/json', bytes.byteLength);
    response.end(bytes);
  }

  /** `length` null: there is no end to it. */
  #head(
    response: ServerResponse,
    answer: Pick<TrainingAnswer, 'status' | 'headers'>,
    type: string,
    length: number | null,
  ): void {
    response.writeHead(answer.status, {
      ...this.#always(),
      'Content-Type': type,
      ...(length === null ? {} : { 'Content-Length': length }),
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
    // A client that left during its request gets no answer.
    const gone = error.code === 'ECONNRESET' || error.code === 'HPE_INVALID_EOF_STATE';
    if (!socket.writable || gone) {
      socket.destroy();
      return;
    }
    const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
    const { body } = refusal(status, 'The request cannot be read');
    const always = this.#always();
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nX-Request-Id: ${always['X-Request-Id']}\r\n` +
        `Date: ${always.Date}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
        `Connection: close\r\n\r\n${body}`,
    );
  }
}

function parseTarget(target: string): URL | null {
  return target.startsWith('/') && URL.canParse(target, 'http://training')
    ? new URL(target, 'http://training')
    : null;
}
