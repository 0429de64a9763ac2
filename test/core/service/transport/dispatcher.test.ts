import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { request, type Dispatcher } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDispatcher } from '../../../../src-main/core/service/transport/dispatcher.ts';
import { createTestNetwork } from '../../../support/ports.ts';
import { createVirtualClock, until, type VirtualClock } from '../../../support/clock.ts';

interface Asked {
  readonly use?: 'repeatable' | 'single';
  readonly signal?: AbortSignal | null;
}

describe('the sockets of a deployment', () => {
  let server: Server;
  let clock: VirtualClock;
  let url: string;
  let dispatcher: ReturnType<typeof createDispatcher>;
  let waiting: ServerResponse[];
  let sockets: Socket[];

  beforeEach(async () => {
    [waiting, sockets] = [[], []];
    // Without its own time-out, and so without the header that says when it closes a connection.
    server = createServer({ keepAliveTimeout: 0 }, (asked, response) => {
      if (asked.url === '/wait') waiting.push(response);
      else response.end('{}');
    });
    server.on('connection', (socket) => void sockets.push(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    clock = createVirtualClock();
    const address = {
      infrastructureUrl: url,
      coordinationUrl: url,
      loginPath: '/login',
      ca: null,
      systemAuthorities: false,
      proxy: null,
      attemptTimeoutMs: 1_000,
      totalTimeoutMs: 1_000,
    };
    dispatcher = createDispatcher({ address, clock, network: createTestNetwork() });
  });
  afterEach(async () => {
    await dispatcher.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const open = (): number => sockets.filter((socket) => !socket.destroyed).length;
  const ask = async (
    path: string,
    { use = 'repeatable', signal = null }: Asked = {},
  ): Promise<Dispatcher.ResponseData> => {
    const route = dispatcher.for({ origin: url, path: '' }, use);
    const dispatcherOf = await route.dispatcher(signal ?? new AbortController().signal);
    const answer = await request(`${url}${path}`, { dispatcher: dispatcherOf, signal });
    route.answered();
    await answer.body.dump();
    return answer;
  };

  it('are used again for 90 s of the clock, counted from the last answer', async () => {
    await ask('/');
    for (let left = 3; left > 0; left -= 1) {
      await clock.advance(89_000);
      await ask('/');
    }
    expect({ opened: sockets.length, open: open() }).toEqual({ opened: 1, open: 1 });
  });

  it('serve what is never sent twice for 4 s only', async () => {
    await ask('/');
    await clock.advance(3_900);
    await ask('/', { use: 'single' });
    expect(sockets).toHaveLength(1);
    await clock.advance(4_001);
    await ask('/', { use: 'single' });
    expect(sockets).toHaveLength(2);
    await until(() => open() === 1, 'the end of the old connection');
  });

  it('from before a sleep are closed and not used again', async () => {
    await ask('/');
    clock.sleep(90_001);
    await ask('/');
    expect(sockets).toHaveLength(2);
    await until(() => open() === 1, 'the end of the old connection');
  });

  it('from before a change of network are closed and not used again', async () => {
    await ask('/');
    dispatcher.retireAll();
    await until(() => open() === 0, 'the end of the old connection');
    await ask('/');
    expect(sockets).toHaveLength(2);
  });

  it('that still serve a request are let finish it', async () => {
    const long = ask('/wait');
    await until(() => waiting.length === 1, 'the request');
    clock.sleep(100_000);
    expect((await ask('/')).statusCode).toBe(200);
    waiting[0]?.end('{}');
    expect((await long).statusCode).toBe(200);
    await until(() => open() === 1, 'the end of the old connection');
  });

  it('all end with the deployment, those that were retired as well', async () => {
    const closing = new AbortController();
    const long = ask('/wait', { signal: closing.signal }).catch((error: unknown) => error);
    await until(() => waiting.length === 1, 'the request');
    clock.sleep(100_000);
    await ask('/');
    // As the transport does: undici leaves requests alone whose agent is closing.
    closing.abort();
    await dispatcher.destroy();
    expect(await long).toBeInstanceOf(Error);
    await until(() => open() === 0, 'the end of all connections');
  });
});
