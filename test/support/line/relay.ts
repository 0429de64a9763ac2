import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { End, Line, Sender } from './line.ts';

/** A port of loopback whose connections to a service go over a line. */
export interface LineRelay {
  readonly url: string;
  close(): Promise<void>;
}

export async function openLineRelay(line: Line, serviceUrl: string): Promise<LineRelay> {
  const { hostname, port } = new URL(serviceUrl);
  const sockets = new Set<Socket>();
  // Pauses keep the bytes of a connection that is not open yet in its own buffers.
  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (near) => {
    const far = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    far.pause();
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('close', () => sockets.delete(socket));
    }
    const way = line.connect({
      near: endOf(near),
      far: endOf(far),
      opened: () => {
        near.resume();
        far.resume();
      },
    });
    for (const [socket, sender, other] of [
      [near, way.near, far],
      [far, way.far, near],
    ] as const) {
      feed(socket, sender);
      socket.on('error', () => {
        way.drop();
        other.destroy();
      });
      // The other end hears of it by the line, unless the connection broke.
      socket.on('close', () => {
        if (!socket.readableEnded) other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

const endOf = (socket: Socket): End => ({
  receive: (bytes, taken) => {
    if (!socket.writable) taken();
    else if (socket.write(bytes)) taken();
    else socket.once('drain', taken);
  },
  ended: () => socket.end(),
  drained: () => socket.resume(),
  reset: () => socket.resetAndDestroy(),
});

function feed(socket: Socket, sender: Sender): void {
  socket.on('data', (bytes: Buffer) => {
    if (!sender.send(bytes)) socket.pause();
  });
  socket.on('end', () => sender.end());
}
