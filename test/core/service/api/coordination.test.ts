import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { UploadCall } from '../../../../src-main/core/service/api/coordination.ts';
import { until } from '../../../support/clock.ts';
import { createRig, json, signedIn, type Rig } from '../transport/service.ts';

let rig: Rig;
afterEach(() => rig.close());

const pieces = (count: number, size: number) =>
  async function* () {
    for (let at = 0; at < count; at += 1) yield await Promise.resolve(Buffer.alloc(size, at));
  };

const upload = (change: Partial<UploadCall> = {}) =>
  rig.link.coordination.upload({
    path: '/storage',
    key: 'key-1',
    contentType: 'multipart/form-data; boundary=b',
    contentLength: 30,
    body: pieces(3, 10),
    separateToken: false,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...change,
  });

const decide = () =>
  rig.link.coordination.decide({
    path: '/admin/missions/approve',
    operation: 'approve_mission',
    missionId: 'm-1',
    key: 'key-2',
    body: '{"mission_id":"m-1"}',
  });

describe('an upload', () => {
  it('sends its pieces under its key, and says how far it came', async () => {
    rig = await signedIn(await createRig());
    rig.service.on('/storage', (_, response) => json(response, 201, { cid: 'c' }));
    const progress: number[] = [];
    const { result, left } = await upload({ onProgress: (bytes) => progress.push(bytes) });
    expect(result).toMatchObject({ ok: true, value: { body: { cid: 'c' } } });
    expect(left).toBe(true);
    // What buffers take at once has not left.
    expect(progress).toEqual([0, 0, 0, 0]);
    const [seen] = rig.service.seen;
    expect(seen?.headers).toMatchObject({
      'idempotency-key': 'key-1',
      'content-length': '30',
      'content-type': 'multipart/form-data; boundary=b',
      authorization: 'Bearer token-1',
    });
    expect(Buffer.byteLength(seen?.body ?? '')).toBe(30);
  });

  it('repeats the identical bytes once after a renewal, and never after an error', async () => {
    rig = await signedIn(await createRig());
    let answers = 0;
    rig.service.on('/storage', (_, response) => {
      answers += 1;
      json(response, answers === 1 ? 401 : 503, {});
    });
    const { result } = await upload();
    expect(result).toMatchObject({ ok: false, failure: { status: 503 } });
    const bodies = rig.service.seen.filter(({ path }) => path === '/storage').map(({ body }) => body);
    expect(bodies).toHaveLength(2);
    expect(bodies[0]).toBe(bodies[1]);
  });

  it('uses the separate token when there is one, and no login brings another', async () => {
    rig = await signedIn(await createRig());
    expect((await upload({ separateToken: true })).result).toMatchObject({
      ok: false,
      failure: { code: 'upload-token-missing' },
    });
    expect(rig.service.seen).toHaveLength(0);
    rig.link.session.giveUploadToken('canary-upload-token');
    rig.service.on('/storage', (_, response) => json(response, 401, { error: 'no such token' }));
    const { result } = await upload({ separateToken: true });
    expect(result).toMatchObject({
      ok: false,
      failure: { code: 'upload-token-refused', words: 'no such token' },
    });
    expect(rig.service.seen.map(({ path }) => path)).toEqual(['/storage']);
    expect(rig.service.seen[0]?.headers.authorization).toBe('Bearer canary-upload-token');
    expect(rig.link.session.snapshot().uploadToken).toBe('refused');
    await upload({ separateToken: true });
    expect(rig.service.count('/storage')).toBe(1);
    expect(JSON.stringify(rig.ports.logger.lines)).not.toContain('canary-upload-token');
  });

  it('is not cut by the deadlines of other requests while it moves, and is when nothing moves', async () => {
    rig = await signedIn(await createRig());
    let release = (): void => undefined;
    async function* slow(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < 3; at += 1) {
        yield Buffer.alloc(10);
        await new Promise<void>((resolve) => (release = resolve));
      }
    }
    const progress: number[] = [];
    const sent = upload({ body: slow, contentLength: 40, onProgress: (bytes) => progress.push(bytes) });
    for (const piece of [1, 2]) {
      await until(() => progress.length === piece, `piece ${String(piece)}`);
      // Each wait is beyond an attempt's time; together they are beyond an operation's.
      await rig.ports.clock.advance(50_000);
      release();
    }
    await until(() => progress.length === 3, 'all pieces');
    expect(progress).toEqual([0, 0, 10]);
    await rig.ports.clock.advance(61_000);
    const { result, left } = await sent;
    expect(result).toMatchObject({ ok: false, failure: { code: 'timed-out' } });
    expect(left).toBe(true);
  });

  it('that breaks by itself is not taken for a lost connection', async () => {
    rig = await signedIn(await createRig());
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(Buffer.alloc(10));
      throw new Error('the file is damaged');
    }
    const { result } = await upload({ body: broken });
    expect(result).toMatchObject({ ok: false, failure: { code: 'file-damaged' } });
  });
});

