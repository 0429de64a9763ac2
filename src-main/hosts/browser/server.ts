import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import {
  closeCodes,
  exchangePath,
  largestMessage,
  launchParameter,
  paneParameter,
  proofHeader,
  socketPath,
  socketProtocol,
} from '../../../src-preload/contract/index.ts';
import type { SecondWindow } from '../../core/base/control.ts';
import { textOf } from '../../core/base/errors.ts';
import { isByteRoute, isTicketRoute } from '../byteRoutes.ts';
import type { PageFiles } from '../pages.ts';
import { createAdmission, type Admission } from './admission.ts';
import { carryBytes } from './byteAnswers.ts';
import { Connections } from './connections.ts';
import { CountedWarnings } from './countedWarnings.ts';
import { answerExchange, answerText } from './exchange.ts';
import { createWireCodec } from './protocol.ts';
import { cookieOf, pathOf, refusal } from './requests.ts';
import { serveSocket, type PageListener, type SocketOptions } from './socket.ts';

const address = '127.0.0.1';
/** A request that is incomplete after this time is cut. Bytes that a page sends have a separate limit. */
const requestWithinMs = 10_000;
/** A page opens its second window at once. After this time its code is refused. */
const windowWithinMs = 60_000;
/** A printed code may stay in a terminal or a journal that others read later. After this time it is refused. */
const printedWithinMs = 10 * 60_000;

export interface BrowserHostOptions extends Pick<SocketOptions, 'app' | 'clock' | 'logger' | 'version'> {
  readonly pages: PageFiles;
  /** The console's data folder. Pages learn only a digest of it. */
  readonly dataDir: string;
  /** TCP port on 127.0.0.1; 0 for any free one. */
  readonly port: number;
  /** Called with each new address for the launch file: at the start and after each use. */
  readonly onLaunchUrl: (url: string) => Promise<void>;
  /** Called for each admitted page of a kiosk's browser. Null, or no function, for no listener. */
  readonly onKioskPage?: () => PageListener | null;
}

export interface BrowserHost {
  /** `http://127.0.0.1:PORT/` without any code. */
  readonly origin: string;
  /** A new address that admits one page, once, within ten minutes; another one than in the launch file. */
  issueUrl(): string;
  /** A new address for a second window that a page asked for; refused after a minute. */
  issueWindowUrl(show: SecondWindow): string;
  /** The same for the kiosk's browser, which this process supervises. */
  issueKioskUrl(): string;
  /** Sends a close message to every page and stops listening. */
  close(): Promise<void>;
}

/**
 * Starts the browser host on loopback.
 *
 * @throws when it cannot listen on the port, or `onLaunchUrl` fails for the first address
 */
export async function startBrowserHost(options: BrowserHostOptions): Promise<BrowserHost> {
  const { logger } = options;
  const server = createLoopbackServer();
  const host = new LoopbackHost(options, server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: options.port, host: address, exclusive: true }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  try {
    await host.opened(port);
  } catch (error) {
    await host.close();
    throw error;
  }
  logger.info('browser-host-listening', { port });
  return host;
}

/** All limits are small: every local process can connect, and none of these requests is large. */
function createLoopbackServer(): Server {
  const server = createServer({
    // Cookies ignore ports: those of every other local server come with a request.
    maxHeaderSize: 65_536,
    headersTimeout: 5_000,
    // A large file may take minutes, so other requests are timed separately.
    requestTimeout: 0,
    keepAliveTimeout: 5_000,
    connectionsCheckingInterval: 1_000,
    requireHostHeader: true,
    insecureHTTPParser: false,
  });
  server.maxRequestsPerSocket = 1_000;
  return server;
}

