import { once } from 'node:events';
import {
  constants,
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { ReadableStream } from 'node:stream/web';
import { WebSocketServer, type WebSocket } from 'ws';
import { desktopOrigin } from '../../../src-preload/contract/index.ts';
import { certificate, privateKey } from '../../core/service/transport/certificate.ts';
import { socketPath } from './messages.ts';

type Handler = (request: Request) => Response | Promise<Response>;

export interface SchemeServer {
  /** Stands for `console://app` in the browser. */
  readonly origin: string;
}

/**
 * Puts a scheme's handler behind an address of this computer. TLS and HTTP/2, as Chromium sends a body that is
 * streamed over nothing older, and a page has what a secure scheme has. `onPage` is given each document's socket.
 */
export async function serveScheme(options: {
  readonly handler: () => Handler | undefined;
  readonly onPage: (socket: WebSocket, window: number) => void;
}): Promise<SchemeServer> {
  const server: Http2SecureServer = createSecureServer({
    cert: certificate,
    key: privateKey,
    allowHTTP1: true,
  });
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    const { pathname, searchParams } = new URL(request.url ?? '', origin);
    if (pathname !== socketPath || request.headers.origin !== origin) {
      socket.destroy();
      return;
    }
    sockets.handleUpgrade(request, socket, head, (page) => {
      options.onPage(page, Number(searchParams.get('window')));
    });
  });
  server.on('request', (request, response) => {
    answer(request, response).catch(() => response.stream.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `https://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const answer = async (request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> => {
    const handler = options.handler();
    if (handler === undefined) throw new Error('Nobody serves the page');
    const given = await handler(asRequest(request, origin));
    response.writeHead(given.status, Object.fromEntries(given.headers));
    if (given.body === null) response.end();
    else {
      // Not to the end of the exchange: a body of which nothing more is read would hold it up.
      await pipeline(Readable.fromWeb(given.body as never), response, { end: false });
      response.end();
    }
    // Electron ends a request with its answer. Over HTTP/2 a body of which nothing more is read holds it up for good.
    if (!request.complete) response.stream.close(constants.NGHTTP2_NO_ERROR);
  };
  return { origin };
}

/** The request as Electron builds it for `protocol.handle`. */
function asRequest(request: Http2ServerRequest, origin: string): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    // Electron names neither the page's origin nor its site (fact 38).
    if (/^(?::|origin$|sec-fetch-)/.test(name) || value === undefined) continue;
    headers.set(name, String(value).replaceAll(origin, desktopOrigin));
  }
  const { method } = request;
  const body = request.stream.endAfterHeaders ? null : bodyOf(request);
  return new Request(desktopOrigin + request.url, {
    method,
    headers,
    ...(body === null ? {} : { body, duplex: 'half' }),
  });
}

/** What has a length was a Blob, which arrives as one piece (electron.md, fact 10); a stream is pulled in pieces. */
function bodyOf(request: Http2ServerRequest): BodyInit {
  const whole = async function* (): AsyncGenerator<Buffer> {
    yield await buffer(request);
  };
  const pieces =
    request.headers['content-length'] === undefined ? (request as AsyncIterable<Buffer>) : whole();
  return ReadableStream.from(pieces) as unknown as BodyInit;
}
