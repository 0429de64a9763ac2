import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startPageServer } from '../../build/dev/pageServer.ts';
import { mostConnections } from '../../src-main/training/listener.ts';
import { until } from '../support/clock.ts';

const more = 8;

test('the development page holds no more connections than there are places, and a page gets one', async () => {
  const top = join(import.meta.dirname, '../..');
  const server = await startPageServer({ top, port: 0, hostOrigin: 'http://127.0.0.1:9/' });
  onTestFinished(() => server.close());
  const { hostname, port } = new URL(server.origin);
  let closed = 0;
  const open = async (): Promise<void> => {
    const socket: Socket = connect(Number(port), hostname).on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    socket.on('close', () => (closed += 1));
    await new Promise<void>((resolve) => void socket.once('connect', resolve));
    socket.write('GET / HTTP/1.1\r\nX-Endless: ');
  };
  for (let count = 0; count < mostConnections + more; count += 1) await open();
  await until(() => closed >= more, 'the end of the oldest ones');
  expect((await fetch(`${server.origin}nothing`)).status).toBe(404);
});