/** Answers the requests and sockets of one server, and issues the addresses for browsers. */
class LoopbackHost implements BrowserHost {
  readonly #options: BrowserHostOptions;
  readonly #server: Server;
  readonly #admission: Admission;
  readonly #warnings: CountedWarnings;
  readonly #connections: Connections;
  readonly #codec = createWireCodec();
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: largestMessage,
    perMessageDeflate: false,
    skipUTF8Validation: false,
    handleProtocols: (offered) => (offered.has(socketProtocol) ? socketProtocol : false),
  });
  /** 0 until the server listens. */
  #port = 0;
  #closing = false;
  /** The code in the launch file. */
  #launchCode = '';

  constructor(options: BrowserHostOptions, server: Server) {
    const { clock } = options;
    this.#options = options;
    this.#server = server;
    this.#admission = createAdmission(options.dataDir);
    this.#warnings = new CountedWarnings({ clock, logger: options.logger });
    this.#connections = new Connections({ clock, warnings: this.#warnings });
    server.on('connection', (socket) => this.#connections.accept(socket));
    server.on('request', (request, response) => this.#take(request, response));
    server.on('clientError', (_error, socket) => {
      this.#connections.dismiss(socket, 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    });
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      this.#takeSocket(request, socket, head);
    });
  }

  get origin(): string {
    return `http://${address}:${this.#port}/`;
  }

  /** Called when the server listens on `port`. Rejects when `onLaunchUrl` fails for the first address. */
  async opened(port: number): Promise<void> {
    this.#port = port;
    await this.#renewLaunch();
  }

  issueUrl(): string {
    return this.#urlWith(this.#issueCodeFor(printedWithinMs));
  }

  issueWindowUrl(show: SecondWindow): string {
    return this.#urlWith(this.#issueCodeFor(windowWithinMs), `?${paneParameter}=${show}`);
  }

  issueKioskUrl(): string {
    return this.#urlWith(this.#admission.issueCode(true));
  }

  async close(): Promise<void> {
    this.#closing = true;
    const { clients } = this.#sockets;
    for (const socket of clients) socket.close(closeCodes.goingAway, 'the console ends');
    // Resolves when each subscription has ended: then the console may be closed.
    const pagesGone = [...clients].map(
      (socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())),
    );
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    // A page that does not answer the close message must not keep the console from ending.
    const cancel = this.#options.clock.schedule(300, () => {
      for (const socket of clients) socket.terminate();
      this.#connections.destroyAll();
    });
    this.#server.closeIdleConnections();
    await Promise.all([closed, ...pagesGone]);
    cancel();
    this.#warnings.close();
  }

  #urlWith(code: string, query = ''): string {
    return `${this.origin}${query}#${launchParameter}=${code}`;
  }

  #issueCodeFor(ms: number): string {
    const code = this.#admission.issueCode();
    this.#options.clock.schedule(ms, () => this.#admission.expire(code));
    return code;
  }

  async #renewLaunch(): Promise<void> {
    this.#launchCode = this.#admission.issueCode();
    await this.#options.onLaunchUrl(this.#urlWith(this.#launchCode));
  }

  async #spent(code: string): Promise<void> {
    if (code !== this.#launchCode) return;
    try {
      await this.#renewLaunch();
    } catch (error) {
      // This page is admitted; only the next one would not be, and the log says why.
      this.#options.logger.error('launch-file-failed', { error: textOf(error) });
    }
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const { clock, logger } = this.#options;
    if (!this.#connections.begin(request, response)) return;
    const cancelDeadline = clock.schedule(requestWithinMs, () => {
      if (!request.complete) request.destroy();
    });
    request.once('close', cancelDeadline);
    this.#answer(request, response, cancelDeadline).catch((error: unknown) => {
      logger.error('request-broke', { error: textOf(error) });
      if (!response.headersSent) answerText(response, 500, 'The console could not answer this request.\n');
      else response.destroy();
    });
  }

  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
    cancelDeadline: () => void,
  ): Promise<void> {
    const { logger, pages } = this.#options;
    const admission = this.#admission;
    const warnings = this.#warnings;
    const refused = refusal(request, this.#port);
    if (refused !== null) {
      warnings.warn('request-refused', refused);
      answerText(response, 403, 'This request did not come from the console’s own page.\n');
      return;
    }
    const cookie = cookieOf(request, admission.cookieName);
    if (admission.knows(cookie)) this.#connections.raise(request.socket, 'known');
    const path = pathOf(request);
    if (path === exchangePath) {
      const onSpent = (code: string): Promise<void> => this.#spent(code);
      await answerExchange(request, response, { admission, logger, warnings, onSpent });
      return;
    }
    if (path === socketPath) {
      answerText(response, 426, 'This address only answers WebSocket.\n');
      return;
    }
    if (path !== null && isByteRoute(path)) {
      if (!this.#admitsBytes(request, path, cookie)) {
        answerText(response, 401, 'Not admitted.\n');
        return;
      }
      this.#connections.raise(request.socket, 'admitted');
      cancelDeadline();
      await carryBytes(this.#options, request, response, path);
      return;
    }
    const page = await pages.answer(request.method ?? '', path ?? '');
    response.writeHead(page.status, { ...page.headers, 'content-length': String(page.body.byteLength) });
    response.end(request.method === 'HEAD' ? undefined : page.body);
  }

  /** For an element that cannot send the proof, the address has a ticket. */
  #admitsBytes(request: IncomingMessage, path: string, cookie: ReturnType<typeof cookieOf>): boolean {
    if (isTicketRoute(path)) return this.#admission.knows(cookie);
    const proof = request.headers[proofHeader];
    return typeof proof === 'string' && this.#admission.admits(cookie, proof);
  }

  #takeSocket(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    if (!this.#connections.beginSocket(socket)) {
      socket.destroy();
      return;
    }
    const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
    const refused = refusal(request, this.#port);
    const isMeant = pathOf(request) === socketPath && offered.includes(socketProtocol);
    if (this.#closing || refused !== null || !isMeant) {
      this.#warnings.warn('socket-refused', refused ?? 'malformed');
      this.#connections.dismiss(
        socket,
        'HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
      );
      return;
    }
    const cookie = cookieOf(request, this.#admission.cookieName);
    if (this.#admission.knows(cookie)) this.#connections.raise(socket, 'known');
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) => this.#serve(webSocket, socket, cookie));
  }

  #serve(socket: WebSocket, wire: Duplex, cookie: ReturnType<typeof cookieOf>): void {
    const { app, clock, logger, version, onKioskPage } = this.#options;
    serveSocket({
      ...{ socket, wire, app, clock, logger, version },
      codec: this.#codec,
      warnings: this.#warnings,
      admits: (proof) => this.#admission.admits(cookie, proof),
      onAdmitted: () => {
        this.#connections.raise(wire, 'admitted');
        return this.#admission.isKiosk(cookie) ? (onKioskPage?.() ?? null) : null;
      },
    });
  }
}
