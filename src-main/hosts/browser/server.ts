import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
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
import type { Clock, Logger } from '../../core/base/ports.ts';
import type { App } from '../../core/scopes/app.ts';
import { answerBytes, isByteRoute, isTicketRoute } from '../byteRoutes.ts';
import type { PageFiles } from '../pages.ts';
import { createAdmission } from './admission.ts';
import { Connections } from './connections.ts';
import { CountedWarnings } from './countedWarnings.ts';
import { answerExchange, answerText } from './exchange.ts';
import { pour, takenWithinMs } from './pour.ts';
import { createWireCodec } from './protocol.ts';
import { cookieOf, pathOf, refusal } from './requests.ts';
import { serveSocket, type PageListener } from './socket.ts';

const address = '127.0.0.1';
/** What has not come whole by then is cut; bytes that a page sends have a limit of their own. */
const requestWithinMs = 10_000;
/** A page opens its second window at once; its code is refused after this. */
const windowWithinMs = 60_000;
/** A printed code may stand in a terminal or a journal that others read later; it is refused after this. */
const printedWithinMs = 10 * 60_000;

export interface BrowserHostOptions {
  readonly console: App;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly pages: PageFiles;
  /** The console's data folder, of which no page learns more than a digest. */
  readonly dataDir: string;
  readonly version: string;
  /** TCP port on 127.0.0.1; 0 for any free one. */
  readonly port: number;
  /** Called with each fresh address for the launch file: once at start and after each one is used. */
  readonly onLaunchUrl: (url: string) => Promise<void>;
  /** Called for each page of a kiosk's browser that is in. Nobody listens by default. */
  readonly onKioskPage?: () => PageListener | null;
}

export interface BrowserHost {
  /** `http://127.0.0.1:PORT/` without any code. */
  readonly origin: string;
  /** A fresh address that admits one page, once, within ten minutes; not the launch file's. */
  issueUrl(): string;
  /** A fresh address of a second window, for a page that asked for it; worth nothing after a minute. */
  issueWindowUrl(show: SecondWindow): string;
  /** The same for the browser that this process watches over as a kiosk. */
  issueKioskUrl(): string;
  /** Says goodbye to every page and stops listening. */
  close(): Promise<void>;
}

/**
 * Starts the browser host on loopback.
 *
 * @throws when the port cannot be listened on, or the first launch address cannot be handed over
 */
