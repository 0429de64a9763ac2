import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

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
