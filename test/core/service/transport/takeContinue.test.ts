import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { turns } from '../../../support/clock.ts';
import { openConnectProxy, type ConnectProxy } from '../../../support/connectProxy.ts';
import { createRig, credentials, type Rig } from './service.ts';

const open: {
  readonly server: Server;
  readonly rig: Rig;
  readonly sockets: Socket[];
  readonly proxy: ConnectProxy | null;
}[] = [];
afterEach(async () => {
  for (const { server, rig, sockets, proxy } of open.splice(0)) {
    await rig.close();
    await proxy?.close();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
});

const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const sized = (body: string): string => `${head}content-length: ${String(body.length)}\r\n\r\n${body}`;
const chunked = (body: string): string =>
  `${head}transfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
const token = JSON.stringify({ token: 'token-1', expires_at: 4_000_000_000 });
const goOn = 'HTTP/1.1 100 Continue\r\n\r\n';

/**
 * A service on a bare socket: it writes `before`, and the answer when the request has come whole. `at` is where
 * `before` is written: at the head of a request, or in front of the answer.
 */
async function serve(options: {
  readonly before: readonly string[];
  readonly at?: 'head' | 'answer';
  readonly list?: string;
  readonly proxied?: boolean;
}): Promise<{ rig: Rig; sockets: Socket[] }> {
  const { before, at = 'answer', list = sized('[]'), proxied = false } = options;
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    let request = '';
    let isNew = true;
    const writeBefore = async (): Promise<void> => {
      for (const piece of before) {
        socket.write(piece);
        await turns(3);
      }
    };
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('data', (data: Buffer) => {
      request += data.toString();
      if (isNew) {
        isNew = false;
        if (at === 'head') void writeBefore();
      }
      const end = request.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(request)?.[1] ?? 0);
      if (request.length < end + 4 + length) return;
      const isLogin = request.startsWith('POST');
      [request, isNew] = ['', true];
      const answer = isLogin ? sized(token) : list;
      void (at === 'head' ? Promise.resolve() : writeBefore()).then(() => socket.write(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const proxy = proxied ? await openConnectProxy() : null;
  const rig = await createRig({
    address: { infrastructureUrl: url, coordinationUrl: url, proxy: proxy?.origin ?? null },
  });
  open.push({ server, rig, sockets, proxy });
  return { rig, sockets };
}

const signIn = (rig: Rig): ReturnType<Rig['link']['session']['signIn']> =>
  rig.link.session.signIn(credentials.username, credentials.password);
const list = (rig: Rig): ReturnType<Rig['link']['infrastructure']['listIncidents']> =>
  rig.link.infrastructure.listIncidents({});

describe('an informational answer that was not asked for', () => {
  it.each([
    ['none', []],
    ['100', [goOn]],
    ['100 in pieces', ['HTT', 'P/1.1 1', '00 Contin', 'ue\r', '\n\r', '\n']],
    ['100 with headers', ['HTTP/1.1 100 Continue\r\nx-request-id: r-1\r\nserver: s\r\n\r\n']],
    ['100 without words', ['HTTP/1.1 100\r\n\r\n']],
    ['several', [goOn, goOn, 'HTTP/1.1 102 Processing\r\n\r\n', goOn]],
    ['103', ['HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n']],
    ['103 and 100 in one piece', [`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${goOn}`]],
    ['an unknown one', ['HTTP/1.1 199 Later\r\n\r\n']],
  ])('is taken before the answers of a login and a list: %s', async (_, before) => {
    const { rig, sockets } = await serve({ before });
    expect(await signIn(rig)).toMatchObject({ ok: true });
    // undici uses a connection again one turn of the event loop after an answer.
    await new Promise((resolve) => setImmediate(resolve));
    expect(await list(rig)).toMatchObject({ ok: true });
    expect(sockets).toHaveLength(1);
  });

  it('is taken as soon as a request begins', async () => {
    const { rig } = await serve({ before: [goOn], at: 'head' });
    expect(await signIn(rig)).toMatchObject({ ok: true });
    expect(await list(rig)).toMatchObject({ ok: true });
  });

  it('is taken through a proxy', async () => {
    const { rig } = await serve({ before: [goOn], proxied: true });
    expect(await signIn(rig)).toMatchObject({ ok: true });
    expect(open[0]?.proxy?.through()).toContain('POST /login');
  });

  it.each([
    ['sized', sized],
    ['chunked', chunked],
  ])('is not looked for in a body: %s', async (_, written) => {
    const body = JSON.stringify([{ id: goOn }, { id: 'HTTP/1.1 100 Continue' }]);
    const { rig } = await serve({ before: [goOn], list: written(body) });
    expect(await signIn(rig)).toMatchObject({ ok: true });
    const ids = JSON.stringify(await list(rig));
    expect(ids).toContain(JSON.stringify(goOn).slice(1, -1));
  });

  it('is no answer: a service that sends only these has not answered in time', async () => {
    const { rig } = await serve({ before: [goOn], list: goOn });
    expect(await signIn(rig)).toMatchObject({ ok: true });
    const asked = await rig.ports.clock.drive(list(rig));
    expect(asked).toMatchObject({ ok: false, failure: { code: 'timed-out' } });
  });
});