export async function startBrowserHost(options: BrowserHostOptions): Promise<BrowserHost> {
  const { clock, logger, pages, version } = options;
  const admission = createAdmission(options.dataDir);
  const warnings = new CountedWarnings({ clock, logger });
  const codec = createWireCodec();
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: largestMessage,
    perMessageDeflate: false,
    skipUTF8Validation: false,
    handleProtocols: (offered) => (offered.has(socketProtocol) ? socketProtocol : false),
  });
  // Small limits all over: every local process can connect, and none of these requests is large.
  const server = createServer({
    maxHeaderSize: 8_192,
    headersTimeout: 5_000,
    // A large file may take minutes: the other requests are timed one by one.
    requestTimeout: 0,
    keepAliveTimeout: 5_000,
    connectionsCheckingInterval: 1_000,
    requireHostHeader: true,
    insecureHTTPParser: false,
  });
  server.maxRequestsPerSocket = 1_000;

  const connections = new Connections({ clock, warnings });
  server.on('connection', (socket) => connections.accept(socket));

  let port = 0;
  let closing = false;
  let launchCode = '';
  const origin = (): string => `http://${address}:${port}/`;
  const urlWith = (code: string, query = ''): string => `${origin()}${query}#${launchParameter}=${code}`;
  const issueCodeFor = (ms: number): string => {
    const code = admission.issueCode();
    clock.schedule(ms, () => admission.expire(code));
    return code;
  };
  const renewLaunch = async (): Promise<void> => {
    launchCode = admission.issueCode();
    await options.onLaunchUrl(urlWith(launchCode));
  };

  const onSpent = async (code: string): Promise<void> => {
    if (code !== launchCode) return;
    try {
      await renewLaunch();
    } catch (error) {
      // This page is in; only the next one would not be, and the log says why.
      logger.error('launch-file-failed', { error: error instanceof Error ? error.message : 'unknown' });
    }
  };

  const carryBytes = async (
    request: IncomingMessage,
    response: ServerResponse,
    pathname: string,
  ): Promise<void> => {
    // Leaving the loop must not cut the connection before the answer.
    const body = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
    const bytes = await answerBytes(options.console, {
      method: request.method ?? '',
      pathname,
      range: request.headers.range ?? null,
      body,
    });
    // What is left of a body that was not read must not become the next request.
    if (!request.complete) response.shouldKeepAlive = false;
    if (!(bytes.body instanceof Uint8Array)) {
      response.writeHead(bytes.status, bytes.headers);
      await pour(bytes.body, response, clock);
      return;
    }
    if (bytes.status === 204) response.writeHead(204, bytes.headers);
    else {
      response.writeHead(bytes.status, { ...bytes.headers, 'content-length': String(bytes.body.byteLength) });
    }
    response.once(
      'close',
      clock.schedule(takenWithinMs, () => response.destroy()),
    );
    response.end(bytes.status === 204 ? undefined : bytes.body);
    if (!request.complete) response.once('finish', () => request.destroy());
  };

  const handle = async (
    request: IncomingMessage,
    response: ServerResponse,
    cancelDeadline: () => void,
  ): Promise<void> => {
    const refused = refusal(request, port);
    if (refused !== null) {
      warnings.warn('request-refused', refused);
      answerText(response, 403, 'This request did not come from the console’s own page.\n');
      return;
    }
    const cookie = cookieOf(request, admission.cookieName);
    if (admission.knows(cookie)) connections.raise(request.socket, 'known');
    const path = pathOf(request);
    if (path === exchangePath) {
      await answerExchange(request, response, { admission, logger, warnings, onSpent });
      return;
    }
    if (path === socketPath) {
      answerText(response, 426, 'This address only answers WebSocket.\n');
      return;
    }
    if (path !== null && isByteRoute(path)) {
      const proof = request.headers[proofHeader];
      const isAdmitted = isTicketRoute(path)
        ? admission.knows(cookie)
        : typeof proof === 'string' && admission.admits(cookie, proof);
      if (!isAdmitted) {
        answerText(response, 401, 'Not admitted.\n');
        return;
      }
      connections.raise(request.socket, 'admitted');
      cancelDeadline();
      await carryBytes(request, response, path);
      return;
    }
    const page = await pages.answer(request.method ?? '', path ?? '');
    response.writeHead(page.status, { ...page.headers, 'content-length': String(page.body.byteLength) });
    response.end(request.method === 'HEAD' ? undefined : page.body);
  };

  server.on('request', (request, response) => {
    if (!connections.begin(request, response)) return;
    const cancelDeadline = clock.schedule(requestWithinMs, () => {
      if (!request.complete) request.destroy();
    });
    request.once('close', cancelDeadline);
    handle(request, response, cancelDeadline).catch((error: unknown) => {
      logger.error('request-broke', { error: error instanceof Error ? error.message : 'unknown' });
      if (!response.headersSent) answerText(response, 500, 'The console could not answer this request.\n');
      else response.destroy();
    });
  });
  server.on('clientError', (_error, socket) => {
    connections.dismiss(socket, 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (!connections.beginSocket(socket)) {
      socket.destroy();
      return;
    }
    const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
    const refused = refusal(request, port);
    if (closing || refused !== null || pathOf(request) !== socketPath || !offered.includes(socketProtocol)) {
      warnings.warn('socket-refused', refused ?? 'malformed');
      connections.dismiss(socket, 'HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const cookie = cookieOf(request, admission.cookieName);
    if (admission.knows(cookie)) connections.raise(socket, 'known');
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      serveSocket({
        socket: webSocket,
        wire: socket,
        console: options.console,
        codec,
        clock,
        logger,
        warnings,
        version,
        admits: (proof) => admission.admits(cookie, proof),
        onAdmitted: () => {
          connections.raise(socket, 'admitted');
          return admission.isKiosk(cookie) ? (options.onKioskPage?.() ?? null) : null;
        },
      });
    });
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: options.port, host: address, exclusive: true }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  port = (server.address() as AddressInfo).port;
  const close = async (): Promise<void> => {
    closing = true;
    for (const socket of sockets.clients) socket.close(closeCodes.goingAway, 'the console ends');
    // Each subscription has ended when this is over: the console behind may then be closed.
    const pagesGone = [...sockets.clients].map(
      (socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())),
    );
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    // A page that does not answer the goodbye must not keep the console from ending.
    const cancel = clock.schedule(300, () => {
      for (const socket of sockets.clients) socket.terminate();
      connections.destroyAll();
    });
    server.closeIdleConnections();
    await Promise.all([closed, ...pagesGone]);
    cancel();
    warnings.close();
  };
  try {
    await renewLaunch();
  } catch (error) {
    await close();
    throw error;
  }
  logger.info('browser-host-listening', { port });
  return {
    origin: origin(),
    issueUrl: () => urlWith(issueCodeFor(printedWithinMs)),
    issueWindowUrl: (show) => urlWith(issueCodeFor(windowWithinMs), `?${paneParameter}=${show}`),
    issueKioskUrl: () => urlWith(admission.issueCode(true)),
    close,
  };
}
