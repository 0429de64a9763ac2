import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BrowserHost } from '../../src-main/hosts/browser/server.ts';
import { until, type StillClock } from '../support/clock.ts';
import { startHostUnderTest } from './support/browserHost.ts';
import type { FakeConsole } from './support/console.ts';
import { desktopUnderTest, type DesktopUnderTest } from './support/desktopHost.ts';
import { admit, ask, originOf } from './support/page.ts';

const id = '0123456789abcdef';

/** What both hosts must refuse before the console hears of it. */
const nowhere = [
  `/tiles/${id}`,
  `/tiles/${id}/0/0`,
  `/tiles/${id}/0/0/0/0`,
  `/tiles/${id}/0/0/0/`,
  `/tiles/${id}/0/0/1`,
  `/tiles/${id}/0/1/0`,
  `/tiles/${id}/31/0/0`,
  `/tiles/${id}/00/0/0`,
  `/tiles/${id}/1/01/0`,
  `/tiles/${id}/1/-1/0`,
  `/tiles/${id}/1/1.0/0`,
  `/tiles/${id}/1/1e0/0`,
  `/tiles/${id}/30/9999999999/0`,
  `/tiles/${id.toUpperCase()}/0/0/0`,
  `/tiles/${id}0/0/0/0`,
  '/tiles/..%2f..%2fmaps.json/0/0/0',
  '/tiles/%2e%2e/0/0/0',
  '/spool/',
  `/spool/${id}/more`,
  '/spool/..%2f..%2fetc',
  '/export/1',
];

