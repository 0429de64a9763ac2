import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** The most connections to one port. The console opens some ten. */
export const mostConnections = 256;
/** Milliseconds of the system's clock, for a client that never ends its headers. */
const headersWithinMs = 60_000;

/**
 * A server for a port that every process of the computer can open, in the process of the console: it may cost no memory
 * without end. When all places are taken, the oldest connection without a request goes, else the oldest one. A request
 * that comes before the last answer was received ends its connection: its answers would pile up.
 */
export function createBoundedServer(serve: RequestListener): Server {
  /** From the oldest to the newest, with whether it has a request. */
  const open = new Map<Socket, boolean>();
  // Node's other time-outs run on the system's clock and not on the one that was given.
  const timeouts = { keepAliveTimeout: 0, headersTimeout: headersWithinMs, requestTimeout: 0 };
  const server = createServer(timeouts, (request, response) => {
    const { socket } = request;
    if (open.get(socket) !== false) {
      socket.destroy();
      return;
    }
    open.set(socket, true);
    response.once('finish', () => {
      if (open.has(socket)) open.set(socket, false);
    });
    serve(request, response);
  });
  server.on('connection', (socket: Socket) => {
    if (open.size >= mostConnections) {
      const [oldest = socket] = open.keys();
      const idle = [...open].find(([, hasRequest]) => !hasRequest)?.[0];
      (idle ?? oldest).destroy();
      open.delete(idle ?? oldest);
    }
    open.set(socket, false);
    socket.once('close', () => open.delete(socket));
  });
  return server;
}

/** Opens a server on loopback; port 0 takes a free one. @returns its port. Rejects when that is taken. */
export async function listenOn(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}

/** Closes it and every connection, also those that come while `meanwhile` runs. */
export async function closeServer(
  server: Server,
  meanwhile = (): Promise<void> => Promise.resolve(),
): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  await meanwhile();
  server.closeAllConnections();
  await closed;
}
