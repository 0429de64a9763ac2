import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Stands between a console and a service, and keeps every byte that the console sends. */
export interface RecordingRelay {
  readonly url: string;
  /** All that was sent to the service so far, as Latin-1. */
  sent(): string;
  close(): Promise<void>;
}

export async function openRelay(serviceUrl: string): Promise<RecordingRelay> {
  const { hostname, port } = new URL(serviceUrl);
  const parts: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((from) => {
    const to = connect(Number(port), hostname);
    for (const socket of [from, to]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    }
    from.on('data', (bytes) => parts.push(Buffer.from(bytes)));
    from.on('error', () => to.destroy());
    to.on('error', () => from.destroy());
    from.pipe(to).pipe(from);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    sent: () => Buffer.concat(parts).toString('latin1'),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