describe('a decision', () => {
  it.each([429, 500, 503, 408, 409])('is not repeated after %i', async (status) => {
    rig = await signedIn(await createRig());
    const body = { state: 'rejected' };
    rig.service.on('/admin/missions/approve', (_, response) => json(response, status, body));
    const { result, left, refusal } = await decide();
    expect(result).toMatchObject({ ok: false, failure: { status } });
    expect({ left, refusal }).toEqual({ left: true, refusal: body });
    expect(rig.service.seen).toHaveLength(1);
    expect(rig.service.seen[0]).toMatchObject({
      body: '{"mission_id":"m-1"}',
      headers: { 'idempotency-key': 'key-2', 'content-type': 'application/json' },
    });
  });

  it('that met nobody is known not to have left', async () => {
    const { url, close } = await closedPort();
    rig = await signedIn(await createRig({ address: { coordinationUrl: url } }));
    await close();
    const { result, left } = await decide();
    expect(result).toMatchObject({ ok: false, failure: { code: 'unreachable' } });
    expect(left).toBe(false);
  });

  it('whose connection was cut may have been acted on', async () => {
    const server = await cuttingServer();
    rig = await signedIn(await createRig({ address: { coordinationUrl: server.url } }));
    const { result, left } = await decide();
    expect(result).toMatchObject({ ok: false, failure: { code: 'unreachable' } });
    expect(left).toBe(true);
    expect(server.connections()).toBe(1);
    await server.close();
  });

  it('that lacks a scope is not sent again until the next token, for that mission alone', async () => {
    const refused: unknown[] = [];
    rig = await signedIn(await createRig({ link: { onRefused: (now) => refused.push(now) } }));
    rig.service.on('/admin/missions/approve', (_, response) =>
      json(response, 403, { error: 'missions:approve' }),
    );
    await decide();
    expect((await decide()).result).toMatchObject({ ok: false, failure: { code: 'not-granted' } });
    expect(rig.service.count('/admin/missions/approve')).toBe(1);
    expect(refused.at(-1)).toMatchObject([
      { api: 'coordination', operation: 'approve_mission', resource: 'm-1', failure: { status: 403 } },
    ]);
    rig.service.expireTokens();
    await rig.link.infrastructure.listIncidents({});
    expect(refused.at(-1)).toEqual([]);
  });
});

describe('an event stream', () => {
  it('lasts beyond every deadline, and ends with its signal', async () => {
    rig = await signedIn(await createRig());
    let write: (text: string) => void = () => undefined;
    let closed = false;
    rig.service.on('/events', (seen, response) => {
      expect(seen.headers).toMatchObject({ accept: 'text/event-stream', 'last-event-id': '7' });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      write = (text) => void response.write(text);
      write(': hello\n\n');
      response.on('close', () => (closed = true));
    });
    const controller = new AbortController();
    const opened = await rig.link.coordination.events('/events', {
      lastEventId: '7',
      signal: controller.signal,
    });
    if (!opened.ok) throw new Error(opened.failure.code);
    const bytes = opened.value.bytes[Symbol.asyncIterator]();
    expect(Buffer.from((await bytes.next()).value as Uint8Array).toString()).toBe(': hello\n\n');
    await rig.ports.clock.advance(3_600_000);
    write('data: 1\n\n');
    expect(Buffer.from((await bytes.next()).value as Uint8Array).toString()).toBe('data: 1\n\n');
    const ended = bytes.next();
    controller.abort();
    await expect(ended).rejects.toThrow();
    await until(() => closed, 'the end of the connection');
  });

  it('is given up when no head comes', async () => {
    rig = await signedIn(await createRig());
    rig.service.on('/events', () => undefined);
    const opened = rig.link.coordination.events('/events', {
      lastEventId: null,
      signal: new AbortController().signal,
    });
    await until(() => rig.service.count('/events') === 1, 'the request');
    await rig.ports.clock.advance(11_000);
    expect(await opened).toMatchObject({ ok: false, failure: { code: 'timed-out' } });
  });
});

async function closedPort(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Takes a request and cuts the connection without a word. */
async function cuttingServer(): Promise<{
  readonly url: string;
  readonly connections: () => number;
  close(): Promise<void>;
}> {
  let connections = 0;
  const server = createTcpServer((socket: Socket) => {
    connections += 1;
    socket.once('data', () => socket.resetAndDestroy());
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    connections: () => connections,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
