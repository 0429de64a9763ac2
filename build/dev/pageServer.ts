import {
  createServer,
  request as ask,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { readFile } from 'node:fs/promises';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { createServer as createVite, type InlineConfig, type ViteDevServer } from 'vite';
import electronVite from '../../electron.vite.config.ts';
import { exchangePath, socketPath } from '../../src-preload/contract/index.ts';
import { isByteRoute } from '../../src-main/hosts/byteRoutes.ts';
import { pathOf, refusal } from '../../src-main/hosts/browser/requests.ts';
import { createBoundedServer } from '../../src-main/training/listener.ts';
import { freshNonce, securityHeaders } from '../../src-main/hosts/csp.ts';

const address = '127.0.0.1';
/** Vite's: it opens a file in the developer's editor for any local process. */
const openInEditor = '/__open-in-editor';
/** The nonce's place in the page, as the built page has it; Vite puts it at what it inserts. */
const noncePlaceholder = '__CSP_NONCE__';

export interface PageServer {
  /** `http://127.0.0.1:PORT/` */
  readonly origin: string;
  close(): Promise<void>;
}

/**
 * Serves the page from its sources, with hot reload, before a browser host that it hands everything else to:
 * exchange, socket and byte routes. What the host refuses by `Host`, `Origin` and `Sec-Fetch-Site` is refused
 * here by the same function, every answer has the host's own security headers, and connections are as many as training's.
 *
 * @param options.top the project's folder
 * @param options.port TCP port on 127.0.0.1; 0 for any free one
 * @param options.hostOrigin the browser host's, `http://127.0.0.1:PORT/`
 */
export async function startPageServer(options: {
  readonly top: string;
  readonly port: number;
  readonly hostOrigin: string;
}): Promise<PageServer> {
  const { top } = options;
  const toHost = forwardTo(new URL(options.hostOrigin));
  let port = 0;
  // Vite's socket must not see what is refused: it listens to a server without a port, which gets the others.
  const hotReload = createServer();
  const vite = await openVite(top, hotReload);
  const server = createBoundedServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      vite.config.logger.error(error instanceof Error ? error.message : String(error));
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const nonce = freshNonce();
    for (const [name, value] of Object.entries(securityHeaders(nonce))) response.setHeader(name, value);
    const path = pathOf(request) ?? '';
    if (refusal(request, port) !== null) {
      response.writeHead(403).end('This request did not come from the console’s own page.\n');
    } else if (path === exchangePath || path === socketPath || isByteRoute(path)) {
      toHost.request(request, response);
    } else if (path === '/') {
      const page = await readFile(join(vite.config.root, 'index.html'), 'utf8');
      const text = (await vite.transformIndexHtml('/', page)).replaceAll(noncePlaceholder, nonce);
      response.setHeader('cache-control', 'no-store');
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(text);
    } else if (path === openInEditor) {
      response.writeHead(404).end();
    } else {
      vite.middlewares(request, response, () => {
        response.writeHead(404).end('There is nothing at this address.\n');
      });
    }
  };

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const path = pathOf(request);
    if (refusal(request, port) !== null) socket.destroy();
    else if (path === '/') hotReload.emit('upgrade', request, socket, head);
    else if (path === socketPath) toHost.socket(request, socket, head);
    else socket.destroy();
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: options.port, host: address, exclusive: true }, resolve);
  });
  port = (server.address() as AddressInfo).port;
  return {
    origin: `http://${address}:${String(port)}/`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      await vite.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Hands requests and sockets to the browser host at `host` as if they had been sent to it. */
function forwardTo(host: URL) {
  /** Headers as the host wants them: its own name in place of this server's. */
  const forHost = ({ headers }: IncomingMessage): IncomingMessage['headers'] => ({
    ...headers,
    host: host.host,
    ...(headers.origin === undefined ? {} : { origin: host.origin }),
  });

  return {
    request(request: IncomingMessage, response: ServerResponse): void {
      const outgoing = ask({
        host: host.hostname,
        port: host.port,
        method: request.method ?? 'GET',
        path: request.url ?? '/',
        headers: forHost(request),
        agent: false,
      });
      outgoing.on('response', (incoming) => {
        response.writeHead(incoming.statusCode ?? 502, incoming.headers);
        incoming.on('error', () => response.destroy());
        incoming.pipe(response);
      });
      outgoing.on('error', () => response.destroy());
      response.on('close', () => outgoing.destroy());
      request.pipe(outgoing);
    },

    socket(request: IncomingMessage, socket: Duplex, head: Buffer): void {
      const lines = Object.entries(forHost(request)).map(([name, value]) => `${name}: ${String(value)}\r\n`);
      const wire = connect(Number(host.port), host.hostname, () => {
        wire.write(`GET ${request.url ?? '/'} HTTP/1.1\r\n${lines.join('')}\r\n`);
        wire.write(head);
        wire.pipe(socket).pipe(wire);
      });
      wire.on('error', () => socket.destroy());
      wire.on('close', () => socket.destroy());
      socket.on('close', () => wire.destroy());
    },
  };
}

/** Vite with the plugins of the page's build, and no more of the disk than the page imports. */
function openVite(top: string, hotReload: Server): Promise<ViteDevServer> {
  const { plugins, worker } = (electronVite as { readonly renderer: InlineConfig }).renderer;
  return createVite({
    plugins,
    worker,
    configFile: false,
    root: join(top, 'src-renderer'),
    base: '/',
    cacheDir: join(top, 'node_modules/.cache/dev'),
    appType: 'custom',
    logLevel: 'warn',
    html: { cspNonce: noncePlaceholder },
    server: {
      middlewareMode: true,
      cors: false,
      hmr: { server: hotReload },
      fs: { allow: ['src-renderer', 'src-preload', 'node_modules'].map((folder) => join(top, folder)) },
    },
  });
}
