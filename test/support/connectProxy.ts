import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

interface Refusal {
  readonly status: string;
  readonly headers?: readonly string[];
}

export interface ConnectProxy {
  /** Its origin, as the console names it. */
  readonly origin: string;
  /** The targets of the tunnels that it was asked for, with the credentials that came with each. */
  readonly asked: { readonly to: string; readonly authorization: string | undefined }[];
  /** What came through the tunnels from the console, as latin1. */
  through(): string;
  /** The status that it answers with instead of a tunnel, and headers; `silent` for no answer; null for a tunnel. */
  refuse: (request: IncomingMessage) => Refusal | 'silent' | null;
  /** Ends its tunnels and listens no longer. */
  close(): Promise<void>;
}

export const askForBasic = {
  status: '407 Proxy Authentication Required',
  headers: ['Proxy-Authenticate: Basic realm="field, office"'],
} as const;

/** A real HTTP proxy on 127.0.0.1, for tunnels only. */
export async function openConnectProxy(): Promise<ConnectProxy> {
  const asked: ConnectProxy['asked'] = [];
  const sockets = new Set<Socket>();
  let through = '';
  const server = createServer();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  server.on('connect', (request, socket) => {
    const to = request.url ?? '';
    asked.push({ to, authorization: request.headers['proxy-authorization'] });
    const refusal = proxy.refuse(request);
    if (refusal === 'silent') return;
    if (refusal !== null) {
      socket.end([`HTTP/1.1 ${refusal.status}`, ...(refusal.headers ?? []), '', ''].join('\r\n'));
      return;
    }
    const onward = connect(Number(to.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.on('data', (bytes: Buffer) => (through += bytes.toString('latin1')));
      socket.pipe(onward).pipe(socket);
    });
    sockets.add(onward);
    onward.on('error', () => socket.destroy());
    socket.on('close', () => onward.destroy());
  });
  await new Promise<void>((up) => server.listen(0, '127.0.0.1', up));
  const proxy: ConnectProxy = {
    origin: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    asked,
    through: () => through,
    refuse: () => null,
    close: () =>
      new Promise((down) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => down());
      }),
  };
  return proxy;
}