describe('the browser host', () => {
  let host: BrowserHost;
  let fake: FakeConsole;
  let clock: StillClock;
  let headers: Record<string, string>;
  let end: () => Promise<void>;
  beforeEach(async () => {
    ({ host, fake, clock, end } = await startHostUnderTest());
    const { cookie, proof } = await admit(host.issueUrl());
    headers = { cookie, 'x-console-proof': proof, origin: originOf(host.origin) };
  });
  afterEach(() => end());

  it.each([...nowhere, `/tiles/../tiles/${id}/0/0/0`])('has nothing at %s', async (path) => {
    for (const method of ['GET', 'PUT']) {
      expect((await ask(host.origin, path, { method, headers })).status).toBe(404);
    }
    expect(fake.tiles).toEqual([]);
  });

  it.each([
    ['no proof', { 'x-console-proof': '' }, 401],
    ['another proof', { 'x-console-proof': 'A'.repeat(43) }, 401],
    ['no cookie', { cookie: '' }, 401],
    ['a foreign origin', { origin: 'http://evil.example' }, 403],
    ['a foreign site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a foreign host', { host: 'evil.example' }, 403],
  ])('refuses %s', async (_name, change: Record<string, string>, status) => {
    const spools: string[] = [];
    fake.takeSpool = (importId) => {
      spools.push(importId);
      return Promise.resolve('kept');
    };
    const asked = { ...headers, ...change };
    expect((await ask(host.origin, `/tiles/${id}/0/0/0`, { headers: asked })).status).toBe(status);
    const sent = await ask(host.origin, `/spool/${id}`, { method: 'PUT', headers: asked, body: 'x' });
    expect(sent.status).toBe(status);
    expect([fake.tiles, spools]).toEqual([[], []]);
  });

  it('hands out a tile with its type, not to be kept or guessed at', async () => {
    fake.tileAnswer = { kind: 'tile', type: 'mvt', bytes: new Uint8Array([1, 2, 3]) };
    const answer = await ask(host.origin, `/tiles/${id}/3/7/0`, { headers });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/x-protobuf',
      'content-length': '3',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(fake.tiles).toEqual([[id, 3, 7, 0]]);
  });

  it.each([
    ['png', 'image/png'],
    ['jpg', 'image/jpeg'],
    ['webp', 'image/webp'],
    ['avif', 'image/avif'],
  ] as const)('names %s %s', async (type, named) => {
    fake.tileAnswer = { kind: 'tile', type, bytes: new Uint8Array([1]) };
    expect((await ask(host.origin, `/tiles/${id}/0/0/0`, { headers })).headers['content-type']).toBe(named);
  });

  it.each([
    ['empty', 204],
    ['missing', 404],
    ['unknown', 404],
    ['locked', 403],
  ] as const)('answers %s with %i', async (kind, status) => {
    fake.tileAnswer = { kind };
    expect((await ask(host.origin, `/tiles/${id}/0/0/0`, { headers })).status).toBe(status);
  });

  it.each([
    ['kept', 204],
    ['refused', 422],
    ['unknown', 404],
    ['busy', 409],
    ['locked', 403],
  ] as const)('answers a file that is %s with %i, read or not', async (answer, status) => {
    fake.takeSpool = () => Promise.resolve(answer);
    const body = 'x'.repeat(3_000_000);
    const sent = await ask(host.origin, `/spool/${id}`, { method: 'PUT', headers, body }).catch(() => null);
    // A body that nobody reads is cut, which may overtake the answer.
    if (sent) expect(sent.status).toBe(status);
    expect((await ask(host.origin, '/')).status).toBe(200);
  });

  it('takes a file without bytes, which a page sends without a body', async () => {
    const sizes: number[] = [];
    fake.takeSpool = async (_id, body) => {
      let size = 0;
      for await (const piece of body) size += piece.byteLength;
      sizes.push(size);
      return 'kept';
    };
    expect((await ask(host.origin, `/spool/${id}`, { method: 'PUT', headers })).status).toBe(204);
    expect(sizes).toEqual([0]);
  });

  it('takes only GET for tiles and PUT for files', async () => {
    expect((await ask(host.origin, `/tiles/${id}/0/0/0`, { method: 'POST', headers })).status).toBe(405);
    expect((await ask(host.origin, `/spool/${id}`, { headers })).status).toBe(405);
  });

  /** A PUT whose body is sent by the test, piece by piece. */
  function upload(size: number) {
    const { port } = new URL(host.origin);
    const sent = request({
      host: '127.0.0.1',
      port,
      path: `/spool/${id}`,
      method: 'PUT',
      headers: { ...headers, 'content-length': String(size) },
    });
    sent.on('error', () => undefined);
    return sent;
  }

  it('carries a body as it comes, no faster than it is taken', async () => {
    const piece = Buffer.alloc(1024 * 1024, 7);
    let taken = 0;
    let goOn: () => void = () => undefined;
    const waits = new Promise<void>((resolve) => (goOn = resolve));
    fake.takeSpool = async (_id, body) => {
      for await (const bytes of body) {
        taken += bytes.byteLength;
        await waits;
      }
      return 'kept';
    };
    const sent = upload(64 * piece.byteLength);
    const answered = new Promise<number>((resolve) =>
      sent.on('response', (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      }),
    );
    let queued = 0;
    for (let count = 0; count < 64; count += 1) if (!sent.write(piece)) queued += 1;
    sent.end();
    await until(() => taken > 0);
    // Nearly all of it still waits at the sender: the host has not read ahead.
    expect(sent.writableLength).toBeGreaterThan(32 * piece.byteLength);
    expect(queued).toBeGreaterThan(0);
    goOn();
    expect(await answered).toBe(204);
    expect(taken).toBe(64 * piece.byteLength);
  });

  it('lets a large file take longer than other requests', async () => {
    let taken = '';
    fake.takeSpool = async (_id, body) => {
      for await (const bytes of body) taken += Buffer.from(bytes).toString();
      return 'kept';
    };
    const sent = upload(6);
    const answered = new Promise<number>((resolve) =>
      sent.on('response', (response) => resolve(response.statusCode ?? 0)),
    );
    sent.write('abc');
    await until(() => taken === 'abc');
    clock.advance(60_000);
    sent.end('def');
    expect(await answered).toBe(204);
    expect(taken).toBe('abcdef');
  });

  it('cuts any other request whose body does not come', async () => {
    const { port } = new URL(host.origin);
    const sent = request({
      host: '127.0.0.1',
      port,
      path: '/exchange',
      method: 'POST',
      headers: { origin: originOf(host.origin), 'content-type': 'application/json', 'content-length': '100' },
    });
    const over = new Promise<void>((resolve) => {
      sent.on('error', () => resolve());
      sent.on('close', () => resolve());
    });
    sent.write('{');
    await ask(host.origin, '/');
    clock.advance(11_000);
    await over;
  });

  it('tells the console when the page goes in the middle of a file', async () => {
    let ended = '';
    fake.takeSpool = async (_id, body) => {
      try {
        for await (const _bytes of body) ended = 'going';
        ended = 'whole';
      } catch {
        ended = 'broken';
      }
      return 'refused';
    };
    const sent = upload(1_000);
    sent.write('half');
    await until(() => ended === 'going');
    sent.destroy();
    await until(() => ended !== 'going');
    expect(ended).toBe('broken');
    expect((await ask(host.origin, '/')).status).toBe(200);
  });
});

describe('the desktop host', () => {
  let desktop: DesktopUnderTest;
  let serve: (request: Request) => Promise<Response>;
  beforeEach(async () => {
    desktop = await desktopUnderTest();
    await desktop.run();
    const handler = desktop.electron.pageSession.schemes.get('console');
    if (!handler) throw new Error('The page is not served');
    serve = async (request) => handler(request);
  });
  afterEach(() => desktop.end());

  const own = { 'x-console-proof': 'desktop' };
  const fetchAt = (path: string, init: RequestInit & { duplex?: 'half' } = {}): Promise<Response> =>
    serve(new Request(`console://app${path}`, { headers: own, ...init }));

  it.each(nowhere)('has nothing at %s', async (path) => {
    expect((await fetchAt(path)).status).toBe(404);
    expect(desktop.fake.tiles).toEqual([]);
  });

  it('hands out a tile to its own page', async () => {
    desktop.fake.tileAnswer = { kind: 'tile', type: 'webp', bytes: new Uint8Array([1, 2, 3]) };
    const answer = await fetchAt(`/tiles/${id}/3/7/0`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('image/webp');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(new Uint8Array([1, 2, 3]));
    desktop.fake.tileAnswer = { kind: 'empty' };
    expect((await fetchAt(`/tiles/${id}/3/7/0`)).status).toBe(204);
  });

  it.each([
    ['no proof', {}],
    ['another proof', { 'x-console-proof': 'x' }],
    ['a foreign origin', { ...own, origin: 'https://evil.example' }],
    ['a foreign site', { ...own, 'sec-fetch-site': 'cross-site' }],
  ])('refuses %s', async (_name, headers: Record<string, string>) => {
    expect((await fetchAt(`/tiles/${id}/0/0/0`, { headers })).status).toBe(403);
    expect((await fetchAt(`/spool/${id}`, { method: 'PUT', headers, body: 'x' })).status).toBe(403);
    expect(desktop.fake.tiles).toEqual([]);
    expect(desktop.log.events()).toContain('request-refused');
  });

  it('carries a file as a stream, and its end when the console has enough', async () => {
    let taken = 0;
    desktop.fake.takeSpool = async (_id, body) => {
      for await (const bytes of body) {
        taken += bytes.byteLength;
        if (taken >= 3_000) break;
      }
      return 'refused';
    };
    let asked = 0;
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        asked += 1;
        controller.enqueue(new Uint8Array(1_000));
      },
      cancel: () => {
        cancelled = true;
      },
    });
    const answer = await fetchAt(`/spool/${id}`, { method: 'PUT', body, duplex: 'half' });
    expect(answer.status).toBe(422);
    expect(taken).toBe(3_000);
    expect(asked).toBeLessThan(8);
    await until(() => cancelled);
  });
});
